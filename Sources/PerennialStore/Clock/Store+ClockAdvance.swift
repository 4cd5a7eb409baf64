import Perennial
import PerennialStorage

/// What came of moving a manual clock.
package struct ClockAdvance: Hashable, Sendable {
    /// Where the clock was moved to; others may have moved it on.
    package var reached: Instant
    /// How many events of commerce fell due on the way.
    package var events: Int
}

extension Store {
    /// Moves a manual clock forward, working off on the way everything that falls due, in order: renewals, and
    /// attempts to deliver notifications.
    ///
    /// - Throws: ``StoreError`` `.clockRunsByItself` for a real clock, `.timeInThePast` for a time before the clock's,
    ///   `.malformed` for one that the store's certificates don't cover.
    @discardableResult
    package func advanceClock(to time: Instant) async throws -> ClockAdvance {
        try await advance { [signing] now, _ in
            guard time >= now else {
                throw StoreError(
                    .timeInThePast, time.rfc3339(fraction: true),
                    "the clock stands at \(now.rfc3339(fraction: true)) and only moves forward")
            }
            try signing.check(time, field: "to")
            return time
        }
    }

    /// Moves a manual clock forward by a duration. However many do so at once, on however many nodes, the clock
    /// is moved by the sum.
    ///
    /// - Throws: ``StoreError`` `.clockRunsByItself`, `.malformed` beyond what the store's certificates cover.
    @discardableResult
    package func advanceClock(by duration: CalendarDuration) async throws -> ClockAdvance {
        try await advance { [signing] now, target in
            guard let end = duration.end(after: max(now, target ?? now)) else {
                throw StoreError(.malformed, "by", "protocols write years with four digits: the clock ends with 9999")
            }
            try signing.check(end, field: "by")
            return end
        }
    }

    /// - Parameter place: Where to, by where the clock stands and where others are moving it, if they are.
    private func advance(
        _ place: @escaping @Sendable (_ now: Instant, _ target: Instant?) throws -> Instant
    ) async throws -> ClockAdvance {
        guard environment.clock == .manual else {
            throw StoreError(.clockRunsByItself, environment.name, "the clock runs on real time and can't be moved")
        }
        let target = try await aim(place)
        do {
            return ClockAdvance(reached: target, events: try await workOff(until: target))
        } catch {
            try? await withdraw(target)
            throw error
        }
    }

    /// Says where the clock is going before it goes: what is due on the way moves it bit by bit, and whoever comes
    /// meanwhile counts from the end of the way.
    private func aim(
        _ place: @escaping @Sendable (_ now: Instant, _ target: Instant?) throws -> Instant
    ) async throws -> Instant {
        try await database.write { [clock, environment] connection in
            try EnvironmentsTable.lock(environment.id, on: connection)
            let aimed = try EnvironmentsTable.manualTarget(environment.id, on: connection)
            let target = try place(try clock.now(on: connection), aimed)
            try EnvironmentsTable.setManualTarget(max(target, aimed ?? target), environment.id, on: connection)
            return target
        }
    }

    private func workOff(until target: Instant) async throws -> Int {
        try await workOffMassExtensions()
        try await workOffPriceChanges()
        let told = try await workOffWithNotifications(until: target)
        let events = try await workOffDue(until: target) + (told ?? 0)
        try await database.write { [environment] connection in
            try EnvironmentsTable.moveManualClock(to: target, environment.id, on: connection)
            try Self.endAim(target, environment.id, on: connection)
        }
        return events
    }

    /// Of a way that was not gone to its end: the next one begins where the clock stands, unless somebody counts on it.
    private func withdraw(_ target: Instant) async throws {
        try await database.write { [environment] connection in
            try EnvironmentsTable.lock(environment.id, on: connection)
            try Self.endAim(target, environment.id, on: connection)
        }
    }

    /// Where nobody is going further, nobody is going.
    private static func endAim(
        _ reached: Instant, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        guard let aimed = try EnvironmentsTable.manualTarget(environment, on: connection), aimed <= reached else {
            return
        }
        try EnvironmentsTable.setManualTarget(nil, environment, on: connection)
    }
}
