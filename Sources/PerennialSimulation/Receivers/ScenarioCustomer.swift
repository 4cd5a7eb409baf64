import AppStoreFormats
import Foundation
import Perennial
import PerennialStore

/// The customer of a scenario, with a family where the scenario needs one.
actor ScenarioCustomer {
    private static let name = "ann"
    private static let familyMember = "ben"
    private static let code = "SPRING"

    private let store: Store
    private let bundleID: App.BundleID
    private let signing: Signing
    /// The subscription; `nil` before the first purchase.
    private(set) var subscription: TransactionID?
    /// Registrations that the app sent to its server, one for each customer.
    private(set) var registrations: [ReceiverRegistration] = []
    private var refunded: TransactionID?
    private var family: Int64?

    init(store: Store, bundleID: App.BundleID, signing: Signing) {
        self.store = store
        self.bundleID = bundleID
        self.signing = signing
    }

    private var silver: Product.ID { Product.ID(rawValue: "\(bundleID).silver") }
    private var gold: Product.ID { Product.ID(rawValue: "\(bundleID).gold") }

    /// Performs a step. Does nothing for a step of time, and before the first purchase.
    func perform(_ step: ReceiverScenario.Step) async throws {
        if step == .buy { return try await buy() }
        guard let id = subscription else { return }
        switch step {
        case .buy, .wait, .begin: break
        case .turnOff: _ = try await store.subscriptions.perform(.setAutoRenew(false), on: id)
        case .turnOn: _ = try await store.subscriptions.perform(.setAutoRenew(true), on: id)
        case .declineCard: _ = try await store.subscriptions.setPaymentMethod(.declined, of: id)
        case .acceptCard: _ = try await store.subscriptions.setPaymentMethod(.valid, of: id)
        case .refund:
            let newest = try await newest(id)
            _ = try await store.refunds.refund(newest, Refund(reason: .other))
            refunded = newest
        case .requestRefund: _ = try await store.refunds.request(try await newest(id), reason: .unintendedPurchase)
        case .declineRefund: _ = try await store.refunds.decline(try await newest(id))
        case .reverseRefund: if let refunded { _ = try await store.refunds.reverse(refunded) }
        case .upgrade: _ = try await store.subscriptions.perform(.change(gold), on: id)
        case .downgrade: _ = try await store.subscriptions.perform(.change(silver), on: id)
        case .redeem: try await redeem()
        case .share:
            family = try await store.families.make(organizer: Self.name, members: [Self.familyMember]).id
            try await register(Self.familyMember)
        case .unshare: if let family { _ = try await store.families.remove(Self.familyMember, from: family) }
        case .extend:
            _ = try await store.extensions.extend(id, RenewalExtension(days: 10, reason: .other, requestID: "lint"))
        case .raisePrice:
            _ = try await store.products.changePrice(
                PriceChange(silver, milliunits: 19_990, needsConsent: true), bundleID: bundleID)
            try await store.products.applyPriceChanges()
        case .agree: _ = try await store.subscriptions.perform(.answerPriceIncrease(accepted: true), on: id)
        }
    }

    private func buy() async throws {
        let isFirst = subscription == nil
        if isFirst {
            _ = try await store.accounts.put(
                Self.name, storefront: nil, paymentMethod: .valid, canMakePayments: true, password: nil)
        }
        let customer = try await store.accounts.customer(account: Self.name, bundleID: bundleID)
        subscription = try await store.purchases.buy(PurchaseRequest(productID: silver), by: customer).originalID
        if isFirst { try await register(Self.name) }
    }

    private func register(_ account: String) async throws {
        let customer = try await store.accounts.customer(account: account, bundleID: bundleID)
        let receipt = try await store.receipts.appReceipt(for: customer)
        let read = try signing.receiptVerifier.verify(receipt)
        guard let purchase = read.purchases.first else { return }
        registrations.append(
            ReceiverRegistration(
                receiptData: Data(receipt).base64EncodedString(), bundleId: bundleID.rawValue,
                environment: store.environment.kind.rawValue, originalTransactionId: purchase.originalTransactionID,
                transactionId: purchase.transactionID))
    }

    private func redeem() async throws {
        let order = OfferCodeOrder(
            productID: gold, offerID: "spring", kind: .custom(Self.code, maximumRedemptions: nil))
        _ = try await store.offers.makeCodes(order, of: bundleID)
        let customer = try await store.accounts.customer(account: Self.name, bundleID: bundleID)
        _ = try await store.purchases.redeem(Self.code, idempotencyKey: nil, by: customer)
    }

    private func newest(_ id: TransactionID) async throws -> TransactionID {
        try await store.subscriptions.snapshot(of: id).transaction.id
    }
}
