import Foundation
import OpenStoreKit
import Perennial
import PerennialStore

extension SKTestSession {
    /// The session's clock; an addition to StoreKitTest.
    public var clock: Clock { Clock(core: core) }

    /// The clock of a session's store. It follows real time until it is moved or stopped.
    ///
    /// All that falls due on the way happens in its order: renewals, ends of grace periods, expirations.
    public struct Clock: Sendable {
        let core: SessionCore

        /// Time of the session's store.
        public var now: Date { core.time.now.date }

        /// True if the time stands still between calls.
        public var isStopped: Bool { core.time.isStopped }

        /// Lets the time stand still.
        public func stop() { core.time.stop() }

        /// Lets the time go on from where it stands.
        public func resume() {
            core.time.resume()
            core.schedule.expectNewWork()
        }

        /// Moves the clock to a date.
        ///
        /// - Throws: ``SKTestError`` `.invalidAction` for a date before ``now`` once something was bought.
        public func set(to date: Date) throws {
            let core = core
            try core.blocking { try await core.moveClock(to: Instant(date)) }
        }

        /// Moves the clock forward.
        ///
        /// - Throws: ``SKTestError`` `.invalidAction` for a negative duration.
        public func advance(by duration: Duration) throws {
            try advance(byMilliseconds: Int64(nearest: duration / .milliseconds(1)))
        }

        /// Moves the clock forward by seconds.
        ///
        /// - Throws: ``SKTestError`` `.invalidAction` for a negative number.
        public func advance(by seconds: TimeInterval) throws {
            try advance(byMilliseconds: Int64(nearest: seconds * 1000))
        }

        /// Moves the clock forward by days, months or years of the Gregorian calendar in UTC.
        ///
        /// - Throws: ``SKTestError`` `.invalidAction` for a date before ``now``.
        public func advance(by components: DateComponents) throws {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            guard let date = calendar.date(byAdding: components, to: now), date >= now else {
                throw SKTestError(.invalidAction, "the clock only moves forward")
            }
            try set(to: date)
        }

        private func advance(byMilliseconds milliseconds: Int64) throws {
            guard milliseconds >= 0 else { throw SKTestError(.invalidAction, "the clock only moves forward") }
            let core = core
            try core.blocking { try await core.moveClock(to: core.time.now + milliseconds) }
        }
    }
}

extension SessionCore {
    private static let presentLength = Int64.seconds(1)

    /// Moves the clock and does all that falls due on the way.
    func moveClock(to target: Instant) async throws {
        guard (Instant.beginningOfTime...Instant.endOfTime).contains(target) else {
            throw SKTestError(.invalidAction, "dates of the store have years of four digits")
        }
        let now = time.now
        // The present as its caller has read it lies a moment back.
        guard target < now + -Self.presentLength else { return try await schedule.advance(to: max(target, now)) }
        let bought = try await store.transactions.list(of: bundleID, limit: 1).page.items
        guard bought.isEmpty else {
            throw SKTestError(
                .invalidAction,
                "\(target.rfc3339()) is before the clock's \(time.now.rfc3339()): once something was bought it only moves forward"
            )
        }
        time.move(to: target)
    }

    /// Runs work that changes nothing for a synchronous caller.
    func reading<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        try BlockingExecutor.run { try await throwingTestErrors { try await work() } }
    }

    /// Runs work for a synchronous caller, then makes its result visible to the client.
    @discardableResult
    func blocking<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        defer { connection.invalidate() }
        return try BlockingExecutor.run {
            try await throwingTestErrors {
                let value = try await work()
                self.schedule.expectNewWork()
                return value
            }
        }
    }
}
