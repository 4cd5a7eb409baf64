/// What the store knows when it decides about a purchase.
package struct PurchaseSituation: Sendable {
    package var environment: StoreEnvironment
    package var app: App
    package var product: Product
    package var account: Account
    /// What the account has bought before that bears on this purchase: of the same product, or of the same subscription
    /// group; oldest first.
    package var history: [Transaction]
    /// The account's subscription in the product's group, if there is or was one.
    package var subscription: Subscription?
    /// The offer that the customer claimed and the store found proven; `nil` where the request claims none.
    package var provenOffer: OfferRequest?
    /// How subscription time and billing run.
    package var billing: BillingSettings

    package init(
        environment: StoreEnvironment, app: App, product: Product, account: Account, history: [Transaction],
        subscription: Subscription? = nil, provenOffer: OfferRequest? = nil,
        billing: BillingSettings = BillingSettings()
    ) {
        self.environment = environment
        self.app = app
        self.product = product
        self.account = account
        self.history = history
        self.subscription = subscription
        self.provenOffer = provenOffer
        self.billing = billing
    }
}

/// What a purchase makes.
package struct Purchase: Hashable, Sendable {
    /// What the customer is told of: the new transaction, or the running one where a change of plan waits for its end.
    package var transaction: Transaction
    package var outcome: Outcome

    package enum Outcome: Hashable, Sendable {
        /// A sale, with the journal entry that tells of it.
        case sold(JournalEntry)
        /// What becomes of a subscription.
        case subscribed(SubscriptionDecision)
    }

    /// Decides a purchase.
    ///
    /// - Parameters:
    ///   - id: Names for what is made; each call takes a new one.
    ///   - now: An instant of the store's clock.
    /// - Throws: ``PurchaseRefusal``; then nothing is charged.
    package static func decide(
        _ request: PurchaseRequest, in situation: PurchaseSituation, at now: Instant, id: () throws -> Int64
    ) throws -> Purchase {
        let product = situation.product
        let unitPrice = try unitPriceOfSold(request, in: situation)
        let inForce = situation.history.last { $0.productID == product.id && $0.isInForce(at: now) }
        switch product.type {
        case .consumable:
            return try make(request, situation, unitPrice, now, id)
        case .nonConsumable, .free:
            // Re-buying what is owned charges nothing and is a transaction of its own (StoreKit: duplicates).
            return try make(request, situation, unitPrice, now, id, again: inForce)
        case .nonRenewing:
            try refuseOverlap(situation, now)
            return try make(request, situation, unitPrice, now, id)
        case .autoRenewable:
            return try subscribe(request, situation, now, id)
        }
    }

    private static func unitPriceOfSold(_ request: PurchaseRequest, in situation: PurchaseSituation) throws -> Money {
        let product = situation.product
        let allowed = product.type == .consumable ? PurchaseRequest.quantities : 1...1
        guard allowed.contains(request.quantity) else {
            throw PurchaseRefusal(
                .quantityOutOfRange, product.id,
                product.type == .consumable ? "a quantity is 1 to 10" : "a product of this type is bought one at a time"
            )
        }
        guard situation.environment.sells(product), let price = product.price(in: situation.account.storefront) else {
            throw PurchaseRefusal(.productNotAvailable, product.id, "the product is not for sale in this store")
        }
        if product.type == .free, !situation.app.isNewsstand {
            throw PurchaseRefusal(.newsstandOnly, product.id, "free subscriptions are sold in Newsstand apps only")
        }
        guard situation.account.canMakePayments else {
            throw PurchaseRefusal(.paymentsNotAllowed, product.id, "this account may not make payments")
        }
        return price
    }

    /// Two terms of a non-renewing subscription never overlap: the seller chooses whether the second is refused, or starts
    /// when the first ends. Where neither ID nor configuration says a term, the store can't tell and sells, as Apple's does.
    private static func refuseOverlap(_ situation: PurchaseSituation, _ now: Instant) throws {
        let policy = situation.app.nonRenewing
        guard policy.overlap == .refuse, let term = policy.terms.term(of: situation.product.id) else { return }
        let running = situation.history.last {
            $0.productID == situation.product.id && $0.revocation == nil && now < term.end(after: $0.purchaseDate)
        }
        if let running {
            let end = term.end(after: running.purchaseDate).rfc3339()
            throw PurchaseRefusal(
                .termStillRunning, situation.product.id,
                "the term bought before runs until \(end); buy again after that")
        }
    }

    private static func make(
        _ request: PurchaseRequest, _ situation: PurchaseSituation, _ unitPrice: Money, _ now: Instant,
        _ id: () throws -> Int64, again owned: Transaction? = nil
    ) throws -> Purchase {
        let product = situation.product
        let price = owned == nil ? unitPrice * request.quantity : .zero(unitPrice.currency)
        if price.milliunits > 0, situation.account.paymentMethod == .declined {
            throw PurchaseRefusal(.paymentDeclined, product.id, "the payment method was declined; nothing was charged")
        }
        let number = TransactionID(rawValue: try id())
        // Receipts carry whole seconds; a purchase is dated so that every protocol says the same instant.
        let date = now.wholeSeconds
        let transaction = Transaction(
            id: number, originalID: owned?.originalID ?? number, accountID: situation.account.id, productID: product.id,
            type: product.type, quantity: request.quantity, purchaseDate: date,
            originalPurchaseDate: owned?.originalPurchaseDate ?? date, price: price,
            storefront: situation.account.storefront, ownership: owned?.ownership ?? .purchased,
            applicationUsername: request.applicationUsername)
        let entry = JournalEntry(
            owned == nil ? .purchased : .boughtAgain, at: now, transaction,
            postings: situation.app.saleTerms.postings(forSaleAt: price))
        return Purchase(transaction: transaction, outcome: .sold(entry))
    }
}
