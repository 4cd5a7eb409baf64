import Testing

@testable import Perennial

/// The fold of journal entries to snapshots and events, entry by entry.
struct SubscriptionLifecycleTests {
    private typealias Name = SubscriptionReportEvent.Name

    /// Journal entries of one subscription, one day after the other.
    private struct Journal {
        static let start = Instant(milliseconds: 1_767_268_800_000)  // 2026-01-01T12:00:00Z
        static let products: [Product.ID: Product] = Dictionary(
            uniqueKeysWithValues: [("basic", 2), ("other", 2), ("top", 1)].map { id, level in
                let product = Product(
                    id: Product.ID(rawValue: id), type: .autoRenewable, referenceName: id,
                    basePrice: Money(milliunits: 9990, .usd),
                    subscription: Product.Subscription(groupID: "group", level: level, period: .month))
                return (product.id, product)
            })

        var lifecycle: SubscriptionLifecycle?
        var step: SubscriptionLifecycle.Step?
        private var now = start
        private var number: Int64 = 100

        /// Sells a period.
        mutating func sell(
            _ kind: DomainEvent.Kind, _ product: String, _ offer: AppliedOffer.Kind? = nil,
            _ mode: AppliedOffer.PaymentMode = .payAsYouGo, facts: SaleFacts? = nil
        ) {
            number += 1
            now = now + .days(1)
            let price = Money(milliunits: mode == .freeTrial && offer != nil ? 0 : 9990, .usd)
            let transaction = Transaction(
                id: TransactionID(rawValue: number), originalID: TransactionID(rawValue: 101),
                accountID: Account.ID(rawValue: 1), productID: Product.ID(rawValue: product), type: .autoRenewable,
                purchaseDate: now, originalPurchaseDate: Self.start, expiresDate: Period.month.end(after: now),
                subscriptionGroupID: "group", price: price, storefront: .usa,
                offer: offer.map { AppliedOffer(kind: $0, id: "offer", paymentMode: mode, period: .month) })
            let entry = JournalEntry(
                .subscription(kind), at: now, accountID: transaction.accountID, transactionID: transaction.id,
                originalID: transaction.originalID, productID: transaction.productID,
                postings: SaleTerms.standard.postings(forSaleAt: price), facts: facts)
            apply(entry, transaction)
        }

        /// Appends an entry without a sale.
        mutating func append(_ kind: DomainEvent.Kind) {
            now = now + .days(1)
            apply(
                JournalEntry(
                    .subscription(kind), at: now, accountID: Account.ID(rawValue: 1),
                    transactionID: TransactionID(rawValue: number), originalID: TransactionID(rawValue: 101)), nil)
        }

        private mutating func apply(_ entry: JournalEntry, _ transaction: Transaction?) {
            step = SubscriptionLifecycle.Step(entry, transaction, after: lifecycle, Self.products)
            lifecycle = step?.lifecycle ?? lifecycle
        }
    }

    /// The states before a sale.
    private enum Before: CaseIterable {
        case active, grace, retry, ended
    }

    private static func journal(_ before: Before, _ offer: AppliedOffer.Kind?) -> Journal {
        var journal = Journal()
        journal.sell(.subscribed, "basic", offer, .freeTrial)
        switch before {
        case .active: break
        case .grace: journal.append(.renewalFailedWithGrace)
        case .retry: journal.append(.renewalFailed)
        case .ended: journal.append(.expiredByChoice)
        }
        return journal
    }

