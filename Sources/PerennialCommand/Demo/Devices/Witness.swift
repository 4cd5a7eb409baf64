import Foundation
import OpenStoreKit
import Synchronization

/// The app's observer of its payment queue: remembers what it was told, in order, and lets the story wait for it.
final class Witness: SKPaymentTransactionObserver {
    struct Sighting: Sendable {
        let transaction: SKPaymentTransaction
        /// When it was told; the transaction may have gone on since.
        let state: SKPaymentTransactionState
        let product: String
    }

    enum Event: Sendable {
        case updated(Sighting)
        case removed(SKPaymentTransaction)
        case restoreFinished
        case restoreFailed(any Error)

        var sighting: Sighting? {
            if case .updated(let sighting) = self { sighting } else { nil }
        }
    }

    private struct State {
        var events: [Event] = []
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextListener = 0
    }

    /// How long anything may take that a customer waits for.
    private static let patience = Duration.seconds(15)

    private let state = Mutex(State())

    // MARK: What the story asks

    /// How much was heard so far.
    var mark: Int { state.withLock { $0.events.count } }

    func events(since mark: Int = 0) -> [Event] {
        state.withLock { Array($0.events.dropFirst(mark)) }
    }

    /// Every transaction that was told of in this state.
    func transactions(_ wanted: SKPaymentTransactionState, since mark: Int = 0) -> [SKPaymentTransaction] {
        events(since: mark).compactMap(\.sighting).filter { $0.state == wanted }.map(\.transaction)
    }

    /// Waits until what was heard holds something.
    ///
    /// - Throws: ``Unexpected`` where it takes too long.
    @discardableResult
    func waits<Found: Sendable>(
        for what: String, since mark: Int, _ pick: @escaping @Sendable ([Event]) -> Found?
    ) async throws -> Found {
        try await within(Self.patience, what) { [self] in
            for await _ in changes() {
                if let found = pick(events(since: mark)) { return found }
            }
            throw CancellationError()
        }
    }

    /// A beat now, and whenever something was heard.
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

    private func hear(_ events: [Event]) {
        let listeners = state.withLock { state in
            state.events += events
            return Array(state.listeners.values)
        }
        listeners.forEach { $0.yield() }
    }

    // MARK: What the queue tells

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        hear(
            transactions.map {
                .updated(
                    Sighting(transaction: $0, state: $0.transactionState, product: $0.payment.productIdentifier))
            })
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        hear(transactions.map { .removed($0) })
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        hear([.restoreFinished])
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        hear([.restoreFailed(error)])
    }
}
