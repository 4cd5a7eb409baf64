import Perennial
import PerennialStorage

/// A node's turn to deliver an app's notifications. It lasts for as long as the longest attempt may take, and is made longer
/// between attempts: a node that dies leaves its turn to others soon, and one that lives is never overtaken.
///
/// The time of turns is the world's, whatever the environment's: nodes' clocks must agree to within ``pause``. Where they
/// don't, two nodes may send the same notification, which receivers know by its UUID.
struct DeliveryClaim: Sendable {
    /// Another node has taken over.
    struct Lost: Error {}

    /// How long a claim isn't extended again, in milliseconds.
    static let pause: Int64 = .seconds(10)
    /// For writing what became of an attempt.
    private static let margin: Int64 = .seconds(5)

    let app: Int64
    private let store: Store
    private let turn: Int64
    private let longestAttempt: Int64
    private var until: Instant

    /// - Returns: `nil` where it is another node's turn.
    static func take(
        app: Int64, _ settings: NotificationSettings, in store: Store, on connection: any Connection
    ) throws -> DeliveryClaim? {
        let copies = settings.trouble.map { $0.duplicates + ($0.stale ? 1 : 0) } ?? 0
        let longest = settings.timeout * (1 + copies) + margin
        let now = store.clock.world
        let until = now + (longest + pause)
        let turn = try NotificationClaimsTable.take(
            until: until, at: now, app: app, store.environment.id, on: connection)
        return turn.map { DeliveryClaim(app: app, store: store, turn: $0, longestAttempt: longest, until: until) }
    }

    /// Whether an attempt that begins now ends within the turn.
    func isLongEnough(at now: Instant) -> Bool { now + longestAttempt <= until }

    /// Makes the turn longer, by a ``pause`` more than an attempt needs: however many begin, it is written once in a pause.
    ///
    /// - Throws: ``Lost``, `StorageError`.
    func extended() async throws -> DeliveryClaim {
        var claim = self
        claim.until = store.clock.world + (longestAttempt + Self.pause)
        try await store.database.write { [claim] in try claim.extend(on: $0) }
        return claim
    }

    /// Makes sure that nobody has taken over, nor does before the transaction has ended.
    ///
    /// - Throws: ``Lost``, `StorageError`.
    func check(on connection: any Connection) throws {
        var claim = self
        claim.until = max(until, store.clock.world + (longestAttempt + Self.pause))
        try claim.extend(on: connection)
    }

    private func extend(on connection: any Connection) throws {
        let isHeld = try NotificationClaimsTable.extend(
            turn, until: until, app: app, store.environment.id, on: connection)
        guard isHeld else { throw Lost() }
    }

    /// Leaves the next turn to anybody.
    func release() async throws {
        try await store.database.write { [self] in
            try NotificationClaimsTable.release(turn, app: app, store.environment.id, on: $0)
        }
    }
}
