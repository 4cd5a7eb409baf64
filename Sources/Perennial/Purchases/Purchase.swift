/// The store's knowledge at the time of a purchase.
package struct PurchaseContext: Sendable {
    package var environment: StoreEnvironment
    package var app: App
    package var product: Product
    package var account: Account
    /// The account's earlier transactions of the same product or subscription group, oldest first.
    package var history: [Transaction]
    /// The account's subscription in the product's group, also after its end.
    package var subscription: Subscription?
    /// The member subscriptions of the account in that group, also after their end.
    package var shared: [Subscription]
    /// The postings of the running periods' sales, by transaction. An upgrade refunds a share of them.
    package var sales: [TransactionID: [Posting]]
    /// The customer's proven offer; `nil` if the request claims none.
    package var provenOffer: OfferRequest?
    /// The account's earlier spending in the app; only if the request asks for an offer.
    package var spending: CustomerSpending
    /// Settings of renewal rate and billing.
    package var billing: BillingSettings

    package init(
        environment: StoreEnvironment, app: App, product: Product, account: Account, history: [Transaction],
        subscription: Subscription? = nil, shared: [Subscription] = [], sales: [TransactionID: [Posting]] = [:],
        provenOffer: OfferRequest? = nil, spending: CustomerSpending = CustomerSpending(),
        billing: BillingSettings = BillingSettings()
    ) {
        self.environment = environment
        self.app = app
        self.product = product
        self.account = account
        self.history = history
        self.subscription = subscription
        self.shared = shared
        self.sales = sales
        self.provenOffer = provenOffer
        self.spending = spending
        self.billing = billing
    }
}

