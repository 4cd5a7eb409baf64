import Perennial
import PerennialStorage

/// The only clock of an environment. Nothing else in the store reads the time.
struct StoreClock: Sendable {
    private let environment: StoreEnvironment
    private let wallClock: @Sendable () -> Instant

    init(_ environment: StoreEnvironment, wallClock: @escaping @Sendable () -> Instant) {
        self.environment = environment
        self.wallClock = wallClock
    }

    /// The wall clock's time if the environment runs on real time.
    var realTimeNow: Instant? { environment.clock == .real ? wallClock() : nil }

    /// The wall clock's time, whatever the environment's clock. Leases between nodes expire by it.
    var wallClockNow: Instant { wallClock() }

    /// Returns the environment's time. A manual clock's time is stored in the database, so that all nodes agree.
    func now(on connection: any Connection) throws -> Instant {
        switch environment.clock {
        case .real: wallClock()
        case .manual: try EnvironmentsTable.manualNow(environment.id, on: connection) ?? wallClock()
        }
    }
}
