import Foundation
import OpenStoreKit
import Synchronization

/// The app's observer of its payment queue: records what the queue reported, in order.
final class RecordingObserver: NSObject, SKPaymentTransactionObserver, Sendable {
    struct Observation: Sendable {
        let transaction: SKPaymentTransaction
        /// The state at the time of the report; the transaction may have moved on since.
        let state: SKPaymentTransactionState
        let product: String
    }

    enum Event: Sendable {
        case updated(Observation)
        case removed(SKPaymentTransaction)
        case restoreFinished
        case restoreFailed(any Error)

        var observation: Observation? {
            if case .updated(let observation) = self { observation } else { nil }
        }
    }

    private struct State {
        var events: [Event] = []
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextListener = 0
    }

    /// The longest wait for one event.
    private static let timeout = Duration.seconds(15)

    private let state = Mutex(State())

    // MARK: Observations

    /// The number of events so far.
    var mark: Int { state.withLock { $0.events.count } }

    func events(since mark: Int = 0) -> [Event] {
        state.withLock { Array($0.events.dropFirst(mark)) }
    }

    /// Returns the transactions that were reported in a state.
    func transactions(_ wanted: SKPaymentTransactionState, since mark: Int = 0) -> [SKPaymentTransaction] {
        events(since: mark).compactMap(\.observation).filter { $0.state == wanted }.map(\.transaction)
    }

    /// Waits until an event matches.
    ///
    /// - Throws: ``Unexpected`` where it takes too long.
    @discardableResult
    func waits<Found: Sendable>(
        for what: String, since mark: Int, _ pick: @escaping @Sendable ([Event]) -> Found?
    ) async throws -> Found {
        try await within(Self.timeout, what) { [self] in
            for await _ in changes() {
                if let found = pick(events(since: mark)) { return found }
            }
            throw CancellationError()
        }
    }

    /// A wake-up now, and one for each further report.
    private func changes() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state in
                defer { state.nextListener += 1 }
                state.listeners[state.nextListener] = continuation
                return state.nextListener
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
            }
            continuation.yield()
        }
    }

    private func record(_ events: [Event]) {
        let listeners = state.withLock { state in
            state.events += events
            return Array(state.listeners.values)
        }
        listeners.forEach { $0.yield() }
    }

    // MARK: SKPaymentTransactionObserver

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        record(
            transactions.map {
                .updated(
                    Observation(transaction: $0, state: $0.transactionState, product: $0.payment.productIdentifier))
            })
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        record(transactions.map { .removed($0) })
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        record([.restoreFinished])
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        record([.restoreFailed(error)])
    }
}
