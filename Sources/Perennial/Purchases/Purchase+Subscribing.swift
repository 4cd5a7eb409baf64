extension Purchase {
    /// Buys an auto-renewable subscription: the first in its group, a change of plan, or a return.
    static func subscribe(
        _ request: PurchaseRequest, _ context: PurchaseContext, _ now: Instant, _ id: () throws -> Int64
    ) throws -> Purchase {
        let product = context.product
        let storefront = context.storefront
        guard let plan = SubscriptionPlan(product, in: storefront) else {
            throw PurchaseRefusal(.productNotAvailable, product.id, "the subscription has no price in this store")
        }
        let rules = context.subscriptionContext
        let date = now.wholeSeconds
        do {
            let offers = try (context.provenOffer ?? request.offer(for: product)).terms(
                for: product, in: storefront,
                GroupSubscriptions(own: context.subscription, shared: context.shared), at: date, rules.timing)
            // The username of the newest purchase goes with the periods that follow.
            let subscription = context.subscription.map { known in
                request.applicationUsername.map(known.named) ?? known
            }
            let decision =
                try subscription?.decide(.purchase(plan, offers: offers), at: date, in: rules, id: id)
                ?? Subscription.first(
                    plan, offers: offers,
                    for: Subscriber(context.account.id, applicationUsername: request.applicationUsername), at: date,
                    in: rules, id: id)
            if let price = decision.price { try context.expectPayment(of: price) }
            return Purchase(
                transaction: try transaction(of: decision, in: context), outcome: .subscribed(decision))
        } catch let error as SubscriptionError {
            throw PurchaseRefusal(error, of: product.id)
        } catch let error as OfferError {
            throw PurchaseRefusal(error, of: product.id)
        }
    }

    private static func transaction(
        of decision: SubscriptionDecision, in context: PurchaseContext
    ) throws -> Transaction {
        if let sold = decision.transactions.last { return sold }
        let running = decision.subscription.current.transactionID
        guard let transaction = context.history.last(where: { $0.id == running }) else {
            throw PurchaseRefusal(.productNotAvailable, context.product.id, "the running period is not known")
        }
        return transaction
    }
}

extension PurchaseRequest {
    /// Returns the requested offer, or the introductory offer if the customer is eligible.
    ///
    /// Without a kind the named offer of any kind: a code's also by its reference name, then a win-back offer, then a promotional one.
    fileprivate func offer(for product: Product) -> OfferRequest {
        guard let offerID, let offers = product.subscription else { return .automatic() }
        func code() -> OfferRequest? {
            let named =
                offers.codeOffers.first { $0.id == offerID } ?? offers.codeOffers.first { $0.referenceName == offerID }
            return named?.id.map { .code(offerID: $0) }
        }
        switch offerKind {
        case .introductory: return .automatic()
        case .promotional: return .promotional(id: offerID)
        case .code: return code() ?? .code(offerID: offerID)
        case .winBack: return .winBack(id: offerID)
        case nil:
            if let code = code() { return code }
            if offers.winBackOffers.contains(where: { $0.id == offerID }) { return .winBack(id: offerID) }
            return .promotional(id: offerID)
        }
    }

    /// The requested offer of a product that doesn't renew, of which there are offers of codes only; `nil` without one.
    var oneTimeOffer: OfferRequest? {
        guard let offerID else { return nil }
        return switch offerKind {
        case .introductory: nil
        case .promotional: .promotional(id: offerID)
        case .winBack: .winBack(id: offerID)
        case .code, nil: .code(offerID: offerID)
        }
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

    /// Creates a refusal from an offer that isn't granted. The customer is not charged the full price instead.
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
    /// Returns the storefront in which a product of the group is sold. Running subscriptions and pending changes keep
    /// the storefront they were bought in; a period that begins now is sold in the account's.
    package func storefront(of product: Product, accountIn home: Storefront) -> Storefront {
        guard let plan = SubscriptionPlan(product, in: home) else { return home }
        switch state {
        case .active, .gracePeriod, .billingRetry:
            return plan.change(from: self.product) == .immediate ? home : storefront
        case .expired, .revoked: return home
        }
    }
}

extension PurchaseContext {
    fileprivate var storefront: Storefront {
        subscription?.storefront(of: product, accountIn: account.storefront) ?? account.storefront
    }

    /// The subscription rules' context of the environment and the app.
    package var subscriptionContext: SubscriptionContext {
        SubscriptionContext(
            timing: billing.timing(environment.kind, tester: account.renewalRate),
            billing: billing.policy(environment.kind),
            terms: app.saleTerms, sales: sales)
    }
}
