import Perennial
import Testing

@testable import PerennialSimulation

/// Histories that no store gives that keeps its rules: each is detected, by the rule that it breaks.
struct BrokenHistoryTests {
    /// A history that breaks a rule, and the rule.
    struct Broken: Sendable, CustomTestStringConvertible {
        var name: String
        var rule: StoreRule
        var build: @Sendable (inout HistoryBuilder) -> Void

        init(_ name: String, _ rule: StoreRule, _ build: @escaping @Sendable (inout HistoryBuilder) -> Void) {
            (self.name, self.rule, self.build) = (name, rule, build)
        }

        var testDescription: String { name }
    }

    @Test(arguments: answers + lists + journals + notifications)
    func `a broken history is detected`(broken: Broken) throws {
        var builder = HistoryBuilder()
        broken.build(&builder)
        let outcome = builder.outcome
        #expect(outcome.violations.contains { $0.rule == broken.rule }, "\(outcome.violations)")
    }

    @Test func `every rule of histories has a broken history`() {
        let rules = Set((Self.answers + Self.lists + Self.journals + Self.notifications).map(\.rule))
        #expect(rules == Set(StoreRule.allCases.filter { $0.inHistories != nil }))
    }

    @Test func `a counterexample has the operations that contradict each other`() throws {
        var builder = HistoryBuilder()
        for number in 1...10 { builder.buy("film", "k\(number)", as: "\(number)") }
        builder.add(.card(customer: "ann", isAccepted: false), .done)
        builder.list((1...10).map { ListedTransaction("\($0)") })
        builder.buy("film", "k11", as: "11")
        builder.list((1...11).map { ListedTransaction("\($0)") })
        let violation = try #require(builder.outcome.violations.first { $0.rule == .unexplained })
        #expect(violation.what.contains("ann buys film with key k11"))
        // Both lists are left out.
        #expect(violation.operations.count == 12)
        #expect(violation.operations.contains { $0.contains("the card of ann is declined") })
    }

    // MARK: - Answers

    static let answers = [
        Broken("a key with two transactions", .soldTwice) { history in
            history.buy("film", "k1", as: "1")
            history.buy("film", "k1", as: "2")
        },
        Broken("a key that is sold and refused", .soldTwice) { history in
            history.buy("film", "k1", as: "1")
            history.buy("film", "k1", .refused(code: "paymentDeclined"))
        },
        Broken("a transaction of two customers", .soldTwice) { history in
            history.buy("film", "k1", as: "1")
            history.buy("film", "k1", as: "1", by: "bob")
        },
        Broken("a sale that was not requested", .soldTwice) { history in
            history.buy("film", "k1", as: "1")
            history.read([RecordedEntry(1, "purchased", "1"), RecordedEntry(2, "purchased", "2")])
        },
        Broken("a purchase that a list misses", .lostAnswer) { history in
            history.buy("film", "k1", as: "1")
            history.list([])
        },
        Broken("a refund that a list misses", .lostAnswer) { history in
            history.buy("film", "k1", as: "1")
            history.add(.refund(customer: "ann", transaction: "1"), .done)
            history.list([ListedTransaction("1")])
        },
        Broken("a purchase that the journal misses", .lostAnswer) { history in
            history.buy("film", "k1", as: "1")
            history.read([])
        },
        Broken("a declined card pays", .unexplained) { history in
            history.add(.card(customer: "ann", isAccepted: false), .done)
            history.buy("film", "k1", as: "1")
        },
        Broken("a good card is declined", .unexplained) { history in
            history.add(.card(customer: "ann", isAccepted: true), .done)
            history.buy("film", "k1", .refused(code: "paymentDeclined"))
        },
        Broken("a purchase disappears and comes back", .unexplained) { history in
            history.buy("film", "k1", .unknown(reason: "timed out"))
            history.list([ListedTransaction("1")])
            history.list([])
        },
        Broken("a refund is undone", .unexplained) { history in
            history.buy("film", "k1", as: "1")
            history.add(.refund(customer: "ann", transaction: "1"), .unknown(reason: "timed out"))
            history.list([ListedTransaction("1", refunded: true)])
            history.list([ListedTransaction("1")])
        },
        Broken("a key of another product sells", .unexplained) { history in
            history.buy("film", "k1", as: "1")
            history.buy("filter", "k1", as: "2")
        },
        Broken("a refusal without a reason", .unexpectedError) { history in
            history.buy("film", "k1", .refused(code: "productNotAvailable"))
        },
        Broken("a request at which the store fails", .unexpectedError) { history in
            history.buy("film", "k1", .failed(reason: "HTTP 500"))
            history.buy("film", "k1", as: "1")
        },
        Broken("a price that was replaced before the request", .wrongCharge) { history in
            history.setPrice(1_000)
            history.setPrice(2_000)
            history.buy("film", "k1", as: "1")
            history.read([RecordedEntry(1, "purchased", "1")])
        },
        Broken("a price that was set after the answer", .wrongCharge) { history in
            history.setPrice(2_000)
            history.buy("film", "k1", as: "1")
            history.setPrice(1_000)
            history.read([RecordedEntry(1, "purchased", "1")])
        },
        Broken("a price that a request without an answer didn't replace", .wrongCharge) { history in
            history.setPrice(3_000)
            history.setPrice(2_000, .unknown(reason: "timed out"))
            history.buy("film", "k1", as: "1")
            history.read([RecordedEntry(1, "purchased", "1")])
        },
    ]

