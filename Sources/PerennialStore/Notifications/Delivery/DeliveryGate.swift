import Synchronization

/// Lets one at a time deliver an app's notifications: the clock that is moved, or the one that watches.
final class DeliveryGate: Sendable {
    private let waiting = Mutex<[Int64: [CheckedContinuation<Void, Never>]]>([:])

    /// Runs a body when nobody else runs one for the app.
    func run<Value: Sendable>(app: Int64, _ body: () async throws -> Value) async rethrows -> Value {
        await enter(app)
        defer { leave(app) }
        return try await body()
    }

    private func enter(_ app: Int64) async {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                if waiting[app]?.append(continuation) != nil { return false }
                waiting[app] = []
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave(_ app: Int64) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard let line = waiting[app], !line.isEmpty else {
                waiting[app] = nil
                return nil
            }
            return waiting[app]?.removeFirst()
        }
        next?.resume()
    }
}
