import Foundation
import HTTPTypes

extension Product {
    /// Buys the product.
    ///
    /// The connection's payment sheet asks the customer first. A transaction that the store doesn't sign with a trusted certificate
    /// is in the result as unverified. The app finishes the transaction after it has given access.
    ///
    /// If the store's answer is lost, this throws, and a repeated purchase with equal options continues the lost one: the store
    /// charges once. Subscribers who buy what they have get their running transaction.
    ///
    /// Apple's function is isolated to the main actor, which shows its payment sheet. This one takes the same calls from every
    /// isolation, and one from elsewhere doesn't wait for the main thread.
    ///
    /// - Throws: ``PurchaseError`` or ``StoreKitError``.
    ///
    /// Source: Apple, StoreKit documentation, "purchase(options:)".
    public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
        guard let connection = origin.connection else { throw PurchaseError.productUnavailable }
        if let error = connection.simulatedErrors.error(for: .purchase) {
            // In StoreKit 2 a customer who cancels is no error.
            if (error as? SKError)?.code == .paymentCancelled { return .userCancelled }
            throw PurchaseError.thrown(for: error)
        }
        return try await Sale(product: self, connection: connection).run(options)
    }
}

/// One purchase.
private struct Sale {
    let product: Product
    let connection: StoreConnection

    func run(_ options: Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult {
        let terms = try PurchaseTerms(options, type: product.type)
        let details = StoreConnection.PaymentDetails(
            productIdentifier: product.id, quantity: terms.quantity, product: connection.knownProducts[product.id],
            offerIdentifier: terms.offer?.identifier)
        guard await connection.paymentSheet.confirm(details) == .buy else { return .userCancelled }
        try await askAboutStorefront(terms.questions)
        let order = SaleOrder(productID: product.id, terms: terms, asksToBuy: connection.asksToBuy)
        do {
            // Until its end the transaction is this call's and not news for listeners.
            return try await connection.transactionSync.duringPurchase { try await send(order) }
        } catch let error as StoreKitError {
            throw error
        } catch {
            return try await result(of: error)
        }
    }

    /// Sends an order, and records the transaction before it returns.
    private func send(_ order: SaleOrder) async throws -> Product.PurchaseResult {
        let keys = connection.purchaseKeys
        let key = keys.key(for: order) { connection.dependencies.uniqueName() }
        var order = order
        order.idempotencyKey = key.text
        let before = key.isRepeated ? connection.vault.contents : nil
        let answer: SaleAnswer
        do {
            answer = try await connection.store.purchase(order)
        } catch {
            let failure = StoreFailure(wrapping: error)
            guard failure.isAmbiguous || error is CancellationError else {
                keys.end(key)
                // An earlier attempt was refused for good, and this purchase is a new one.
                if key.isRepeated, failure.decidesPurchase { return try await send(order.withoutKey) }
                throw error
            }
            keys.keep(key)
            throw error
        }
        keys.end(key)
        guard case .sold(let sold) = answer else { return .pending }
        if let before, sold.isFinished || before.transaction(sold.id) != nil {
            // The lost purchase has arrived by itself, and this purchase is a new one.
            return try await send(order.withoutKey)
        }
        return .success(try await connection.recordPurchase(sold))
    }

    /// Asks the app whether to continue if the storefront has changed since the product was loaded.
    private func askAboutStorefront(_ questions: [Product.StorefrontQuestion]) async throws {
        guard !questions.isEmpty else { return }
        do {
            try await connection.store.refreshStorefront()
        } catch {
            throw StoreKitError(wrapping: error)
        }
        guard let storefront = connection.store.storefront, let before = product.origin.countryCode,
            storefront.countryCode != before
        else { return }
        guard questions.allSatisfy({ $0.shouldContinue(Storefront(storefront)) }) else {
            throw StoreKitError.notAvailableInStorefront
        }
    }

    /// Returns the outcome of a refused purchase, or throws StoreKit's error for it.
    private func result(of error: any Error) async throws -> Product.PurchaseResult {
        let failure = StoreFailure(wrapping: error)
        switch failure.storeErrorCode {
        // The customer must act outside of the app; the purchase then arrives by itself.
        case "purchaseInterrupted": return .pending
        case "alreadySubscribed":
            await connection.synchronize()
            if let running = await product.latestTransaction { return .success(running) }
        default: break
        }
        throw Product.PurchaseError(failure) ?? StoreKitError(wrapping: error)
    }
}

extension Product.PurchaseError {
    /// Reads the store's refusal; `nil` for one that is no error of the purchase's terms.
    init?(_ failure: StoreFailure) {
        switch failure.storeErrorCode {
        case "quantityOutOfRange": self = .invalidQuantity
        case "productNotAvailable", "newsstandOnly": self = .productUnavailable
        case "paymentsNotAllowed", "termStillRunning", "alreadySubscribed": self = .purchaseNotAllowed
        case "offerNotAvailable": self = .ineligibleForOffer
        case "offerNotFound": self = .invalidOfferIdentifier
        case "offerSignatureInvalid": self = .invalidOfferSignature
        case "missingOfferParameters": self = .missingOfferParameters
        case "offerPriceInvalid": self = .invalidOfferPrice
        default: return nil
        }
    }
}

extension SaleOrder {
    fileprivate var withoutKey: SaleOrder {
        var order = self
        order.idempotencyKey = ""
        return order
    }
}

extension StoreProtocolClient {
    /// Sends a purchase of StoreKit 2.
    nonisolated func purchase(_ order: SaleOrder) async throws -> SaleAnswer {
        if let sold = try? await sellInProcess(order) { return .sold(sold) }
        let answer: PurchaseAnswer = try await call(.post, "store/v1/purchases", order)
        guard let transaction = answer.transaction else {
            guard answer.state == "deferred" else {
                throw StoreFailure(.unknown, message: "the store's answer has no transaction")
            }
            return .waits
        }
        return .sold(try SoldTransaction(transaction))
    }

    /// Buys from a store in this process.
    ///
    /// - Returns: `nil` for a store elsewhere, and for a purchase that only goes as text.
    private nonisolated func sellInProcess(_ order: SaleOrder) async throws -> SoldTransaction? {
        guard let store = http.transport.inProcess, order.offer == nil, !order.simulatesAskToBuy,
            let token = session?.token
        else { return nil }
        let order = InProcessOrder(
            productID: order.productId, quantity: order.quantity, appAccountToken: order.appAccountToken,
            idempotencyKey: order.idempotencyKey)
        return SoldTransaction(try await store.sell(order, token: token))
    }
}
