import Perennial
import PerennialStorage

/// Whether a store can sell.
package enum Readiness: Sendable, Equatable {
    case ready
    /// With a word for programs and the reason for an operator.
    case notReady(status: String, reason: String)
}

extension StoreRegistry {
    /// Whether the database would take a sale now: a transaction that writes is begun, and ended without a change.
    ///
    /// - Parameter limit: Waits for as long as that may take. Where the database doesn't answer by then, it isn't ready.
    package func readiness(within limit: @escaping @Sendable () async throws -> Void) async -> Readiness {
        let (answers, tell) = AsyncStream<Readiness>.makeStream()
        // Not children of this task: what the database doesn't answer can't be cancelled, and isn't waited for.
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
        return .notReady(status: "unavailable", reason: "nobody waits for the answer any more")
    }
}