    private static let sales: [(Before, AppliedOffer.Kind?, String, AppliedOffer.Kind?, Name)] = [
        (.active, nil, "basic", nil, .renew),
        (.active, nil, "top", nil, .upgrade),
        (.active, nil, "other", nil, .crossgrade),
        (.active, nil, "basic", .promotional, .startPromotionalOffer),
        (.active, nil, "basic", .code, .startOfferCode),
        (.active, nil, "basic", .introductory, .introductoryPriceFromPaidSubscription),
        (.active, .introductory, "basic", nil, .paidFromIntroductoryOffer),
        (.active, .introductory, "top", nil, .upgradeFromIntroductoryOffer),
        (.active, .introductory, "other", nil, .crossgradeFromIntroductoryOffer),
        (.active, .introductory, "top", .introductory, .introductoryOfferFromIntroductoryOffer),
        (.active, .winBack, "top", nil, .paidFromWinBackOfferWithUpgrade),
        (.active, .winBack, "basic", .promotional, .promotionalOfferFromWinBackOffer),
        (.active, .promotional, "basic", nil, .renew),
        (.grace, nil, "basic", nil, .renewalsFromGracePeriod),
        (.grace, nil, "top", nil, .upgradeFromGracePeriod),
        (.grace, nil, "other", nil, .crossgradeFromGracePeriod),
        (.retry, nil, "basic", nil, .renewalFromBillingRetry),
        (.retry, nil, "top", nil, .upgradeFromBillingRetry),
        (.retry, nil, "other", nil, .crossgradeFromBillingRetry),
        (.retry, .introductory, "basic", .introductory, .introductoryOfferFromBillingRetry),
        (.ended, nil, "basic", nil, .reactivate),
        (.ended, nil, "top", nil, .reactivateWithUpgrade),
        (.ended, nil, "other", nil, .reactivateWithCrossgrade),
        (.ended, nil, "basic", .introductory, .reactivateToIntroductoryOffer),
        (.ended, nil, "basic", .promotional, .reactivationToPromotionalOffer),
        (.ended, nil, "basic", .code, .startOfferCode),
        (.ended, nil, "basic", .winBack, .reactivate),
    ]

