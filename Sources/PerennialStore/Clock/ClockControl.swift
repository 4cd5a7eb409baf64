import Perennial
import PerennialStorage

/// The result of advancing a manual clock.
package struct ClockAdvance: Hashable, Sendable {
    /// The instant that the clock was advanced to. Concurrent advances may have moved it further.
    package var reached: Instant
    /// The number of commerce events that fell due on the way.
    package var events: Int
}

/// The environment's clock: reads it, and advances it if it is a manual one.
package struct ClockControl: StoreChapter {
    let context: StoreContext
    let extensions: Extensions
    let notifications: Notifications
    let products: Products
    let renewals: Renewals
    let signing: Signing
    let leasePollInterval: @Sendable () async throws -> Void

    /// Advances a manual clock to an instant. Processes everything that falls due on the way, in order: renewals, and
    /// attempts to send notifications.
    ///
    /// Waits for an advance in progress, on any node. The clock moves with the work: if that ends early by an error,
    /// cancellation or a crash, the clock stays where the work is done, and the next advance counts from there.
    ///
    /// - Throws: ``StoreError`` `.clockRunsByItself` for a real clock, `.timeInThePast` for an instant before the clock's,
    ///   `.malformed` for one that the store's certificates don't cover.
    @discardableResult
    package func advance(to time: Instant) async throws -> ClockAdvance {
        try await moveClock { [signing] now in
            guard time >= now else {
                throw StoreError(
                    .timeInThePast, time.rfc3339(fraction: true),
                    "the clock stands at \(now.rfc3339(fraction: true)) and only moves forward")
            }
            try signing.check(time, field: "to")
            return time
        }
    }

    /// Advances a manual clock by a duration. Concurrent advances, on any nodes, run one after the other and add up.
    ///
    /// - Throws: ``StoreError`` `.clockRunsByItself`, `.malformed` beyond what the store's certificates cover.
    @discardableResult
    package func advance(by duration: CalendarDuration) async throws -> ClockAdvance {
        try await moveClock { [signing] now in
            guard let end = duration.end(after: now) else {
                throw StoreError(.malformed, "by", "protocols write years with four digits: the clock ends with 9999")
            }
            try signing.check(end, field: "by")
            return end
        }
    }

    /// - Parameter place: Returns the target for the clock's current time.
    private func moveClock(_ place: @escaping @Sendable (_ now: Instant) throws -> Instant) async throws -> ClockAdvance
    {
        guard environment.clock == .manual else {
            throw StoreError(
                .clockRunsByItself, environment.name,
                "the clock runs on real time and can't be moved; make an environment with a manual clock")
        }
        let lease = try await clockLease()
        do {
            let target = try place(try await now())
            return ClockAdvance(reached: target, events: try await process(until: target, lease))
        } catch {
            try? await lease.release()
            throw error
        }
    }

    /// Waits for the lease on the clock.
    private func clockLease() async throws -> ClockLease {
        while true {
            try Task.checkCancellation()
            if let lease = try await ClockLease.take(context) { return lease }
            try await context.nodes.observe()
            try await leasePollInterval()
        }
    }

    private func process(until target: Instant, _ lease: ClockLease) async throws -> Int {
        try await extensions.processMassExtensions()
        try await products.applyPriceChanges()
        var events = 0
        // Renewals before a scheduled price are charged first, those from its instant on after it.
        try await products.performScheduledPrices(until: target) { due in
            if try await now() < due { events += try await processRenewals(until: due + -1, lease) }
        } atInstant: { due, connection in
            if try clock.now(on: connection) < due { try lease.moveClock(to: due, on: connection) }
        }
        events += try await processRenewals(until: target, lease)
        try await database.write { connection in
            try lease.moveClock(to: target, on: connection)
            try lease.release(on: connection)
        }
        return events
    }

    private func processRenewals(until target: Instant, _ lease: ClockLease) async throws -> Int {
        let stopped = try await advanceStopByStop(until: target, lease)
        return try await renewals.processDue(until: target, .clock(lease)) + (stopped ?? 0)
    }

    /// Advances the clock to each instant at which something is due, and sends the notifications of each before the next. A
    /// receiver that calls back so finds the store as the notification says. A receiver that never answers isn't waited for
    /// at every stop.
    ///
    /// - Returns: The number of commerce events; `nil` if no app wants notifications, so that no stops are needed.
    private func advanceStopByStop(until target: Instant, _ lease: ClockLease) async throws -> Int? {
        guard try await notifications.areWanted() else { return nil }
        var events = 0
        let breaker = TimeoutBreaker()
        try await notifications.sendDue(breaker: breaker)
        // Every stop is later than the one before: work that fails at one stop can't hold up the loop.
        var reached: Instant?
        while let next = try await nextStop(after: reached), next <= target {
            try Task.checkCancellation()
            try await database.write { try lease.moveClock(to: next, on: $0) }
            events += try await renewals.processDue(until: next, .clock(lease))
            try await notifications.sendDue(breaker: breaker)
            reached = next
        }
        return events
    }

    private func nextStop(after instant: Instant?) async throws -> Instant? {
        try await database.read { [environment] connection in
            let renewal = try SubscriptionsTable.nextDue(after: instant, environment.id, on: connection)
            let attempt = try NotificationsTable.nextDue(after: instant, environment.id, on: connection)
            return [renewal, attempt].compactMap { $0 }.min()
        }
    }
}
