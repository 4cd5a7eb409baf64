import Perennial

/// Rules that hold for every customer at any time.
extension CustomerState {
    func check(at now: Instant, in environment: StoreEnvironment, _ seller: SellerModel) throws(Violation) {
        for row in rows { try checkPrice(of: row.transaction, seller) }
        try checkRepeats()
        // Member subscriptions come on top of the customer's own.
        let own = subscriptions.filter { $0.ownership == .purchased }
        guard Set(own.map(\.groupID)).count == own.count else {
            throw Violation(.severalActive, "account \(account.id.rawValue) has two subscriptions in a group")
        }
        for subscription in subscriptions {
            let periods = periods(of: subscription)
            try checkPeriods(periods, of: subscription)
            try checkAccess(periods, of: subscription, at: now)
            try checkDue(subscription, at: now, clock: environment.clock)
            try checkOffers(periods, of: subscription)
            try checkGrace(of: subscription, at: now, in: environment)
            try checkRenewals(of: subscription, in: environment)
        }
        let orders = rows.compactMap(\.transaction.webOrderLineItemID)
        guard Set(orders).count == orders.count else {
            throw Violation(.paidTwice, "account \(account.id.rawValue) has an order line twice")
        }
        let redeemed = rows.map(\.transaction).filter { $0.offer?.paymentMode == .oneTime }.map(\.productID)
        guard Set(redeemed).count == redeemed.count else {
            throw Violation(.offerAgain, "account \(account.id.rawValue) redeemed an offer of \(redeemed) twice")
        }
        try checkSharing(at: now)
    }

    private func checkPrice(of transaction: Transaction, _ seller: SellerModel) throws(Violation) {
        guard transaction.storefront.currency == transaction.price.currency else {
            throw Violation(
                .wrongCharge, "\(transaction.id) cost \(transaction.price) in \(transaction.storefront.rawValue)")
        }
        let isAgain = transaction.type != .autoRenewable && transaction.originalID != transaction.id
        let isFree = isAgain || transaction.ownership == .familyShared
        let prices = isFree ? [.zero(transaction.price.currency)] : try prices(of: transaction, seller)
        guard CommonRules.isCharged(transaction.price, for: transaction.quantity, among: prices) else {
            throw Violation(
                .wrongCharge, "\(transaction.id), \(transaction.productID), cost \(transaction.price), not \(prices)")
        }
    }

    /// The prices that a transaction may have: that of its offer, or those that the storefront has ever had.
    private func prices(of transaction: Transaction, _ seller: SellerModel) throws(Violation) -> [Money] {
        guard let product = SimulatedCatalog.products[transaction.productID] else {
            throw Violation(.wrongCharge, "\(transaction.id) was sold of a product that there isn't")
        }
        guard let offer = transaction.offer else {
            return seller.prices(everOf: product.id, in: transaction.storefront).sorted {
                $0.milliunits < $1.milliunits
            }
        }
        guard let price = product.price(for: offer, in: transaction.storefront) else {
            throw Violation(.wrongCharge, "\(transaction.id) was sold under an offer that there isn't")
        }
        return [price]
    }

    /// Checks that paid periods don't overlap, and that each was sold once.
    private func checkPeriods(_ periods: [Transaction], of subscription: Subscription) throws(Violation) {
        guard periods.count == subscription.current.number else {
            throw Violation(
                .paidTwice,
                "\(subscription.id) is in its period \(subscription.current.number) and has \(periods.count) transactions"
            )
        }
        let live = Dictionary(periods.filter(\.isLive).map { ($0.id, $0) }) { first, _ in first }
        let spans = live.values.map { PaidPeriod(id: $0.id, start: $0.purchaseDate, end: $0.expiresDate) }
        guard let (first, second) = CommonRules.overlap(of: spans), let one = live[first.id],
            let next = live[second.id], let end = first.end
        else { return }
        let isPaidTwice = one.price.milliunits > 0 && next.price.milliunits > 0
        throw Violation(
            isPaidTwice ? .paidTwice : .severalActive,
            "\(one.id) (\(one.productID), until \(end.rfc3339())) and \(next.id) (\(next.productID), from "
                + "\(next.purchaseDate.rfc3339())) of the subscription \(subscription.id) overlap")
    }

