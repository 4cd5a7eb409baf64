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
    /// Moves a manual clock forward, working off on the way everything that falls due, in order: renewals, and
    /// attempts to deliver notifications.
    ///
    /// - Throws: ``StoreError`` `.clockRunsByItself` for a real clock, `.timeInThePast` for a time before the clock's,
    ///   `.malformed` for one that the store's certificates don't cover.
    /// - Returns: How many events of commerce fell due on the way.
    package func advanceClock(to time: Instant) async throws -> Int {
        guard environment.clock == .manual else {
            throw StoreError(.clockRunsByItself, environment.name, "the clock runs on real time and can't be moved")
        }
        let now = try await now()
        guard time >= now else {
            throw StoreError(
                .timeInThePast, time.rfc3339(fraction: true),
                "the clock stands at \(now.rfc3339(fraction: true)) and only moves forward")
        }
        try signing.check(time, field: "to")
        try await workOffMassExtensions()
        try await workOffPriceChanges()
        let told = try await workOffWithNotifications(until: time)
        let events = try await workOffDue(until: time) + (told ?? 0)
        try await database.write { [clock, environment] connection in
            let reached = max(time, try clock.now(on: connection))
            try EnvironmentsTable.setManualNow(reached, environment.id, on: connection)
        }
        return events
    }
}

extension Store {
    /// Empties the environment: accounts, devices, purchases, journal. Catalog and keys stay, and so does the clock.
    package func reset() async throws {
        try await database.write { [environment] in try EnvironmentContents.erase(environment.id, on: $0) }
    }
}
