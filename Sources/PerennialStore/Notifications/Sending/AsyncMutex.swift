import Synchronization

/// A mutex for asynchronous work, one for each app: the clock that is advanced and the scheduler take turns to send an
/// app's notifications.
final class AsyncMutex: Sendable {
    private let waiting = Mutex<[Int64: [CheckedContinuation<Void, Never>]]>([:])

    /// Runs an operation while no other one runs for the app.
    func run<Value: Sendable>(app: Int64, _ body: () async throws -> Value) async rethrows -> Value {
        await acquire(app)
        defer { release(app) }
        return try await body()
    }

    private func acquire(_ app: Int64) async {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                if waiting[app]?.append(continuation) != nil { return false }
                waiting[app] = []
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func release(_ app: Int64) {
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
