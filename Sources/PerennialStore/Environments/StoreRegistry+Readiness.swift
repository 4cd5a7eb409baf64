import Perennial
import PerennialStorage

/// Readiness of a store to sell.
package enum Readiness: Sendable, Equatable {
    case ready
    /// The status is for programs, the reason for operators.
    case notReady(status: String, reason: String)
}

extension StoreRegistry {
    /// Checks that the database accepts writes: begins a write transaction and ends it without a change.
    ///
    /// - Parameter limit: Waits for the longest time that the check may take. A database that doesn't answer by then isn't
    ///   ready.
    package func readiness(within limit: @escaping @Sendable () async throws -> Void) async -> Readiness {
        let (answers, tell) = AsyncStream<Readiness>.makeStream()
        // Not child tasks: a call that the database doesn't answer can't be cancelled, and must not be waited for.
        Task { [database] in
            do {
                _ = try await database.write { try EnvironmentsTable.named(StoreEnvironment.production.name, on: $0) }
                tell.yield(.ready)
            } catch let error as StorageError {
                tell.yield(.notReady(status: error.code.rawValue, reason: "the database can't be written to"))
            } catch {
                tell.yield(.notReady(status: "unavailable", reason: "the database can't be written to"))
            }
        }
        let timer = Task {
            try await limit()
            tell.yield(
                .notReady(status: StorageError.Code.unresponsive.rawValue, reason: "the database doesn't answer"))
        }
        defer { timer.cancel() }
        for await answer in answers { return answer }
        return .notReady(status: "unavailable", reason: "the check was cancelled")
    }
}
