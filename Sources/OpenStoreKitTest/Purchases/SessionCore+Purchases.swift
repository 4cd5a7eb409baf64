import Foundation
import OpenStoreKit
import Perennial
import PerennialStorage
import PerennialStore

extension SessionCore {
    /// Buys a product as if outside of the app, on another device of the customer.
    ///
    /// - Throws: ``SKTestError``; `.invalidAction` if the purchase waits for approval or is interrupted.
    func buy(
        _ productID: String, options: Set<OpenStoreKit.Product.PurchaseOption> = []
    ) async throws -> Perennial.Transaction {
        guard let product = configuration.app.products.first(where: { $0.id.rawValue == productID }) else {
            throw SKTestError(.invalidProductIdentifier, "\(productID): the configuration file has no such product")
        }
        let purchase = try TestPurchase(product, options: options)
        let request = PurchaseRequest(
            productID: product.id, quantity: purchase.quantity,
            applicationUsername: purchase.appAccountToken?.uuidString.lowercased(),
            offerID: try purchase.offer.map { try offerID($0, of: product) }, offerKind: purchase.offer?.kind,
            claim: purchase.claim)
        guard let date = purchase.date else { return try await buy(request) }
        return try await buy(request, at: date, renewsUntilNow: purchase.renewsUntilNow, of: product)
    }

    private func buy(_ request: PurchaseRequest) async throws -> Perennial.Transaction {
        try await schedule.bringUpToDate()
        let outcome = try await store.askToBuy.buy(
            request, token: try await deviceToken(), isSimulated: settings.asksToBuy)
        switch outcome {
        case .sold(let transaction, _): return transaction
        case .waiting:
            throw SKTestError(.invalidAction, "\(request.productID): the purchase waits for approval")
        }
    }

    /// Buys at a date in the past, and lets the subscription run up to the present.
    private func buy(
        _ request: PurchaseRequest, at date: Date, renewsUntilNow: Bool, of product: Perennial.Product
    ) async throws -> Perennial.Transaction {
        let (present, mode) = (time.now, time.mode)
        guard Instant(date) <= present else {
            throw SKTestError(.invalidAction, "\(date): a purchase is made now or in the past")
        }
        // Requests wait meanwhile: the store's time is another one.
        return try await gate.alone { [self] in
            time.stop()
            time.move(to: Instant(date))
            let bought: Result<Perennial.Transaction, any Error>
            do {
                let transaction = try await buy(request)
                if product.type == .autoRenewable, !renewsUntilNow {
                    _ = try await store.subscriptions.perform(.setAutoRenew(false), on: transaction.originalID)
                }
                bought = .success(transaction)
            } catch {
                bought = .failure(error)
            }
            // Also after an error: the clock must not stay in the past.
            defer { time.mode = mode }
            try await schedule.advance(to: present)
            return try bought.get()
        }
    }

    /// Returns the token of the customer's other device.
    private func deviceToken() async throws -> String {
        if let token = withState({ $0.deviceToken }) { return token }
        let session = try await store.accounts.signIn(
            account: Self.account, password: nil, deviceID: StoreHost.uuid().uuidString, bundleID: bundleID,
            applicationVersion: nil)
        withState { $0.deviceToken = session.token }
        return session.token
    }

    /// Returns a code for one redemption of the offer with a reference name, as Xcode's sheet lists them; the text itself if no product
    /// has such an offer.
    func code(enteredAs text: String) async throws -> String {
        for product in configuration.app.products {
            let offers = product.subscription?.codeOffers ?? []
            guard let offer = offers.first(where: { $0.referenceName == text || $0.id == text }), let id = offer.id
            else { continue }
            let order = OfferCodeOrder(productID: product.id, offerID: id, kind: .oneTime(count: 1))
            return try await store.offers.makeCodes(order, of: bundleID).first?.code.code ?? text
        }
        return text
    }

    private func offerID(_ offer: TestPurchase.Offer, of product: Perennial.Product) throws -> String {
        let (offers, name): ([Perennial.Offer], String) =
            switch offer {
            case .promotional(let id): (product.subscription?.promotionalOffers ?? [], id)
            case .code(let name): (product.subscription?.codeOffers ?? [], name)
            case .winBack(let id): (product.subscription?.winBackOffers ?? [], id)
            }
        guard let found = offers.first(where: { $0.id == name || $0.referenceName == name }), let id = found.id else {
            throw SKTestError(.invalidAction, "\(product.id) has no offer \(name)")
        }
        return id
    }
}