    @Test func `a price set during a request, or by one without an answer, may be in force`() {
        var builder = HistoryBuilder()
        builder.setPrice(3_000)
        builder.setPrice(1_000, .unknown(reason: "timed out"))
        builder.setPrice(2_000)
        // The one without an answer comes late.
        builder.buy("film", "k1", as: "1")
        let begin = builder.operations.map(\.end).max() ?? 0
        builder.add(
            .buy(customer: "bob", product: "film", key: "k2"), .sold(transaction: "2", original: "2"), from: begin + 10,
            to: begin + 90)
        builder.add(.setPrice(product: "film", price: 1_000), .done, from: begin + 50, to: begin + 70)
        builder.read([RecordedEntry(1, "purchased", "1"), RecordedEntry(2, "purchased", "2", of: "bob")])
        #expect(builder.outcome.violations == [])
    }

    @Test func `a price of which the clients know nothing is no violation`() {
        var builder = HistoryBuilder()
        builder.buy("film", "k1", as: "1")
        builder.setPrice(2_000)
        builder.read([RecordedEntry(1, "purchased", "1")])
        #expect(builder.outcome.violations == [])
    }

    // MARK: - Lists and the clock

    static let lists = [
        Broken("two periods for the same time", .paidTwice) { history in
            history.list([
                ListedTransaction(period: "1", of: "1", from: 1, to: 10),
                ListedTransaction(period: "2", of: "1", from: 9, to: 20),
            ])
        },
        Broken("two subscriptions for the same time", .severalActive) { history in
            history.list([
                ListedTransaction(period: "1", of: "1", from: 1, to: 10),
                ListedTransaction(period: "2", of: "2", from: 9, to: 20),
            ])
        },
        Broken("a non-consumable that is sold twice", .severalActive) { history in
            history.list([ListedTransaction("1", "filter", refunded: true), ListedTransaction("2", "filter")])
            history.list([ListedTransaction("2", "filter"), ListedTransaction("3", "filter")])
        },
        Broken("a renewal after a gap", .gapInService) { history in
            history.read([
                RecordedEntry(1, "subscribed", "1", "monthly"),
                RecordedEntry(2, "renewed", "2", "monthly", original: "1"),
            ])
            history.list([
                ListedTransaction(period: "1", of: "1", from: 1, to: 10),
                ListedTransaction(period: "2", of: "1", from: 11, to: 20),
            ])
        },
        Broken("a renewal that an advance left behind", .due) { history in
            history.add(.advance(by: "P30D"), .time(day(30)))
            history.list([ListedTransaction(period: "1", of: "1", from: 1, to: 10)])
        },
        Broken("a renewal that no node has made on a real clock", .due) { history in
            history.clock = .real
            history.add(.clock, .time(day(10) + .seconds(18)))
            history.list([ListedTransaction(period: "1", of: "1", from: 1, to: 10)])
        },
        Broken("a clock that goes back", .clock) { history in
            history.add(.clock, .time(day(3)))
            history.add(.clock, .time(day(2)))
        },
        Broken("two advances at once of which one is lost", .clock) { history in
            history.add(.clock, .time(day(3)))
            history.add(.advance(by: "P2D"), .time(day(5)), from: 2_000, to: 4_000)
            history.add(.advance(by: "P1D"), .time(day(4)), from: 2_100, to: 4_100)
            history.add(.clock, .time(day(5)))
        },
        Broken("an advance that ends early", .clock) { history in
            history.add(.clock, .time(day(3)))
            history.add(.advance(by: "P3D"), .time(day(5)))
        },
    ]

