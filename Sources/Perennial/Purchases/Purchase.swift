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
    /// What the family shares with the account in that group, or did.
    package var shared: [Subscription]
    /// What the sales of the subscription's running periods moved, by transaction: an upgrade gives some of it back.
    package var sales: [TransactionID: [Posting]]
    /// The offer that the customer claimed and the store found proven; `nil` where the request claims none.
    package var provenOffer: OfferRequest?
    /// What the account has paid for in the app before; only where the request asks for an offer.
    package var spending: CustomerSpending
    /// How subscription time and billing run.
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
        guard product.type != .autoRenewable else { return try subscribe(request, situation, now, id) }
        let sale = try sale(of: request, situation, at: unitPrice, now)
        let inForce = situation.history.last { $0.productID == product.id && $0.isInForce(at: now) }
        switch product.type {
        case .nonConsumable, .free:
            if inForce != nil, sale.offer != nil {
                throw PurchaseRefusal(
                    .offerNotAvailable, product.id, "the customer owns the product; the code stays good")
            }
            // Re-buying what is owned charges nothing and is a transaction of its own (StoreKit: duplicates).
            return try make(request, situation, sale, now, id, again: inForce)
        case .nonRenewing: try refuseOverlap(situation, now)
        case .consumable, .autoRenewable: break
        }
        return try make(request, situation, sale, now, id)
    }

    /// At what price a product that doesn't renew is sold, and under which offer.
    private struct Sale {
        var unitPrice: Money
        var offer: OneTimeOffer?
    }

    private static func sale(
        of request: PurchaseRequest, _ situation: PurchaseSituation, at unitPrice: Money, _ now: Instant
    ) throws -> Sale {
        let product = situation.product
        let asked = situation.provenOffer ?? request.offerID.map { OfferRequest.code(offerID: $0) } ?? .automatic()
        do {
            guard let offer = try asked.oneTimeOffer(for: product, situation.spending, at: now) else {
                return Sale(unitPrice: unitPrice)
            }
            guard request.quantity == 1 else {
                throw PurchaseRefusal(.quantityOutOfRange, product.id, "an offer is for one of the product")
            }
            guard let price = offer.price(in: situation.account.storefront) else {
                throw OfferError(.unknownOffer, offer.id, "the product has no such offer in this store")
            }
            return Sale(unitPrice: price, offer: offer)
        } catch let error as OfferError {
            throw PurchaseRefusal(error, of: product.id)
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
        let sold = situation.history.filter { $0.productID == situation.product.id && $0.revocation == nil }
        // What was sold though it overlaps follows: it was bought while the earlier one was refunded, and that was undone.
        let queued = NonRenewingTerms(
            of: sold.map(VerifiedPurchase.init),
            policy: NonRenewingPolicy(
                overlap: .extend, terms: TermRules(configured: [situation.product.id: term], readsProductIDs: false)))
        guard let last = queued.terms.last, now < last.end else { return }
        throw PurchaseRefusal(
            .termStillRunning, situation.product.id,
            "the term bought before runs until \(last.end.rfc3339()); buy again after that")
    }

    private static func make(
        _ request: PurchaseRequest, _ situation: PurchaseSituation, _ sale: Sale, _ now: Instant,
        _ id: () throws -> Int64, again owned: Transaction? = nil
    ) throws -> Purchase {
        let product = situation.product
        let price = owned == nil ? sale.unitPrice * request.quantity : .zero(sale.unitPrice.currency)
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
            offer: sale.offer?.applied, applicationUsername: request.applicationUsername)
        let entry = JournalEntry(
            owned == nil ? .purchased : .boughtAgain, at: now, transaction,
            postings: situation.app.saleTerms.postings(forSaleAt: price))
        return Purchase(transaction: transaction, outcome: .sold(entry))
    }
}
