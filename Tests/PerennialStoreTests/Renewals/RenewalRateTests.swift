import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Renewal rates in a running store (docs/reference/apple-behaviour.md, "Accelerated time").
struct RenewalRateTests {
    private static let start = Magazine.start

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var pace: RenewalRate?
        /// A week, 1, 2, 3, 6 months and a year.
        var lengths: [Int64]
        var renewals: Int?
        var weeklyGrace: Int64?
        var grace: Int64?
        var retry: Int64?

        var testDescription: String { name }
    }

    private static func minutes(_ counts: [Int64]) -> [Int64] { counts.map { .minutes($0) } }

    static let rows: [Row] = [
        Row(
            name: "7.1 sandbox's original era", pace: nil, lengths: minutes([3, 5, 10, 15, 30, 60]), renewals: 6,
            weeklyGrace: .seconds(154), grace: .seconds(150), retry: .minutes(10)),
        Row(
            name: "7.2 a month of 3 minutes", pace: .rate(.monthlyRenewalEveryThreeMinutes),
            lengths: minutes([1, 3, 6, 9, 18, 36]), renewals: 12, weeklyGrace: .seconds(51), grace: .seconds(90),
            retry: .minutes(6)),
        Row(
            name: "7.2 a month of 5 minutes", pace: .rate(.monthlyRenewalEveryFiveMinutes),
            lengths: minutes([3, 5, 10, 15, 30, 60]), renewals: 12, weeklyGrace: .seconds(154), grace: .seconds(150),
            retry: .minutes(10)),
        Row(
            name: "7.2 a month of 15 minutes", pace: .rate(.monthlyRenewalEveryFifteenMinutes),
            lengths: minutes([5, 15, 30, 45, 90, 180]), renewals: 12, weeklyGrace: .seconds(257), grace: .seconds(450),
            retry: .minutes(30)),
        Row(
            name: "7.2 a month of 30 minutes", pace: .rate(.monthlyRenewalEveryThirtyMinutes),
            lengths: minutes([10, 30, 60, 90, 180, 360]), renewals: 12, weeklyGrace: .seconds(514), grace: .minutes(15),
            retry: .hours(1)),
        Row(
            name: "7.2 a month of an hour", pace: .rate(.monthlyRenewalEveryHour),
            lengths: minutes([15, 60, 120, 180, 360, 720]), renewals: 12, weeklyGrace: .seconds(771),
            grace: .minutes(30), retry: .hours(2)),
        Row(
            name: "7.3 TestFlight", pace: .testFlight, lengths: [Int64](repeating: .days(1), count: 6), renewals: 6),
        Row(
            name: "7.4 monthlyRenewalEveryThirtySeconds", pace: .rate(.monthlyRenewalEveryThirtySeconds),
            lengths: [10, 30, 60, 90, 180, 360].map { .seconds($0) }, renewals: nil, weeklyGrace: .seconds(9),
            grace: .seconds(15), retry: .minutes(1)),
        step(.oneRenewalEveryTwoSeconds, .seconds(2)),
        step(.oneRenewalEveryTenSeconds, .seconds(10)),
        step(.oneRenewalEveryThirtySeconds, .seconds(30)),
        step(.oneRenewalEveryMinute, .minutes(1)),
        step(.oneRenewalEveryFiveMinutes, .minutes(5)),
        step(.oneRenewalEveryFifteenMinutes, .minutes(15)),
        day(.oneDayIsOneSecond, .seconds(1)),
        day(.oneDayIsThirtySeconds, .seconds(30)),
        day(.oneDayIsOneMinute, .minutes(1)),
        day(.oneDayIsFiveMinutes, .minutes(5)),
        day(.oneDayIsThirtyMinutes, .minutes(30)),
        day(.oneDayIsOneHour, .hours(1)),
    ]

    /// A rate at which every duration renews at one step; grace is one step, retry two.
    private static func step(_ rate: TimeRate, _ length: Int64) -> Row {
        Row(
            name: "7.4 \(rate.rawValue)", pace: .rate(rate), lengths: [Int64](repeating: length, count: 6),
            weeklyGrace: length, grace: length, retry: length * 2)
    }

    /// A rate of iOS 14.0 to 15.2: the length of a day.
    private static func day(_ rate: TimeRate, _ length: Int64) -> Row {
        Row(
            name: "7.4 \(rate.rawValue)", pace: .rate(rate), lengths: [7, 30, 61, 91, 183, 365].map { $0 * length },
            weeklyGrace: length * 6, grace: length * 16, retry: length * 60)
    }

    @Test(arguments: rows)
    func `each rate renews its durations without a gap, then expires`(row: Row)
        async throws
    {
        let shop = try await Magazine.shop(.sandbox, BillingSettings(timeRate: row.pace))
        let longest = row.lengths.max() ?? 0
        for (index, product) in Magazine.periods.enumerated() {
            let first = try await shop.buy(product.id, as: product.id)
            #expect(first.expiresDate == first.purchaseDate + row.lengths[index], "\(product.id)")
        }
        let cap = row.renewals ?? 14
        try await shop.advance(to: Self.start + longest * Int64(cap + 1))
        let yearly = try await RenewalTests.periods(shop, of: "year")
        #expect(yearly.count == (row.renewals.map { $0 + 1 } ?? cap + 2))
        #expect(zip(yearly, yearly.dropFirst()).allSatisfy { $0.expiresDate == $1.purchaseDate })
        let line = try #require(yearly.first?.id)
        #expect(try await shop.snapshot(line).1 == (row.renewals == nil ? .active : .expired))
    }

    @Test(arguments: rows.filter { $0.grace != nil })
    func `grace period and billing retry follow the renewal rate`(row: Row) async throws {
        for product in ["week", "month"] {
            let shop = try await Magazine.shop(
                .sandbox, BillingSettings(timeRate: row.pace, gracePeriodDays: 16))
            let first = try await shop.buy(product, as: "ann")
            try await shop.account("ann", payment: .declined)
            let end = try #require(first.expiresDate)
            try await shop.advance(to: end)
            let grace = try #require(product == "week" ? row.weeklyGrace : row.grace)
            let (_, status, info) = try await shop.snapshot(first.id)
            #expect((status, info.gracePeriodExpires) == (.gracePeriod, end + grace))
            let retry = try #require(row.retry)
            try await shop.advance(to: end + retry + -1)
            #expect(try await shop.snapshot(first.id).1 == (retry > grace ? .billingRetry : .gracePeriod))
            try await shop.advance(to: end + retry)
            #expect(try await shop.snapshot(first.id).1 == .expired)
        }
    }

    @Test func `a tester without purchases and renewals has a billing failure`() async throws {
        let shop = try await Magazine.shop(.sandbox)
        let first = try await shop.buy("month", as: "ann")
        for account in ["ann", "ben"] { try await shop.account(account, payment: .declined) }
        #expect(try await shop.refusal(of: "month", as: "ben").code == .paymentDeclined)
        try await shop.advance(to: Self.start + .minutes(5))
        #expect(try await shop.snapshot(first.id).1 == .billingRetry)
        #expect(try await shop.snapshot(first.id).2.expirationIntent == .billingError)
        _ = try await shop.store.subscriptions.setPaymentMethod(.valid, of: first.id)
        #expect(try await shop.snapshot(first.id).1 == .active)
    }

    @Test func `a sandbox account in TestFlight has its own renewal rate`() async throws {
        let shop = try await Magazine.shop(.sandbox, BillingSettings(timeRate: .testFlight))
        _ = try await shop.store.accounts.put(
            "ann", storefront: nil, paymentMethod: nil, canMakePayments: nil, password: nil,
            renewalRate: .monthlyRenewalEveryFifteenMinutes)
        #expect(try await shop.buy("month", as: "ann").expiresDate == Self.start + .minutes(15))
        #expect(try await shop.buy("month", as: "ben").expiresDate == Self.start + .days(1))
    }

    @Test(arguments: [("week", Int64.days(7), Int64(6)), ("month", .days(28), 16), ("year", .days(365), 16)])
    func `realTime has real periods, grace periods and billing retry`(
        product: String, length: Int64, grace: Int64
    ) async throws {
        let shop = try await Magazine.shop(.sandbox, BillingSettings(timeRate: .real, gracePeriodDays: 16))
        let first = try await shop.buy(product, as: "ann")
        let end = Self.start + length
        #expect(first.expiresDate == end)
        try await shop.account("ann", payment: .declined)
        try await shop.advance(to: end)
        #expect(try await shop.snapshot(first.id).2.gracePeriodExpires == end + .days(grace))
        try await shop.advance(to: end + .days(60) + -1)
        #expect(try await shop.snapshot(first.id).1 == .billingRetry)
        try await shop.advance(to: end + .days(60))
        #expect(try await shop.snapshot(first.id).1 == .expired)
    }
}