    private func checkAccess(
        _ periods: [Transaction], of subscription: Subscription, at now: Instant
    ) throws(Violation) {
        let covering = periods.first { $0.isLive && $0.covers(now) }
        let isEntitled = subscription.isEntitled(at: now)
        if let covering, !isEntitled {
            throw Violation(
                .paidWithoutAccess,
                "\(covering.id) covers \(now.rfc3339(fraction: true)), but \(subscription.id) is \(subscription.stateName)"
            )
        }
        guard isEntitled, covering == nil else { return }
        if case .gracePeriod = subscription.state { return }
        // The subscription goes on if the running period was refunded after the next was charged, or isn't shared.
        let isShared = subscription.ownership == .familyShared
        if subscription.current.start > now,
            isShared || periods.contains(where: { $0.revocation != nil && $0.covers(now) })
        {
            return
        }
        throw Violation(
            .accessWithoutReason,
            "\(subscription.id) is \(subscription.stateName) at \(now.rfc3339(fraction: true)), and nothing covers it")
    }

    private func checkDue(
        _ subscription: Subscription, at now: Instant, clock: StoreEnvironment.Clock
    ) throws(Violation) {
        guard let column = due[subscription.id], column == subscription.nextDue else {
            throw Violation(.due, "\(subscription.id) has another due time in the column than in its document")
        }
        if clock == .manual, let due = subscription.nextDue, due <= now.wholeSeconds {
            throw Violation(.due, "\(subscription.id) was due at \(due.rfc3339(fraction: true)), and wasn't done")
        }
    }

    private func checkOffers(_ periods: [Transaction], of subscription: Subscription) throws(Violation) {
        let introduced = periods.filter {
            $0.ownership == .purchased && $0.offer?.kind == .introductory && $0.reason == .purchase
        }
        guard introduced.count <= 1 else {
            throw Violation(
                .offerAgain, "\(subscription.id) was introduced by \(introduced.map(\.id)) in \(subscription.groupID)")
        }
        guard let own = introduced.first else { return }
        let shared = rows.map(\.transaction).first {
            $0.ownership == .familyShared && $0.subscriptionGroupID == subscription.groupID
                && $0.offer?.kind == .introductory && $0.purchaseDate < own.purchaseDate
        }
        if let shared {
            throw Violation(
                .offerAgain,
                "\(own.id) was introduced in \(subscription.groupID), as \(shared.id) of the family had been")
        }
    }

    /// Checks that free repeats of a purchase are refunded with it.
    private func checkRepeats() throws(Violation) {
        let transactions = Dictionary(rows.map { ($0.transaction.id, $0.transaction) }) { first, _ in first }
        for row in rows where row.transaction.type != .autoRenewable && row.transaction.ownership == .purchased {
            let transaction = row.transaction
            guard transaction.revocation == nil, transactions[transaction.originalID]?.revocation != nil else {
                continue
            }
            throw Violation(
                .accessWithoutReason, "\(transaction.id) repeats \(transaction.originalID), which was refunded")
        }
    }

    /// Checks that the grace period ends within the period that its charge pays for, so that a recovery leaves no gap.
    private func checkGrace(
        of subscription: Subscription, at now: Instant, in environment: StoreEnvironment
    ) throws(Violation) {
        guard environment.kind == .production, case .gracePeriod(_, let until) = subscription.state, now < until,
            let period = SimulatedCatalog.products[subscription.renewal.productID]?.subscription?.period
        else { return }
        let span = subscription.nextOffer?.terms.span ?? period
        guard until <= subscription.anchor.end(of: span, from: subscription.paidUntil, .calendar).0 else {
            throw Violation(
                .gapInService,
                "the grace of \(subscription.id) lasts until \(until.rfc3339()), longer than the period it waits for")
        }
    }

    private func checkRenewals(of subscription: Subscription, in environment: StoreEnvironment) throws(Violation) {
        let most = SubscriptionTiming(environment.kind).maximumRenewals ?? .max
        guard subscription.renewals <= most else {
            throw Violation(.tooManyRenewals, "\(subscription.id) renewed \(subscription.renewals) times")
        }
    }
}

extension Product {
    /// Returns the price of a period under an offer; `nil` for an unknown offer.
    fileprivate func price(for applied: AppliedOffer, in storefront: Storefront) -> Money? {
        if applied.paymentMode == .oneTime { return codeOffers.first { $0.id == applied.id }?.price(in: storefront) }
        let offers: [Offer] =
            switch applied.kind {
            case .introductory:
                (subscription?.introductoryOffers ?? []).filter { $0.availability?.includes(storefront) ?? true }
            case .promotional: subscription?.promotionalOffers ?? []
            case .code: subscription?.codeOffers ?? []
            case .winBack: subscription?.winBackOffers ?? []
            }
        return offers.first { $0.id == applied.id }?.price(in: storefront)
    }
}
