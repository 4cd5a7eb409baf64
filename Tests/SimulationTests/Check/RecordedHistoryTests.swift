import Foundation
import Perennial
import Testing

@testable import PerennialSimulation

/// Histories as JSON lines: what is written is read, and bad lines are named.
struct RecordedHistoryTests {
    private static var history: RecordedHistory {
        var builder = HistoryBuilder()
        builder.add(.customer("ann"), .done)
        builder.buy("film", "k1", as: "1")
        builder.buy("film", "k2", .refused(code: "paymentDeclined"))
        builder.buy("film", "k3", .unknown(reason: "HTTP 503"))
        builder.add(.card(customer: "ann", isAccepted: false), .done)
        builder.add(.refund(customer: "ann", transaction: "1"), .done)
        builder.add(.finish(customer: "ann", transaction: "1"), .refused(code: "transactionNotFound"))
        builder.list([
            ListedTransaction("1", refunded: true), ListedTransaction(period: "2", of: "2", from: 1, to: 9),
        ])
        builder.add(.clock, .time(Instant(milliseconds: 1_767_225_600_789)))
        builder.add(.advance(by: "P1D"), .unknown(reason: "timed out"))
        builder.setPrice(1_990)
        builder.setPrice(2_990, .failed(reason: "HTTP 500"))
        builder.read([RecordedEntry(1, "purchased", "1")])
        let notification = RecordedNotification(
            uuid: "u", type: "SUBSCRIBED", original: "1", transaction: "1", signed: 5, digest: "d")
        builder.add(.notified(notification, status: 200), .done)
        builder.add(.notifications, .sent([notification]))
        return builder.history
    }

    @Test func `a history is read as it was written`() throws {
        let read = try RecordedHistory(try Self.history.data(), name: "h")
        #expect(read.header == Self.history.header)
        #expect(read.operations == Self.history.operations)
        #expect(read.trailer == Self.history.trailer)
    }

    @Test func `the form of an operation is that of the reference`() throws {
        var builder = HistoryBuilder()
        builder.add(
            .buy(customer: "ann", product: "film", key: "k1"), .sold(transaction: "1", original: "1"), from: 1500,
            to: 1750)
        let lines = String(decoding: try builder.history.data(), as: UTF8.self).split(separator: "\n")
        #expect(
            lines[1] == """
                {"answer":"sold","begin":1500,"client":0,"customer":"ann","do":"buy","end":1750,"key":"k1","node":0,"op":1,\
                "original":"1","product":"film","transaction":"1"}
                """)
    }

    private static let header =
        #"{"app":"a","clients":1,"clock":"manual","environment":"e","history":1,"#
        + #""nodes":[],"products":{},"seed":1,"started":"2026-01-01T00:00:00Z"}"#

    static let malformed = [
        ("", 1, "first line"), ("{}", 1, "first line"),
        (header.replacing(#""history":1"#, with: #""history":2"#), 1, "form 2"),
        (header + "\nx\n" + #"{"end":1,"isComplete":true,"operations":0}"#, 2, "no operation"),
        (header + "\n" + #"{"op":1,"client":0,"begin":2,"end":1,"do":"clock","answer":"done"}"#, 2, "before it begins"),
        (header + "\n" + #"{"op":1,"client":0,"begin":1,"end":2,"do":"buy","answer":"done"}"#, 2, "no customer"),
        (
            header + "\n" + #"{"op":1,"client":0,"begin":1,"end":2,"do":"list","customer":"a","answer":"done"}"#, 2,
            "no answer to list"
        ),
        (
            header + "\n"
                + #"{"op":1,"client":0,"begin":1,"end":2,"do":"card","customer":"a","method":"x","answer":"done"}"#,
            2, "method is"
        ),
        (
            header + "\n" + #"{"op":1,"client":0,"begin":1,"end":2,"do":"clock","answer":"time","now":"soon"}"#, 2,
            "RFC 3339"
        ),
        (
            header + "\n" + #"{"end":1,"isComplete":true,"operations":0}"# + "\n"
                + #"{"end":1,"isComplete":true,"operations":0}"#, 3, "last line"
        ),
    ]

    @Test(arguments: malformed)
    func `a bad line is named`(text: String, line: Int, reason: String) throws {
        let error = try #require(throws: HistoryError.self) { try RecordedHistory(Data(text.utf8), name: "h.jsonl") }
        #expect(error.line == line)
        #expect(error.description.hasPrefix("h.jsonl, line \(line): "))
        #expect(error.reason.contains(reason), "\(error)")
    }

    @Test func `a history that was cut off is undecided`() throws {
        let whole = try Self.history.data()
        let read = try RecordedHistory(whole.dropLast(40), name: "h")
        #expect(read.trailer == nil)
        let outcome = HistoryCheck([read]).run()
        #expect(outcome.undecided.contains { $0.what.contains("cut off") })
    }

    @Test func `a history without its last readings is undecided`() {
        var builder = HistoryBuilder()
        builder.isComplete = false
        #expect(builder.outcome.undecided.contains { $0.what.contains("ends without") })
    }

    @Test func `a customer of two histories is undecided`() {
        var builder = HistoryBuilder()
        builder.buy("film", "k1", as: "1")
        let outcome = HistoryCheck([builder.history, builder.history]).run()
        #expect(outcome.undecided.contains { $0.customer == "ann" })
    }
}
