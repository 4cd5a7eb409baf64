import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// The snapshots and events of subscriptions in a running store (docs/reference/statistics.md, "Subscriptions").
struct SubscriptionReportTests {
    private static let start = Magazine.start
    /// The catalog of these tests: a week's trial, a higher level, and an offer for those who left.
    static let app: App = {
        var app = Magazine.app(changing: ["month"]) {
            $0.introductoryOffer = Magazine.offer(nil, .freeTrial, .week, 0)
        }
        for index in app.products.indices where app.products[index].id.rawValue == "gold" {
            let rules = WinBackRules(paidMonths: 0, monthsSinceEnd: 0, maximumMonthsSinceEnd: 24)
            var offer = Magazine.offer("back", .payAsYouGo, .month, 1990, count: 2)
            offer.winBackRules = rules
            app.products[index].subscription?.winBackOffers = [offer]
            app.products[index].basePrice = Money(milliunits: 19_990, .usd)
        }
        return app
    }()

    @Test(arguments: Engine.allCases)
    func `a life from trial to win-back has Apple's events on its days`(engine: Engine) async throws {
        let shop = try await Magazine.shop(.production, BillingSettings(gracePeriodDays: 16), app: Self.app, on: engine)
        let trialEnd = Self.start + .days(7)
        let first = try await shop.buy("month", as: "ann")
        // Charged a day ahead, then not for the next month.
        try await shop.advance(to: trialEnd)
        try await shop.account("ann", payment: .declined)
        let monthEnd = Period.month.end(after: trialEnd)
        let recovery = monthEnd + .days(2)
        try await shop.advance(to: recovery)
        _ = try await shop.store.subscriptions.setPaymentMethod(.valid, of: first.id)
        let upgrade = recovery + .days(3)
        try await shop.advance(to: upgrade)
        try await shop.buy("gold", as: "ann")
        let turnedOff = upgrade + .days(10)
        try await shop.advance(to: turnedOff)
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: first.id)
        let end = Period.month.end(after: upgrade)
        let comeback = end + .days(40)
        try await shop.advance(to: comeback)
        try await shop.buy("gold", claiming: .winBack(id: "back"), as: "ann")

        typealias Name = SubscriptionReportEvent.Name
        let expected: [(Instant, Name, String, Int)] = [
            (Self.start, .startIntroductoryOffer, "month", 0),
            (trialEnd + -.days(1), .paidFromIntroductoryOffer, "month", 1),
            (recovery, .renewalsFromGracePeriod, "month", 2),
            (upgrade, .upgrade, "gold", 3),
            (end, .cancel, "gold", 3),
            (comeback, .reactivate, "gold", 1),
        ]
        var found: [SubscriptionReportEvent] = []
        for (at, name, product, periods) in expected {
            let events = try await shop.events(on: PacificDay(at))
            let event = try #require(events.first?.event, "\(name)")
            #expect(events.map(\.quantity) == [1], "\(name)")
            #expect(event.name == name)
            #expect(event.product.rawValue == product, "\(name)")
            #expect(event.consecutivePaidPeriods == periods, "\(name)")
            #expect(event.originalStart == PacificDay(Self.start), "\(name)")
            found.append(event)
        }
        #expect(found[0].offer?.paymentMode == .freeTrial)
        #expect(found[2].paidServiceDaysRecovered == 31)
        #expect(found[3].previousProduct?.rawValue == "month")
        #expect(found[4].cancellationReason == .canceled)
        #expect(found[4].daysBeforeCanceling == Int(PacificDay(turnedOff).number - PacificDay(Self.start).number))
        #expect(found[5].daysCanceled == 40)
        #expect(found[5].offer?.id == "back")
        // There are no events on any other day.
        let days = Set(expected.map { PacificDay($0.0) })
        var day = PacificDay(Self.start)
        while day <= PacificDay(comeback) {
            if !days.contains(day) { #expect(try await shop.events(on: day).isEmpty, "\(day)") }
            day = day.next
        }

        let counts: [(Instant, ReportSnapshot.Count?)] = [
            (Self.start + -.days(1), nil), (Self.start, .introductoryFreeTrial),
            (trialEnd + -.days(2), .introductoryFreeTrial), (trialEnd + -.days(1), .standardPrice),
            (monthEnd + -.days(1), .standardPrice), (monthEnd, .gracePeriod), (recovery, .standardPrice),
            (upgrade, .standardPrice), (turnedOff, .standardPrice), (end, nil), (comeback + -.days(1), nil),
            (comeback, .winBackPayAsYouGo),
        ]
        for (at, count) in counts {
            let snapshots = try await shop.snapshots(endOf: PacificDay(at))
            #expect(snapshots.map(\.snapshot.count) == (count.map { [$0] } ?? []), "\(PacificDay(at))")
            #expect(snapshots.allSatisfy { $0.count == 1 })
        }
        let snapshot = try #require(try await shop.snapshots(endOf: PacificDay(comeback)).first?.snapshot)
        #expect(snapshot.customerPrice == Money(milliunits: 1990, .usd))
        #expect(snapshot.proceeds.milliunits > 0)
    }