/// The result of a purchase.
package struct Purchase: Hashable, Sendable {
    /// The transaction to report: the new one, or the running one if a change of plan waits for its end.
    package var transaction: Transaction
    package var outcome: Outcome

    package enum Outcome: Hashable, Sendable {
        /// A sale with its journal entry.
        case sold(JournalEntry)
        /// A decision about a subscription.
        case subscribed(SubscriptionDecision)
    }

    /// Decides a purchase.
    ///
    /// - Parameters:
    ///   - id: Returns a new ID at each call.
    ///   - now: An instant of the store's clock.
    /// - Throws: ``PurchaseRefusal``; then nothing is charged.
    package static func decide(
        _ request: PurchaseRequest, in context: PurchaseContext, at now: Instant, id: () throws -> Int64
    ) throws -> Purchase {
        let product = context.product
        if request.isGrant { try expectGrantable(request, product) }
        let unitPrice = try unitPrice(of: request, in: context)
        guard product.type != .autoRenewable else { return try subscribe(request, context, now, id) }
        let sale = try sale(of: request, context, at: unitPrice, now)
        let inForce = context.history.last { $0.productID == product.id && $0.isInForce(at: now) }
        switch product.type {
        case .nonConsumable, .free:
            if inForce != nil, sale.offer != nil {
                throw PurchaseRefusal(
                    .offerNotAvailable, product.id, "the customer owns the product; the code stays good")
            }
            // Buying an owned product again charges nothing and makes a new transaction (StoreKit: duplicates).
            return try make(request, context, sale, now, id, repeating: inForce)
        case .nonRenewing: try refuseOverlap(context, now)
        case .consumable, .autoRenewable: break
        }
        return try make(request, context, sale, now, id)
    }

    /// The price and the offer of a product that doesn't renew.
    private struct Sale {
        var unitPrice: Money
        var offer: OneTimeOffer?
    }

    private static func sale(
        of request: PurchaseRequest, _ context: PurchaseContext, at unitPrice: Money, _ now: Instant
    ) throws -> Sale {
        let product = context.product
        let asked = context.provenOffer ?? request.oneTimeOffer ?? .automatic()
        do {
            guard
                let offer = try asked.oneTimeOffer(
                    for: product, in: context.account.storefront, context.spending, at: now)
            else {
                return Sale(unitPrice: unitPrice)
            }
            guard request.quantity == 1 else {
                throw PurchaseRefusal(.quantityOutOfRange, product.id, "an offer is for one of the product")
            }
            guard let price = offer.price(in: context.account.storefront) else {
                throw OfferError(.unknownOffer, offer.id, "the product has no such offer in this store")
            }
            return Sale(unitPrice: price, offer: offer)
        } catch let error as OfferError {
            throw PurchaseRefusal(error, of: product.id)
        }
    }

    private static func unitPrice(of request: PurchaseRequest, in context: PurchaseContext) throws -> Money {
        let product = context.product
        let allowed = product.type == .consumable ? PurchaseRequest.quantities : 1...1
        guard allowed.contains(request.quantity) else {
            throw PurchaseRefusal(
                .quantityOutOfRange, product.id,
                product.type == .consumable ? "a quantity is 1 to 10" : "a product of this type is bought one at a time"
            )
        }
        guard product.isPriced || context.environment.isForTests else {
            throw PurchaseRefusal(
                .productNotAvailable, product.id,
                "the product has no price: give it one in the catalog, or with perennial prices set")
        }
        let storefront = context.account.storefront
        guard context.environment.sells(product, in: storefront), let price = product.price(in: storefront) else {
            throw PurchaseRefusal(.productNotAvailable, product.id, "the product is not for sale in this store")
        }
        if product.type == .free, !context.app.isNewsstand {
            throw PurchaseRefusal(.newsstandOnly, product.id, "free subscriptions are sold in Newsstand apps only")
        }
        // A grant charges nothing.
        if request.isGrant { return .zero(price.currency) }
        guard context.account.canMakePayments else {
            throw PurchaseRefusal(.paymentsNotAllowed, product.id, "this account may not make payments")
        }
        return price
    }

    /// Refuses to grant a product that renews, whose later periods would be charged, and a grant with an offer.
    private static func expectGrantable(_ request: PurchaseRequest, _ product: Product) throws {
        guard product.type != .autoRenewable else {
            throw PurchaseRefusal(
                .productNotAvailable, product.id,
                "an auto-renewable subscription isn't granted: extend a running one without charge instead")
        }
        guard request.offerID == nil, request.claim == nil else {
            throw PurchaseRefusal(.offerNotAvailable, product.id, "a grant costs nothing and takes no offer")
        }
    }

    /// Refuses an overlapping term of a non-renewing subscription, unless the seller lets it start after the first.
    /// If neither ID nor configuration gives a term, the store sells, as Apple's does.
    private static func refuseOverlap(_ context: PurchaseContext, _ now: Instant) throws {
        let policy = context.app.nonRenewing
        guard policy.overlap == .refuse, let term = policy.terms.term(of: context.product.id) else { return }
        let sold = context.history.filter { $0.productID == context.product.id && $0.revocation == nil }
        // An overlapping sale follows the earlier one: it was made while that was refunded, and the refund was
        // reversed.
        let queued = NonRenewingTerms(
            of: sold.map(VerifiedPurchase.init),
            policy: NonRenewingPolicy(
                overlap: .extend, terms: TermRules(configured: [context.product.id: term], readsProductIDs: false)))
        guard let last = queued.terms.last, now < last.end else { return }
        throw PurchaseRefusal(
            .termStillRunning, context.product.id,
            "the term bought before runs until \(last.end.rfc3339()); buy again after that")
    }

    private static func make(
        _ request: PurchaseRequest, _ context: PurchaseContext, _ sale: Sale, _ now: Instant,
        _ id: () throws -> Int64, repeating owned: Transaction? = nil
    ) throws -> Purchase {
        let product = context.product
        let price = owned == nil ? sale.unitPrice * request.quantity : .zero(sale.unitPrice.currency)
        try context.expectPayment(of: price)
        let number = TransactionID(rawValue: try id())
        // Receipts carry whole seconds. A purchase has a whole second, so that all protocols report the same instant.
        let date = now.wholeSeconds
        let transaction = Transaction(
            id: number, originalID: owned?.originalID ?? number, accountID: context.account.id, productID: product.id,
            type: product.type, quantity: request.quantity, purchaseDate: date,
            originalPurchaseDate: owned?.originalPurchaseDate ?? date, price: price,
            storefront: context.account.storefront, ownership: owned?.ownership ?? .purchased,
            offer: sale.offer?.applied, applicationUsername: request.applicationUsername)
        let entry = JournalEntry(
            owned == nil ? .purchased : .boughtAgain, at: now, transaction,
            postings: owned == nil
                ? context.app.saleTerms.postings(
                    forSaleAt: sale.unitPrice, quantity: request.quantity, in: context.account.storefront) : [])
        return Purchase(transaction: transaction, outcome: .sold(entry))
    }
}
