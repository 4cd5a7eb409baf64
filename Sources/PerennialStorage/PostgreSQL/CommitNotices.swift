import CPostgreSQL
import Synchronization

/// The server's notices to a connection, of which one counts: a commit's wait for the synchronous standby was cancelled.
///
/// An operator's `pg_cancel_backend` ends the wait with a warning, and the server answers `COMMIT` all the same: the transaction
/// is on the primary's disk, and a failover loses it.
///
/// Source: PostgreSQL's documentation, "Synchronous Replication", and its source, `SyncRepWaitForLSN`.
final class CommitNotices {
    private let cancelled = Atomic(false)

    /// Receives a connection's notices from now on. The connection must end before this object does.
    func receive(on connection: OpaquePointer) {
        let receiver: PQnoticeReceiver = { place, result in
            guard let place, CommitNotices.isCancelledWait(result) else { return }
            Unmanaged<CommitNotices>.fromOpaque(place).takeUnretainedValue().cancelled
                .store(true, ordering: .relaxed)
        }
        PQsetNoticeReceiver(connection, receiver, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Returns true if a wait was cancelled since the last call.
    func takeCancelledWait() -> Bool { cancelled.exchange(false, ordering: .relaxed) }

    /// Recognises the warning by the function of the server that makes it, because its text is in the server's language.
    private static func isCancelledWait(_ result: OpaquePointer?) -> Bool {
        guard let function = PQresultErrorField(result, Int32(PostgreSQLField.function.value)) else { return false }
        return String(cString: function) == "SyncRepWaitForLSN"
    }
}