    @Test func `a renewal on a real clock may be late by a fault, and isn't made a seventh time`() {
        func violations(_ seconds: Int64, outage: Int64 = 0, periods: Int = 1) -> [HistoryCheck.Violation] {
            var builder = HistoryBuilder()
            builder.clock = .real
            builder.buy("film", "k1", as: "k1")
            let begin = (builder.operations.last?.end ?? 0) + outage * 1_000_000
            builder.add(
                .buy(customer: "ann", product: "film", key: "k2"), .sold(transaction: "k2", original: "k2"),
                from: begin,
                to: begin + 1_000)
            builder.add(.clock, .time(Self.day(periods + 1) + .seconds(seconds)))
            builder.list(
                [ListedTransaction("k1"), ListedTransaction("k2")]
                    + (1...periods).map { ListedTransaction(period: "\($0)", of: "1", from: $0, to: $0 + 1) })
            return builder.outcome.violations.filter { $0.rule == .due }
        }
        #expect(violations(15).isEmpty)
        #expect(violations(18).count == 1)
        #expect(violations(18, outage: 3).isEmpty)
        #expect(violations(22, outage: 3).count == 1)
        #expect(violations(600, periods: 6).count == 1)
        #expect(violations(600, periods: 7).isEmpty)
    }

    private static func day(_ number: Int) -> Instant {
        Instant(rfc3339: "2026-01-01T00:00:00Z")! + .days(Int64(number - 1))
    }

    // MARK: - Journal

    static let journals = [
        Broken("a gap in the journal", .journalOrder) { history in
            history.read([RecordedEntry(1, "purchased", "1"), RecordedEntry(3, "purchased", "2")])
        },
        Broken("an entry that changes", .journalOrder) { history in
            history.read([RecordedEntry(1, "purchased", "1")])
            history.read([RecordedEntry(1, "purchased", "2")])
        },
        Broken("a reader behind another", .journalOrder) { history in
            history.read([RecordedEntry(1, "purchased", "1"), RecordedEntry(2, "purchased", "2")])
            history.read([RecordedEntry(1, "purchased", "1")])
        },
        Broken("a sale that appears in the journal later", .journalOrder) { history in
            history.buy("film", "k1", as: "1")
            history.read([])
            history.read([RecordedEntry(1, "purchased", "1")])
        },
        Broken("an entry whose postings don't sum to zero", .unbalanced) { history in
            history.read([RecordedEntry(1, "purchased", "1", seller: 699)])
        },
        Broken("a transaction that is sold twice", .paidTwice) { history in
            history.read([
                RecordedEntry(1, "renewed", "2", "monthly", original: "1"),
                RecordedEntry(2, "renewed", "2", "monthly", original: "1"),
            ])
        },
        Broken("a list that the journal is ahead of", .journalAndTables) { history in
            history.buy("film", "k1", .unknown(reason: "timed out"))
            history.read([RecordedEntry(1, "purchased", "1")])
            history.list([])
        },
        Broken("a listed transaction without a sale", .journalAndTables) { history in
            history.buy("film", "k1", .unknown(reason: "timed out"))
            history.list([ListedTransaction("1")])
            history.read([])
        },
    ]

