import Perennial
import PerennialStorage

/// A node's lease to send an app's notifications. It outlasts the longest attempt and is renewed between attempts. So the
/// lease of a node that dies expires soon, and a live node keeps it.
///
/// Leases expire by the wall clock, whatever the environment's: the nodes' clocks must agree to within
/// ``minimumRenewalInterval``. If they don't, two nodes may send the same notification, which receivers recognize by its
/// UUID.
struct SendingLease: Sendable {
    /// Another node has taken over.
    struct Lost: Error {}

    /// The minimum interval between lease renewals, in milliseconds.
    static let minimumRenewalInterval: Int64 = .seconds(10)
    /// The time for writing an attempt's outcome.
    private static let margin: Int64 = .seconds(5)

    let app: Int64
    private let context: StoreContext
    private let token: Int64
    private let longestAttempt: Int64
    private var until: Instant

    /// Acquires the lease.
    ///
    /// - Returns: `nil` if another node holds it.
    static func take(
        app: Int64, _ settings: NotificationSettings, _ context: StoreContext, on connection: any Connection
    ) throws -> SendingLease? {
        let copies = settings.faults.map { $0.duplicates + ($0.stale ? 1 : 0) } ?? 0
        let longest = settings.timeout * (1 + copies) + margin
        let now = context.clock.wallClockNow
        let until = now + (longest + minimumRenewalInterval)
        let token = try NotificationLeasesTable.acquire(
            until: until, at: now, app: app, context.environment.id, on: connection)
        return token.map { SendingLease(app: app, context: context, token: $0, longestAttempt: longest, until: until) }
    }

    /// Returns true if an attempt that starts now ends within the lease.
    func coversAttempt(at now: Instant) -> Bool { now + longestAttempt <= until }

    /// Renews the lease for a ``minimumRenewalInterval`` more than an attempt takes, so that it is written once in that
    /// interval, however many attempts start.
    ///
    /// - Throws: ``Lost``, `StorageError`.
    func extended() async throws -> SendingLease {
        var lease = self
        lease.until = context.clock.wallClockNow + (longestAttempt + Self.minimumRenewalInterval)
        try await context.database.write { [lease] in try lease.extend(on: $0) }
        return lease
    }

    /// Checks that no other node has taken over, and renews the lease until the transaction has ended.
    ///
    /// - Throws: ``Lost``, `StorageError`.
    func check(on connection: any Connection) throws {
        var lease = self
        lease.until = max(until, context.clock.wallClockNow + (longestAttempt + Self.minimumRenewalInterval))
        try lease.extend(on: connection)
    }

    private func extend(on connection: any Connection) throws {
        let isHeld = try NotificationLeasesTable.extend(
            token, until: until, app: app, context.environment.id, on: connection)
        guard isHeld else { throw Lost() }
    }

    /// Releases the lease.
    func release() async throws {
        try await context.database.write { [self] in
            try NotificationLeasesTable.release(token, app: app, context.environment.id, on: $0)
        }
    }
}
