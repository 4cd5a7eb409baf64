import AppStoreFormats
import Foundation
import Perennial
import PerennialStore

/// Who lives a receiver's life: one customer of one store, with a family where the life needs one.
actor LintedCustomer {
    private static let name = "ann"
    private static let relative = "ben"
    private static let code = "SPRING"

    private let store: Store
    private let bundleID: App.BundleID
    private let signing: Signing
    /// From the first purchase on.
    private(set) var subscription: TransactionID?
    /// What the app has sent its server, once for each customer.
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

    /// Does what a step says; nothing for what is a matter of time, and before there is a subscription.
    func take(_ step: ReceiverLife.Step) async throws {
        if step == .buy { return try await buy() }
        guard let id = subscription else { return }
        switch step {
        case .buy, .wait, .begin: break
        case .turnOff: _ = try await store.act(.setAutoRenew(false), on: id)
        case .turnOn: _ = try await store.act(.setAutoRenew(true), on: id)
        case .declineCard: _ = try await store.setPaymentMethod(.declined, of: id)
        case .acceptCard: _ = try await store.setPaymentMethod(.valid, of: id)
        case .refund:
            let newest = try await newest(id)
            _ = try await store.refund(newest, Refund(reason: .other))
            refunded = newest
        case .requestRefund: _ = try await store.requestRefund(try await newest(id), reason: .unintendedPurchase)
        case .declineRefund: _ = try await store.declineRefund(try await newest(id))
        case .reverseRefund: if let refunded { _ = try await store.reverseRefund(refunded) }
        case .upgrade: _ = try await store.act(.change(gold), on: id)
        case .downgrade: _ = try await store.act(.change(silver), on: id)
        case .redeem: try await redeem()
        case .share:
            family = try await store.makeFamily(organizer: Self.name, members: [Self.relative]).id
            try await register(Self.relative)
        case .unshare: if let family { _ = try await store.removeFamilyMember(Self.relative, from: family) }
        case .extend:
            _ = try await store.extendRenewal(id, RenewalExtension(days: 10, reason: .other, requestID: "lint"))
        case .raisePrice:
            _ = try await store.changePrice(
                PriceChange(silver, milliunits: 19_990, needsConsent: true), bundleID: bundleID)
            try await store.workOffPriceChanges()
        case .agree: _ = try await store.act(.answerPriceIncrease(accepted: true), on: id)
        }
    }

    private func buy() async throws {
        let isFirst = subscription == nil
        if isFirst {
            _ = try await store.putAccount(
                Self.name, storefront: nil, paymentMethod: .valid, canMakePayments: true, password: nil)
        }
        let customer = try await store.customer(account: Self.name, bundleID: bundleID)
        subscription = try await store.purchase(PurchaseRequest(productID: silver), by: customer).originalID
        if isFirst { try await register(Self.name) }
    }

    private func register(_ account: String) async throws {
        let customer = try await store.customer(account: account, bundleID: bundleID)
        let receipt = try await store.appReceipt(for: customer)
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
        _ = try await store.makeOfferCodes(order, of: bundleID)
        let customer = try await store.customer(account: Self.name, bundleID: bundleID)
        _ = try await store.redeem(Self.code, idempotencyKey: nil, by: customer)
    }

    private func newest(_ id: TransactionID) async throws -> TransactionID {
        try await store.subscriptionStanding(id).transaction.id
    }
}