    // MARK: - Notifications

    private static let subscribed = RecordedEntry(1, "subscribed", "1", "monthly")
    private static let renewed = RecordedEntry(2, "renewed", "2", "monthly", original: "1")

    private static func sent(
        _ number: Int, signed: Int64, state: String = "delivered", _ attempts: [String] = ["SUCCESS"]
    ) -> RecordedNotification {
        RecordedNotification(
            uuid: "u\(number)", type: number == 1 ? "SUBSCRIBED" : "DID_RENEW",
            subtype: number == 1 ? "INITIAL_BUY" : nil, original: "1", transaction: "\(number)", signed: signed,
            state: state, attempts: attempts)
    }

    private static func arrival(_ number: Int, signed: Int64, digest: String = "d") -> RecordedOperation.Request {
        var notification = sent(number, signed: signed)
        (notification.state, notification.attempts, notification.digest) = (nil, nil, digest)
        return .notified(notification, status: 200)
    }

    static let notifications = [
        Broken("an event without a notification", .lostNotification) { history in
            history.read([subscribed, renewed])
            history.add(arrival(1, signed: 1), .done)
            history.add(.notifications, .sent([sent(1, signed: 1)]))
        },
        Broken("a delivered notification that never arrived", .lostNotification) { history in
            history.read([subscribed])
            history.add(.notifications, .sent([sent(1, signed: 1)]))
        },
        Broken("an arrival that the store doesn't know", .lostNotification) { history in
            history.add(arrival(1, signed: 1), .done)
            history.add(.notifications, .sent([]))
        },
        Broken("a repeated notification with other contents", .lostNotification) { history in
            history.add(arrival(1, signed: 1), .done)
            history.add(arrival(1, signed: 1, digest: "e"), .done)
        },
        Broken("a notification that overtakes another", .notificationOrder) { history in
            history.read([subscribed, renewed])
            history.add(arrival(2, signed: 2), .done)
            history.add(arrival(1, signed: 1), .done)
            history.add(.notifications, .sent([sent(1, signed: 1), sent(2, signed: 2)]))
        },
        Broken("signed dates against the journal", .notificationOrder) { history in
            history.read([subscribed, renewed])
            history.add(arrival(2, signed: 1), .done)
            history.add(arrival(1, signed: 2), .done)
            history.add(.notifications, .sent([sent(1, signed: 2), sent(2, signed: 1)]))
        },
    ]

    @Test func `a notification may be late after a failed attempt`() {
        var builder = HistoryBuilder()
        builder.read([Self.subscribed, Self.renewed])
        builder.add(Self.arrival(2, signed: 2), .done)
        builder.add(Self.arrival(1, signed: 1), .done)
        builder.add(
            .notifications,
            .sent([Self.sent(1, signed: 1, ["SOCKET_ISSUE", "SUCCESS"]), Self.sent(2, signed: 2)]))
        #expect(builder.outcome.violations == [])
    }

    @Test func `a notification that waits to be sent leaves the history undecided`() {
        var builder = HistoryBuilder()
        builder.read([Self.subscribed])
        builder.add(.notifications, .sent([Self.sent(1, signed: 1, state: "waiting", [])]))
        #expect(builder.outcome.violations == [])
        #expect(builder.outcome.undecided.count == 1)
    }
}
