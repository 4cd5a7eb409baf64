import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Payment modes, durations and receipts of offers (docs/reference/apple-behaviour.md, "Offers").
struct OfferPaymentModeTests {
    private static let start = Magazine.start

    struct Mode: Sendable, CustomTestStringConvertible {
        var mode: Offer.PaymentMode
        var period: Period
        var count: Int
        var milliunits: Int64
        /// The mode in a JWS.
        var name: String
        /// The prices of the periods under the offer and of the first one after it.
        var prices: [Int64]
        var ends: [String]

        var testDescription: String { mode.rawValue }
        var offer: Offer { Magazine.offer(nil, mode, period, milliunits, count: count) }
    }

    static let modes = [
        Mode(
            mode: .freeTrial, period: .week, count: 1, milliunits: 0, name: "FREE_TRIAL", prices: [0, 9990],
            ends: ["2025-02-07", "2025-03-07"]),
        Mode(
            mode: .payAsYouGo, period: .month, count: 3, milliunits: 4990, name: "PAY_AS_YOU_GO",
            prices: [4990, 4990, 4990, 9990], ends: ["2025-02-28", "2025-03-31", "2025-04-30", "2025-05-31"]),
        Mode(
            mode: .payUpFront, period: Period(3, .month), count: 1, milliunits: 19_990, name: "PAY_UP_FRONT",
            prices: [19_990, 9990], ends: ["2025-04-30", "2025-05-31"]),
    ]

    /// Creates a store in which ann has bought a month under an introductory offer, on the last day of the first regular
    /// period.
    private static func shop(_ mode: Mode) async throws -> TestStore {
        let shop = try await Magazine.shop(
            app: Magazine.app(changing: ["month", "gold"]) { $0.introductoryOffer = mode.offer })
        try await shop.buy("month", as: "ann")
        let end = try #require(mode.ends.last)
        try await shop.advance(to: try #require(Instant(rfc3339: "\(end)T10:00:00Z")) + -.hours(24) + -1)
        return shop
    }

    @Test(arguments: modes)
    func `each payment mode charges its price for its periods`(mode: Mode) async throws {
        let shop = try await Self.shop(mode)
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.map(\.price.milliunits) == mode.prices)
        #expect(periods.compactMap { $0.expiresDate.map { String($0.rfc3339().prefix(10)) } } == mode.ends)
        var names: [String?] = []
        for period in periods { names.append(try await shop.signed(period)["offerDiscountType"]?.text) }
        #expect(names == [String?](repeating: mode.name, count: periods.count - 1) + [nil])
        let sales = try await shop.journal().flatMap(\.entry.postings).filter { $0.account == .customer }
        #expect(sales.map(\.amount.milliunits).reduce(0, +) == -mode.prices.reduce(0, +))
    }

    @Test(arguments: modes)
    func `an introductory period is marked and ends eligibility in its group`(
        mode: Mode
    ) async throws {
        let shop = try await Self.shop(mode)
        func flags(_ name: String) async throws -> [String?] {
            try await shop.latestReceiptInfo(of: "ann").map { $0[name]?.text }
        }
        let isFree = mode.mode == .freeTrial
        let under = mode.prices.dropLast()
        #expect(try await flags("is_trial_period") == under.map { _ in isFree ? "true" : "false" } + ["false"])
        #expect(
            try await flags("is_in_intro_offer_period") == under.map { _ in isFree ? "false" : "true" } + ["false"])
        let first = try #require(try await RenewalTests.periods(shop, of: "ann").first)
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: first.id)
        try await shop.advance(to: try await shop.store.now() + .days(40))
        #expect(try await shop.snapshot(first.id).1 == .expired)
        #expect(try await shop.buy("gold", as: "ann").price.milliunits == 9990)
    }

    static let spans: [(period: Period, end: String, iso8601: String)] = [
        (Period(3, .day), "2025-02-03", "P3D"), (.week, "2025-02-07", "P1W"), (Period(2, .week), "2025-02-14", "P2W"),
        (.month, "2025-02-28", "P1M"), (Period(2, .month), "2025-03-31", "P2M"),
        (Period(3, .month), "2025-04-30", "P3M"), (Period(6, .month), "2025-07-31", "P6M"),
        (.year, "2026-01-31", "P1Y"),
    ]

    @Test(arguments: spans)
    func `an offer lasts 3 days, 1 or 2 weeks, 1, 2, 3 or 6 months, or a year`(
        period: Period, end: String, iso8601: String
    ) async throws {
        let shop = try await Magazine.shop(
            app: Magazine.app(changing: ["month"]) {
                $0.introductoryOffer = Magazine.offer(nil, .freeTrial, period, 0)
            })
        let first = try await shop.buy("month", as: "ann")
        #expect(first.expiresDate?.rfc3339() == "\(end)T10:00:00Z")
        #expect(try await shop.signed(first)["offerPeriod"]?.text == iso8601)
        try await shop.advance(to: try #require(first.expiresDate))
        let periods = try await RenewalTests.periods(shop, of: "ann")
        #expect(periods.map { $0.offer?.kind } == [.introductory, nil])
        #expect(periods.last?.purchaseDate == first.expiresDate)
    }
}
