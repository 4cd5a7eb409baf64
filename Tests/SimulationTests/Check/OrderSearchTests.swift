import Perennial
import Testing

@testable import PerennialSimulation

/// The search for an order of one customer's requests: requests at the same time, lost answers, and its limit.
struct OrderSearchTests {
    private func verdict(
        stepsMax: Int = HistoryCheck.stepsMax, _ build: (inout HistoryBuilder) -> Void
    ) -> OrderSearch.Verdict {
        var builder = HistoryBuilder()
        build(&builder)
        return OrderSearch(
            builder.operations.sorted { $0.begin < $1.begin }, products: HistoryBuilder.products, stepsMax: stepsMax
        ).run().verdict
    }

    @Test func `an honest history is explained`() {
        let verdict = verdict { history in
            history.buy("film", "k1", as: "1")
            history.buy("film", "k1", as: "1")
            history.buy("filter", "k1", .refused(code: "idempotencyKeyReused"))
            history.list([ListedTransaction("1")])
            history.add(.finish(customer: "ann", transaction: "1"), .done)
            history.add(.finish(customer: "ann", transaction: "1"), .done)
            history.add(.refund(customer: "ann", transaction: "1"), .done)
            history.add(.refund(customer: "ann", transaction: "1"), .refused(code: "alreadyRefunded"))
            history.list([ListedTransaction("1", refunded: true, finished: true)])
            history.add(.card(customer: "ann", isAccepted: false), .done)
            history.buy("film", "k2", .refused(code: "paymentDeclined"))
            history.add(.card(customer: "ann", isAccepted: true), .done)
            history.buy("film", "k2", .refused(code: "paymentDeclined"))
            history.buy("film", "k3", as: "3")
            history.list([ListedTransaction("1", refunded: true, finished: true), ListedTransaction("3")])
        }
        #expect(verdict == .explained)
    }

    @Test func `requests at the same time come in either order`() {
        for isListed in [true, false] {
            let verdict = verdict { history in
                history.add(
                    .buy(customer: "ann", product: "film", key: "k1"), .sold(transaction: "1", original: "1"), from: 1,
                    to: 10)
                history.add(
                    .list(customer: "ann"), .listed(isListed ? [ListedTransaction("1")] : []), from: 2, to: 9)
            }
            #expect(verdict == .explained)
        }
    }

    @Test func `a purchase without an answer happens later, or never`() {
        for isListed in [true, false] {
            let verdict = verdict { history in
                history.buy("film", "k1", .unknown(reason: "timed out"))
                history.list([])
                history.buy("film", "k2", as: "2")
                history.list([ListedTransaction("2")] + (isListed ? [ListedTransaction("1")] : []))
            }
            #expect(verdict == .explained)
        }
    }

    @Test func `a purchase without an answer is that of its repetition`() {
        let explained = verdict { history in
            history.buy("film", "k1", .unknown(reason: "timed out"))
            history.list([ListedTransaction("1")])
            history.buy("film", "k1", as: "1")
        }
        #expect(explained == .explained)
        let other = verdict { history in
            history.buy("film", "k1", .unknown(reason: "timed out"))
            history.list([ListedTransaction("2")])
            history.buy("film", "k1", as: "1")
        }
        #expect(other == .unexplained)
    }

    @Test func `a change of the card without an answer takes effect in between`() {
        let verdict = verdict { history in
            history.add(.card(customer: "ann", isAccepted: false), .unknown(reason: "connection failed"))
            history.buy("film", "k1", as: "1")
            history.buy("film", "k2", .refused(code: "paymentDeclined"))
            history.add(.card(customer: "ann", isAccepted: true), .done)
            history.buy("film", "k3", as: "3")
        }
        #expect(verdict == .explained)
    }

    @Test func `renewals come by themselves, and stay`() {
        let first = ListedTransaction(period: "1", of: "1", from: 1, to: 10)
        let second = ListedTransaction(period: "2", of: "1", from: 10, to: 20)
        let grows = verdict { history in
            history.buy("monthly", "k1", as: "1")
            history.buy("monthly", "k2", .refused(code: "alreadySubscribed"))
            history.list([first])
            history.list([first, second])
            history.add(.refund(customer: "ann", transaction: "2"), .done)
        }
        #expect(grows == .explained)
        let shrinks = verdict { history in
            history.buy("monthly", "k1", as: "1")
            history.list([first, second])
            history.list([first])
        }
        #expect(shrinks == .unexplained)
    }

    @Test func `a refund takes the free repeats along`() {
        let repeated = ListedTransaction(
            id: "2", original: "1", product: "filter", starts: "2026-01-01T00:00:00Z", revoked: "2026-01-02T00:00:00Z")
        let verdict = verdict { history in
            history.buy("filter", "k1", as: "1")
            history.buy("filter", "k2", .sold(transaction: "2", original: "1"))
            history.add(.refund(customer: "ann", transaction: "1"), .done)
            history.list([ListedTransaction("1", "filter", refunded: true), repeated])
        }
        #expect(verdict == .explained)
    }

    @Test func `a key is taken by a request whose answer was lost`() {
        let verdict = verdict { history in
            history.add(.card(customer: "ann", isAccepted: false), .done)
            history.buy("film", "k1", .unknown(reason: "timed out"))
            history.buy("filter", "k1", .refused(code: "idempotencyKeyReused"))
            history.list([])
        }
        #expect(verdict == .explained)
    }

    @Test func `a search that explodes ends at its limit, with customer and count`() throws {
        var builder = HistoryBuilder()
        // Each of the purchases may have happened between any two others, and a list contradicts all orders.
        for number in 1...14 {
            builder.buy("film", "k\(number)", .unknown(reason: "timed out"))
        }
        builder.list((1...14).map { ListedTransaction("\($0)") })
        builder.list((1...13).map { ListedTransaction("\($0)") } + [ListedTransaction("15")])
        let outcome = HistoryCheck([builder.history], stepsMax: 2000).run()
        let open = try #require(outcome.undecided.first { $0.customer == "ann" })
        #expect(open.steps >= 2000)
        #expect(open.unknown == 14)
        #expect(!outcome.succeeded)
    }

    @Test func `many repetitions without an answer take few steps`() {
        var builder = HistoryBuilder()
        for number in 1...20 {
            for _ in 1...10 { builder.buy("film", "k\(number)", .unknown(reason: "timed out")) }
            for _ in 1...3 { builder.add(.card(customer: "ann", isAccepted: true), .unknown(reason: "timed out")) }
            builder.buy("film", "k\(number)", as: "\(number)")
            builder.list((1...number).map { ListedTransaction("\($0)") })
        }
        let outcome = builder.outcome
        #expect(outcome.violations == [])
        #expect(outcome.steps < 20_000)
    }

    @Test func `many requests in a row take few steps`() {
        var builder = HistoryBuilder()
        for number in 1...100 {
            builder.buy("film", "k\(number)", as: "\(number)")
            builder.list((1...number).map { ListedTransaction("\($0)") })
        }
        let outcome = builder.outcome
        #expect(outcome.violations == [])
        #expect(outcome.steps < 1000)
    }
}
