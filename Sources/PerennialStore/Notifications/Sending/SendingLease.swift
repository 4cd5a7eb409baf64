import Perennial
import PerennialStorage

/// A node's lease to send an app's notifications, held while it has some to send.
///
/// A node starts attempts only while no other node can have taken it for dead, and gives up those in flight otherwise. If a
/// suspended node comes back, two attempts of one notification may arrive, which receivers recognise by its UUID; what the
/// late node writes about it is refused.
struct SendingLease: Sendable {
    private let context: StoreContext
    private let lease: WorkLease

    var app: Int64 { lease.key.app }

    static func key(app: Int64, in environment: StoreEnvironment) -> LeasesTable.Key {
        LeasesTable.Key(.notifications, environment.id, app: app)
    }

    /// Makes a lease to acquire in a transaction.
    static func new(app: Int64, _ context: StoreContext) async throws -> (lease: SendingLease, node: Int64) {
        let (lease, node) = try await context.nodes.newLease(key(app: app, in: context.environment))
        return (SendingLease(context: context, lease: lease), node)
    }

    /// Acquires the lease.
    ///
    /// - Returns: False if another node holds it.
    func acquire(for node: Int64, on connection: any Connection) throws -> Bool {
        try lease.token.map { try LeasesTable.acquire(lease.key, node: node, token: $0, on: connection) } ?? false
    }

    /// Returns true if an attempt may start: no other node can have taken over.
    var allowsAttempt: Bool { context.nodes.isAlone || context.nodes.isValid }

    /// Waits for a heartbeat, and checks that no other node has taken over.
    ///
    /// - Throws: ``LeaseLost``, `StorageError`.
    func confirm() async throws {
        try await context.nodes.beatIfDue()
        try await context.database.write { try check(on: $0) }
    }

    /// Checks that no other node has taken over, and keeps the lease until the transaction has ended.
    ///
    /// - Throws: ``LeaseLost``, `StorageError`.
    func check(on connection: any Connection) throws { try lease.check(on: connection) }

    /// Releases the lease.
    func release() async throws {
        try await context.database.write { try lease.release(on: $0) }
    }

    /// Runs an operation, and cancels it when another node may take over.
    func whileHeld<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        let task = Task { await work() }
        let observer = context.nodes.addObserver { task.cancel() }
        defer { context.nodes.removeObserver(observer) }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
