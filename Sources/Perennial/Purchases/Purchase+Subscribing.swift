extension Purchase {
    /// Buys an auto-renewable subscription: the first in its group, a change of plan, or a return.
    static func subscribe(
        _ request: PurchaseRequest, _ situation: PurchaseSituation, _ now: Instant, _ id: () throws -> Int64
    ) throws -> Purchase {
        let product = situation.product
        let storefront = situation.storefront
        guard let plan = SubscriptionPlan(product, in: storefront) else {
            throw PurchaseRefusal(.productNotAvailable, product.id, "the subscription has no price in this store")
        }
        let context = situation.subscriptionContext
        let date = now.wholeSeconds
        do {
            let offers = try (situation.provenOffer ?? request.offer(for: product)).terms(
                for: product, in: storefront,
                GroupSubscriptions(own: situation.subscription, shared: situation.shared), at: date, context.timing)
            let decision =
                try situation.subscription?.decide(.purchase(plan, offers: offers), at: date, in: context, id: id)
                ?? Subscription.first(
                    plan, offers: offers,
                    for: Subscriber(situation.account.id, applicationUsername: request.applicationUsername), at: date,
                    in: context, id: id)
            if let price = decision.price, price.milliunits > 0, situation.account.paymentMethod == .declined {
                throw PurchaseRefusal(
                    .paymentDeclined, product.id, "the payment method was declined; nothing was charged")
            }
            return Purchase(
                transaction: try transaction(of: decision, in: situation), outcome: .subscribed(decision))
        } catch let error as SubscriptionError {
            throw PurchaseRefusal(error, of: product.id)
        } catch let error as OfferError {
            throw PurchaseRefusal(error, of: product.id)
        }
    }

    private static func transaction(
        of decision: SubscriptionDecision, in situation: PurchaseSituation
    ) throws -> Transaction {
        if let sold = decision.transactions.last { return sold }
        let running = decision.subscription.current.transactionID
        guard let transaction = situation.history.last(where: { $0.id == running }) else {
            throw PurchaseRefusal(.productNotAvailable, situation.product.id, "the running period is not known")
        }
        return transaction
    }
}

extension PurchaseRequest {
    /// Which offer is asked for: the one named, whatever kind it is, else the introductory one for whoever may have it.
    fileprivate func offer(for product: Product) -> OfferRequest {
        guard let offerID, let offers = product.subscription else { return .automatic() }
        if offers.codeOffers.contains(where: { $0.id == offerID }) { return .code(offerID: offerID) }
        if offers.winBackOffers.contains(where: { $0.id == offerID }) { return .winBack(id: offerID) }
        return .promotional(id: offerID)
    }
}

extension PurchaseRefusal {
    fileprivate init(_ error: SubscriptionError, of product: Product.ID) {
        let code: Code =
            switch error.code {
            case .alreadySubscribed: .alreadySubscribed
            case .offerNotAvailable: .offerNotAvailable
            default: .productNotAvailable
            }
        self.init(code, product, error.reason)
    }

    /// An offer that is not granted, as a refusal of the purchase that asked for it: nobody is charged the full price
    /// instead.
    package init(_ error: OfferError, of product: Product.ID) {
        let code: Code =
            switch error.code {
            case .unknownOffer: .offerNotFound
            case .notEligible, .alreadyUsed: .offerNotAvailable
            case .signatureInvalid, .signatureExpired, .wrongSubject: .offerSignatureInvalid
            case .priceTooHigh: .offerPriceInvalid
            case .codeExpired, .codeExhausted, .unknownCode: .codeNotRedeemable
            }
        self.init(code, product, error.reason)
    }
}

extension Subscription {
    /// Where a product of the group is sold to the customer. Who moved takes along what runs, and with it what waits for its
    /// next renewal; whatever begins now is sold where the account is.
    package func storefront(of product: Product, accountIn home: Storefront) -> Storefront {
        guard let plan = SubscriptionPlan(product, in: home) else { return home }
        switch state {
        case .active, .gracePeriod, .billingRetry:
            return plan.change(from: self.product) == .immediate ? home : storefront
        case .expired, .revoked: return home
        }
    }
}

extension PurchaseSituation {
    fileprivate var storefront: Storefront {
        subscription?.storefront(of: product, accountIn: account.storefront) ?? account.storefront
    }

    /// What the rules of subscriptions need to know of the environment and the app.
    package var subscriptionContext: SubscriptionContext {
        SubscriptionContext(
            timing: billing.timing(environment.kind, tester: account.renewalRate), billing: billing.policy,
            terms: app.saleTerms, sales: sales)
    }
}
