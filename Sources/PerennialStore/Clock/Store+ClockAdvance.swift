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
    /// Where another advance is under way, on any node, it is waited for. The clock moves with the work: where that ends early,
    /// because of an error, its caller's cancellation or a crash, it stands where the work is done, and the next advance counts
    /// from there.
    @discardableResult
    package func advanceClock(to time: Instant) async throws -> ClockAdvance {
        try await advance { [signing] now in
            guard time >= now else {
                throw StoreError(
                    .timeInThePast, time.rfc3339(fraction: true),
                    "the clock stands at \(now.rfc3339(fraction: true)) and only moves forward")
            }
            try signing.check(time, field: "to")
            return time
        }
    }

    /// Moves a manual clock forward by a duration. However many do so at once, on however many nodes, one goes after the other,
    /// and the clock is moved by the sum.
    ///
    /// - Throws: ``StoreError`` `.clockRunsByItself`, `.malformed` beyond what the store's certificates cover.
    @discardableResult
    package func advanceClock(by duration: CalendarDuration) async throws -> ClockAdvance {
        try await advance { [signing] now in
            guard let end = duration.end(after: now) else {
                throw StoreError(.malformed, "by", "protocols write years with four digits: the clock ends with 9999")
            }
            try signing.check(end, field: "by")
            return end
        }
    }

    /// - Parameter place: Where to, by where the clock stands.
    private func advance(_ place: @escaping @Sendable (_ now: Instant) throws -> Instant) async throws -> ClockAdvance {
        guard environment.clock == .manual else {
            throw StoreError(.clockRunsByItself, environment.name, "the clock runs on real time and can't be moved")
        }
        let claim = try await clockClaim()
        do {
            return try await claim.whileHeld { [self] in
                let target = try place(try await now())
                return ClockAdvance(reached: target, events: try await workOff(until: target, claim))
            }
        } catch {
            try? await claim.release()
            throw error
        }
    }

    /// Waits for the right to move the clock.
    private func clockClaim() async throws -> ClockClaim {
        while true {
            try Task.checkCancellation()
            if let claim = try await ClockClaim.take(in: self) { return claim }
            try await turnPause()
        }
    }

    private func workOff(until target: Instant, _ claim: ClockClaim) async throws -> Int {
        try await workOffMassExtensions()
        try await workOffPriceChanges()
        let told = try await workOffWithNotifications(until: target, claim)
        let events = try await workOffDue(until: target, claim) + (told ?? 0)
        try await database.write { connection in
            try claim.moveClock(to: target, on: connection)
            try claim.release(on: connection)
        }
        return events
    }
}
