import Foundation
import HTTPTypes
import OpenStoreKit
import Synchronization
import TestRandomness

/// Random faults between a device and its store.
///
/// Each fault depends on the seed, the path and the number of requests to the path, and not on the order of concurrent workers, so
/// that runs of a seed are the same.
final class RandomFaults: Transport {
    private let store: FakeStore
    private let ledger: Ledger
    private let crash: CrashPoint
    private let seed: UInt64
    private let counts = Mutex<[String: UInt64]>([:])
    private let calm: Bool

    init(_ store: FakeStore, ledger: Ledger, crash: CrashPoint, seed: UInt64, isCalm: Bool = false) {
        self.store = store
        self.ledger = ledger
        self.crash = crash
        self.seed = seed
        self.calm = isCalm
    }

    func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        let path = call.url.path
        let count = counts.withLock { counts in
            counts[path, default: 0] += 1
            return counts[path] ?? 0
        }
        var generator = SeededGenerator(seed: seed ^ path.utf8.reduce(count) { $0 &* 1_099_511_628_211 ^ UInt64($1) })
        try crash.step()
        for _ in 0..<Int.random(in: 0..<4, using: &generator) { await Task.yield() }
        let roll = calm ? 100 : Int.random(in: 0..<100, using: &generator)
        switch roll {
        case 0..<6: throw TransportError(.noConnection, url: call.url, reason: "the request is lost")
        case 6..<10: return HTTPAnswer(status: 503)
        case 10..<22:
            _ = try await carriedOut(call, maximumBytes)
            throw TransportError(.timedOut, url: call.url, reason: "the answer is lost")
        case 22..<26:
            _ = try await carriedOut(call, maximumBytes)
            return HTTPAnswer(status: 500)
        case 26..<29:
            // A hotel's network, a proxy, a limit on requests.
            let status = [302, 407, 429, 403, 404].randomElement(using: &generator) ?? 302
            return HTTPAnswer(status: status, body: Data("<html>".utf8))
        case 29..<33: return .error(401, "unauthorized", 1)
        default: return try await carriedOut(call, maximumBytes)
        }
    }

    private func carriedOut(_ call: HTTPCall, _ maximumBytes: Int) async throws -> HTTPAnswer {
        let parts = call.url.path.split(separator: "/")
        if parts.last == "finish", parts.count > 1 { ledger.finishReached(String(parts[parts.count - 2])) }
        let answer = try await store.send(call, maximumBytes: maximumBytes)
        for _ in 0..<2 { await Task.yield() }
        try crash.step()
        return answer
    }

    func stream(_ call: HTTPCall) async throws -> StreamedAnswer { try await store.stream(call) }
}

/// Deliveries over all runs of the app, with violations.
final class Ledger: Sendable {
    private struct State {
        var delivered: [String] = []
        /// Purchases finished on disk before the process ended.
        var finished: Set<String> = []
        var violations: [String] = []
    }

    private let state = Mutex(State())

    var delivered: [String] { state.withLock { $0.delivered } }
    var violations: [String] { state.withLock { $0.violations } }

    func deliver(_ id: String) {
        state.withLock { state in
            if state.finished.contains(id) { state.violations.append("\(id) was told again after it was finished") }
            if !state.delivered.contains(id) { state.delivered.append(id) }
        }
    }

    func finished(_ id: String) {
        state.withLock { _ = $0.finished.insert(id) }
    }

    func finishReached(_ id: String) {
        state.withLock { state in
            if !state.delivered.contains(id) {
                state.violations.append("the store was told that \(id) is finished, and it was never delivered")
            }
        }
    }
}

/// An app that delivers purchases at once, and finishes them then or a little later.
final class DeliveringApp: NSObject, SKPaymentTransactionObserver, Sendable {
    private let ledger: Ledger
    private let crash: CrashPoint
    private let seed: UInt64
    private let later = Mutex<[SKPaymentTransaction]>([])
    private let refusals = Mutex(0)

    /// Number of failed payments.
    var failures: Int { refusals.withLock { $0 } }

    init(_ ledger: Ledger, _ crash: CrashPoint, seed: UInt64) {
        self.ledger = ledger
        self.crash = crash
        self.seed = seed
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where !crash.hasCrashed {
            switch transaction.transactionState {
            case .purchasing, .deferred: break
            case .failed:
                refusals.withLock { $0 += 1 }
                queue.finishTransaction(transaction)
            case .purchased, .restored:
                let id = transaction.transactionIdentifier ?? ""
                ledger.deliver(id)
                if (seed ^ UInt64(id.utf8.last ?? 0)).isMultiple(of: 3) {
                    later.withLock { $0.append(transaction) }
                } else {
                    finish(transaction, queue)
                }
            }
        }
    }

    func finishAll(_ queue: SKPaymentQueue) {
        let transactions = later.withLock { later in
            defer { later = [] }
            return later
        }
        var seen: Set<String> = []
        for transaction in transactions where seen.insert(transaction.transactionIdentifier ?? "").inserted {
            finish(transaction, queue)
        }
    }

    private func finish(_ transaction: SKPaymentTransaction, _ queue: SKPaymentQueue) {
        queue.finishTransaction(transaction)
        if !crash.hasCrashed { ledger.finished(transaction.transactionIdentifier ?? "") }
    }
}