    @Test func `billing retry is counted, and ends as cancelled after 60 days`() async throws {
        let shop = try await Magazine.shop(.production, BillingSettings(gracePeriodDays: 3), app: Self.app)
        let first = try await shop.buy("year", as: "ann")
        try await shop.account("ann", payment: .declined)
        let end = try #require(first.expiresDate)
        try await shop.advance(to: end + .days(70))
        let days: [(Int64, ReportSnapshot.Count?, [SubscriptionReportEvent.Name])] = [
            (0, .gracePeriod, []), (3, .billingRetry, [.billingRetryFromPaidSubscription]), (59, .billingRetry, []),
            (60, nil, [.canceledFromBillingRetry]), (61, nil, []),
        ]
        for (offset, count, names) in days {
            let day = PacificDay(end + .days(offset))
            #expect(try await shop.snapshots(endOf: day).map(\.snapshot.count) == (count.map { [$0] } ?? []))
            #expect(try await shop.events(on: day).map(\.event.name) == names, "day \(offset)")
        }
        let last = try await shop.events(on: PacificDay(end + .days(60)))
        #expect(last.first?.event.cancellationReason == .billingIssue)
    }

    @Test func `events of a day are added up, and each row knows its journal positions`() async throws {
        let shop = try await Magazine.shop(app: Self.app)
        for account in ["ann", "ben", "cem"] { try await shop.buy("year", as: account) }
        let day = PacificDay(Self.start)
        let rows = try await shop.events(on: day)
        #expect(rows.map(\.quantity) == [3])
        let event = try #require(rows.first?.event)
        let key = try await shop.rollUpKey()
        let positions = try await shop.database.read {
            try SubscriptionEventsTable.positions(of: event, on: day, key, on: $0)
        }
        let sold = try await shop.journal().filter { $0.entry.kind == .subscription(.subscribed) }.map(\.position)
        #expect(positions == sold)
        #expect(try await shop.snapshots(endOf: day).map(\.count) == [3])
    }

    @Test func `family members count in no report of subscriptions`() async throws {
        let shop = try await RenewalTests.shop()
        _ = try await shop.store.families.make(organizer: "ann", members: ["bob"])
        try await shop.buy("family.monthly", as: "ann")
        #expect(try await shop.journal().count > 1)
        let day = PacificDay(try await shop.store.now())
        #expect(try await shop.snapshots(endOf: day).map(\.count) == [1])
        #expect(try await shop.events(on: day).map(\.quantity) == [1])
    }

    @Test func `a refund ends the snapshot, and its reversal restores it`() async throws {
        let shop = try await Magazine.shop(app: Self.app)
        let sold = try await shop.buy("year", as: "ann")
        let before = try await shop.snapshots(endOf: PacificDay(Self.start)).map(\.snapshot)
        try await shop.advance(to: Self.start + .days(2))
        _ = try await shop.refund(sold)
        #expect(try await shop.snapshots(endOf: PacificDay(Self.start + .days(2))).isEmpty)
        #expect(try await shop.events(on: PacificDay(Self.start + .days(2))).map(\.event.name) == [.refund])
        try await shop.advance(to: Self.start + .days(4))
        _ = try await shop.store.refunds.reverse(sold.id)
        #expect(try await shop.snapshots(endOf: PacificDay(Self.start + .days(4))).map(\.snapshot) == before)
        #expect(try await shop.snapshots(endOf: PacificDay(Self.start + .days(1))).map(\.snapshot) == before)
    }
}

extension TestStore {
    /// Returns the key of the roll-ups after all entries.
    func rollUpKey() async throws -> RollUpKey {
        try await store.rollUps.bringUpToDate(try await store.app(TestCatalog.bundleID))
    }

    func snapshots(
        endOf day: PacificDay
    ) async throws -> [(snapshot: ReportSnapshot, count: Int64)] {
        let key = try await rollUpKey()
        return try await database.read { try ReportSnapshotsTable.snapshots(endOf: day, key, on: $0) }
    }

    func events(on day: PacificDay) async throws -> [(event: SubscriptionReportEvent, quantity: Int64)] {
        let key = try await rollUpKey()
        return try await database.read { try SubscriptionEventsTable.events(on: day, key, on: $0) }
    }
}
