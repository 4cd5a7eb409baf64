import Perennial
import PerennialStorage

/// The one clock of an environment. Nothing else in the store reads the time.
struct StoreClock: Sendable {
    private let environment: StoreEnvironment
    private let wallClock: @Sendable () -> Instant

    init(_ environment: StoreEnvironment, wallClock: @escaping @Sendable () -> Instant) {
        self.environment = environment
        self.wallClock = wallClock
    }

    /// The world's time, where the environment runs on it.
    var wall: Instant? { environment.clock == .real ? wallClock() : nil }

    /// The world's time, whatever the environment's: by it nodes take turns.
    var world: Instant { wallClock() }

    /// The environment's time. A manual clock stands in the database, so that all nodes agree.
    func now(on connection: any Connection) throws -> Instant {
        switch environment.clock {
        case .real: wallClock()
        case .manual: try EnvironmentsTable.manualNow(environment.id, on: connection) ?? wallClock()
        }
    }
}

extension Store {
    /// Empties the environment: accounts, devices, purchases, journal. Catalog and keys stay, and so does the clock. An advance
    /// that is under way fails.
    package func reset() async throws {
        // In a commit of its own: an advance ends before what it works on is locked.
        try await database.write { [environment] in try EnvironmentsTable.endClockClaim(environment.id, on: $0) }
        try await database.write(patience: .long) { [environment] in
            try EnvironmentContents.erase(environment.id, on: $0)
        }
    }
}
