import Foundation
import Perennial
import Synchronization

/// Writes operations as they end, and counts them.
package final class HistoryRecorder: Sendable {
    /// The numbers of an exercise.
    package struct Summary: Sendable, Equatable, Codable {
        package var operations = 0
        package var answered = 0
        package var refused = 0
        package var unknown = 0
        package var sales = 0
        package var renewals = 0
        package var customers = 0
        package var notifications = 0
        /// Nodes that were killed and started again.
        package var kills = 0
        /// The longest time without an acknowledged sale, and the second of the exercise in which it ended.
        package var longestGapMilliseconds = 0
        package var longestGapEndSecond = 0
        /// Acknowledged sales in each second of the exercise.
        package var salesBySecond: [Int] = []
        /// True if everything was read at the end.
        package var isComplete = false
    }

    fileprivate struct State {
        var started = 0
        var summary = Summary()
        var lastSale: Int64 = 0
        var isMeasuring = false
        var renewals: Set<String> = []
    }

    private let state = Mutex(State())
    private let time: ExerciseTime
    /// The writer, called with whole lines, one call at a time.
    private let write: @Sendable (Data) throws -> Void

    package init(_ time: ExerciseTime, write: @escaping @Sendable (Data) throws -> Void) {
        self.time = time
        self.write = write
    }

    package var summary: Summary { state.withLock { $0.summary } }

    func open(_ header: RecordedHistory.Header) throws { try write(RecordedHistory.line(header)) }

    /// Counts a node that was killed and runs again.
    func killed() { state.withLock { $0.summary.kills += 1 } }

    /// Starts and ends the measurement of sales.
    func measure(_ isMeasuring: Bool) {
        let now = time.now()
        state.withLock { state in
            if state.isMeasuring { state.recordGap(until: now) }
            state.isMeasuring = isMeasuring
            state.lastSale = now
        }
    }

    /// Numbers an operation that begins, and says when.
    func begin() -> (number: Int, at: Int64) {
        let number = state.withLock { state in
            state.started += 1
            return state.started
        }
        return (number, time.now())
    }

    /// Writes an operation that has ended.
    ///
    /// - Throws: The writer's errors: a history that can't be written is worth nothing.
    func record(
        _ begun: (number: Int, at: Int64), client: Int, node: Int?, _ request: RecordedOperation.Request,
        _ answer: RecordedOperation.Answer
    ) throws {
        let operation = RecordedOperation(
            number: begun.number, client: client, node: node, begin: begun.at, end: time.now(), request: request,
            answer: answer)
        let line = try RecordedHistory.line(HistoryLine(operation))
        try state.withLock { state in
            state.count(operation)
            try write(line)
        }
    }

    func close(missing: String?) throws {
        let end = time.now()
        try state.withLock { state in
            state.summary.isComplete = missing == nil
            state.summary.renewals = state.renewals.count
            try write(
                RecordedHistory.line(
                    RecordedHistory.Trailer(
                        end: end, isComplete: missing == nil, operations: state.summary.operations, missing: missing)))
        }
    }
}

extension HistoryRecorder.State {
    private static let microseconds: Int64 = 1_000_000

    fileprivate mutating func count(_ operation: RecordedOperation) {
        summary.operations += 1
        switch operation.answer {
        case .unknown, .failed: summary.unknown += 1
        case .refused: summary.refused += 1
        default: summary.answered += 1
        }
        switch (operation.request, operation.answer) {
        case (.buy, .sold):
            summary.sales += 1
            guard isMeasuring else { return }
            recordGap(until: operation.end)
            lastSale = operation.end
            let second = Int(operation.end / Self.microseconds)
            while summary.salesBySecond.count <= second { summary.salesBySecond.append(0) }
            summary.salesBySecond[second] += 1
        case (.customer, .done): summary.customers += 1
        case (.notified, _): summary.notifications += 1
        case (_, .entries(let entries)):
            for entry in entries where entry.kind == JournalEntry.Kind.subscription(.renewed).rawValue {
                renewals.insert(entry.transaction ?? "\(entry.position)")
            }
        default: break
        }
    }

    fileprivate mutating func recordGap(until now: Int64) {
        let gap = Int((now - lastSale) / 1000)
        guard gap > summary.longestGapMilliseconds else { return }
        summary.longestGapMilliseconds = gap
        summary.longestGapEndSecond = Int(now / Self.microseconds)
    }
}
