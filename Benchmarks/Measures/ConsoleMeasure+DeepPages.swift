import BaseEncoding
import Foundation
import Perennial

/// Pages far down the console's long lists beside the first ones: a page is found by a key, so that its place makes no
/// difference.
extension ConsoleMeasure {
    private static let rounds = 41
    /// A page is as fast as the first one but for what the machine does at the time.
    private static let mostTimes = 1.5

    static func deepPages(of year: SalesYear, _ visitor: Visitor) async throws -> [Figure] {
        let transactions = year.transactions / 10 * 9
        // Of names in their order, one in ten comes after this one.
        let customers = Hexadecimal.encode("customer9".utf8)
        return [
            try await figure(
                "page of transactions after \(transactions) others", "transactions",
                after: year.cursor(after: transactions), visitor),
            try await figure(
                "page of customers after nine in ten", "customers", after: customers, visitor),
        ]
    }

    /// Measures both pages in turn, as what disturbs one of them then disturbs the other.
    private static func figure(
        _ name: String, _ path: String, after cursor: String, _ visitor: Visitor
    ) async throws -> Figure {
        var (first, deep): ([Double], [Double]) = ([], [])
        var bytes = (first: 0, deep: 0)
        for _ in 0..<rounds {
            first.append(try await milliseconds(path, visitor) { bytes.first = $0 })
            deep.append(try await milliseconds("\(path)?after=\(cursor)", visitor) { bytes.deep = $0 })
        }
        return Figure(
            "\(name), beside the first page", "ms", ours: deep.median, limit: first.median, .atMost(mostTimes),
            notes: ["\(path): \(bytes.first) bytes, \(bytes.deep) bytes far down"])
    }

    private static func milliseconds(
        _ path: String, _ visitor: Visitor, _ note: (_ bytes: Int) -> Void
    ) async throws -> Double {
        var answer = (status: 0, bytes: 0, isUnderWay: false)
        let seconds = try await Stopwatch.seconds { answer = try await visitor.get(path) }
        guard answer.status == 200 else { throw BenchmarkError("\(path): \(answer.status)") }
        note(answer.bytes)
        return seconds * 1000
    }
}