    @Test func `each sale has the event of its state, product and offers before and after`() {
        for (before, offer, product, next, name) in Self.sales {
            var journal = Self.journal(before, offer)
            journal.sell(before == .ended ? .resubscribed : .renewed, product, next)
            let label = "\(before) \(String(describing: offer)) to \(product) \(String(describing: next))"
            #expect(journal.step?.events.map(\.name) == [name], "\(label)")
            #expect(
                journal.step?.events.first?.previousProduct?.rawValue == (product == "basic" ? nil : "basic"),
                "\(label)")
        }
    }

    @Test func `a lower level is a downgrade from every state`() {
        let names: [(Before, Name)] = [
            (.active, .downgrade), (.grace, .downgradeFromGracePeriod), (.retry, .downgradeFromBillingRetry),
            (.ended, .reactivateWithDowngrade),
        ]
        for (before, name) in names {
            var journal = Journal()
            journal.sell(.subscribed, "top")
            switch before {
            case .active: break
            case .grace: journal.append(.renewalFailedWithGrace)
            case .retry: journal.append(.renewalFailed)
            case .ended: journal.append(.expired)
            }
            journal.sell(.renewed, "basic")
            #expect(journal.step?.events.map(\.name) == [name])
        }
    }

    @Test func `the first purchase has the event of its offer`() {
        let names: [(AppliedOffer.Kind?, Name)] = [
            (nil, .subscribe), (.introductory, .startIntroductoryOffer), (.promotional, .startPromotionalOffer),
            (.code, .startOfferCode),
        ]
        for (offer, name) in names {
            var journal = Journal()
            journal.sell(.subscribed, "basic", offer)
            #expect(journal.step?.events.map(\.name) == [name])
        }
    }

    @Test func `each end has its event and reason`() {
        typealias Reason = SubscriptionReportEvent.CancellationReason
        let ends: [(Before, DomainEvent.Kind, Name, Reason)] = [
            (.active, .expiredByChoice, .cancel, .canceled), (.active, .expired, .cancel, .other),
            (.active, .expiredForPriceIncrease, .cancel, .priceIncrease),
            (.active, .expiredProductNotForSale, .cancel, .removedFromSale),
            (.grace, .expiredByChoice, .canceledFromGracePeriod, .canceled),
            (.retry, .expiredAfterBillingRetry, .canceledFromBillingRetry, .billingIssue),
        ]
        for (before, kind, name, reason) in ends {
            var journal = Self.journal(before, nil)
            journal.append(kind)
            #expect(journal.step?.events.map(\.name) == [name])
            #expect(journal.step?.events.first?.cancellationReason == reason)
            #expect(journal.step?.snapshot == nil)
        }
        var extended = Self.journal(.active, nil)
        extended.append(.renewalExtended)
        extended.append(.expiredByChoice)
        #expect(extended.step?.events.map(\.name) == [.canceledAfterExtension])
    }

    @Test func `every offer and state has its column of counts`() {
        var columns: Set<ReportSnapshot.Count> = []
        for kind in AppliedOffer.Kind.allCases {
            for mode in [AppliedOffer.PaymentMode.freeTrial, .payUpFront, .payAsYouGo] {
                var journal = Journal()
                journal.sell(.subscribed, "basic", kind, mode)
                if let count = journal.step?.snapshot?.count { columns.insert(count) }
            }
        }
        for before in [Before.active, .grace, .retry] {
            if let count = Self.journal(before, nil).step?.snapshot?.count { columns.insert(count) }
        }
        #expect(columns == Set(ReportSnapshot.Count.allCases))
    }

    @Test func `consecutive paid periods start again after a lapse, not after billing retry`() {
        var journal = Journal()
        for kind in [DomainEvent.Kind.subscribed, .renewed, .renewed] { journal.sell(kind, "basic") }
        journal.append(.renewalFailed)
        journal.sell(.recovered, "basic")
        #expect(journal.lifecycle?.consecutivePaidPeriods == 4)
        journal.append(.expired)
        journal.sell(.resubscribed, "basic")
        #expect(journal.lifecycle?.consecutivePaidPeriods == 1)
    }

    @Test func `a lifecycle without its beginning, facts or transactions never fails`() {
        for kind in DomainEvent.Kind.allCases {
            var journal = Journal()
            journal.append(kind)
            let isSale = LifecycleWriter.sales.contains(kind)
            #expect((journal.lifecycle != nil) == isSale, "\(kind)")
            #expect(journal.lifecycle.map { $0.snapshot?.device == nil } ?? true)
        }
    }

    @Test func `a lifecycle, a snapshot and an event survive their records`() throws {
        var journal = Journal()
        journal.sell(
            .subscribed, "basic", .introductory, .freeTrial,
            facts: SaleFacts(device: .iPad, appVersion: "2.1", isPricePreserved: true))
        for kind in [DomainEvent.Kind.renewed, .upgraded] {
            journal.sell(kind, "top", facts: SaleFacts(proceedsReason: .rateAfterOneYear))
        }
        journal.append(.autoRenewDisabled)
        journal.append(.expiredByChoice)
        let lifecycle = try #require(journal.lifecycle)
        #expect(try SubscriptionLifecycle(document: lifecycle.document) == lifecycle)
        let event = try #require(journal.step?.events.first)
        #expect(try SubscriptionReportEvent(document: event.document) == event)
        journal.sell(.resubscribed, "basic", .code, .payUpFront)
        let snapshot = try #require(journal.step?.snapshot)
        #expect(try ReportSnapshot(document: snapshot.document) == snapshot)
    }

    @Test func `monthly revenue spreads prices over months`() {
        func revenue(_ period: Period, _ offer: AppliedOffer? = nil) -> Int64 {
            ReportSnapshot(
                product: Product.ID(rawValue: "a"), period: period, offer: offer,
                customerPrice: Money(milliunits: 12_000, .usd), proceeds: .zero(.usd), storefront: .usa
            ).monthlyRevenue.milliunits
        }
        let factors: [(Period, Int64)] = [
            (Period(1, .day), 360_000), (Period(3, .day), 120_000), (.week, 48_000), (Period(2, .week), 24_000),
            (Period(4, .week), 12_000), (.month, 12_000), (Period(2, .month), 6000), (Period(3, .month), 4000),
            (Period(6, .month), 2000), (.year, 1000),
        ]
        for (period, expected) in factors { #expect(revenue(period) == expected, "\(period)") }
        let offer = AppliedOffer(kind: .introductory, id: nil, paymentMode: .payUpFront, period: Period(3, .month))
        #expect(revenue(.month, offer) == 4000)
    }
}
