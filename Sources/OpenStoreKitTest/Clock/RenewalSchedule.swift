import Foundation
import Perennial
import PerennialStore
import Synchronization

/// Processes what falls due in a session's environment: before each request, and by itself while time is compressed.
final class RenewalSchedule: Sendable {
    /// Milliseconds until the next look where real periods are days long at least.
    private static let realTimePause = Int64.hours(1)

    private struct State {
        var isRealTime = true
        /// The time before which nothing is due.
        var nextDue = Instant.beginningOfTime
        var changed: (@Sendable () -> Void)?
        var anyChange: (@Sendable () -> Void)?
        var timer: Task<Void, Never>?
        var isStopped = false
    }

    private let store: Store
    private let time: SessionTime
    private let state = Mutex(State())

    init(store: Store, time: SessionTime) {
        self.store = store
        self.time = time
    }

    /// True if periods are as long as in the App Store, so that nothing falls due soon after a purchase.
    var isRealTime: Bool {
        get { state.withLock { $0.isRealTime } }
        set {
            state.withLock { $0.isRealTime = newValue }
            expectNewWork()
        }
    }

    /// Sets the functions that tell of events.
    ///
    /// - Parameters:
    ///   - changed: Called after events that fell due by themselves.
    ///   - anyChange: Called after these, and after all that may have changed something.
    func start(changed: @escaping @Sendable () -> Void, anyChange: @escaping @Sendable () -> Void) {
        state.withLock { ($0.changed, $0.anyChange) = (changed, anyChange) }
    }

    func stop() {
        let timer = state.withLock { state in
            state.isStopped = true
            defer { state.timer = nil }
            return state.timer
        }
        timer?.cancel()
    }

    /// Says that something may have been bought or changed, and may fall due before what was known.
    func expectNewWork() {
        let now = time.now
        let (isRealTime, anyChange) = state.withLock { state in
            if state.isRealTime {
                state.nextDue = min(state.nextDue, now + Self.realTimePause)
            } else {
                state.nextDue = .beginningOfTime
            }
            return (state.isRealTime, state.anyChange)
        }
        if !isRealTime { setTimer() }
        anyChange?()
    }

    /// Processes what is due by now.
    ///
    /// - Returns: True if there was something.
    @discardableResult
    func bringUpToDate() async throws -> Bool {
        let now = time.now
        guard state.withLock({ $0.nextDue <= now }) else { return false }
        return try await process(until: now)
    }

    /// Moves the clock to `target`, from one due time to the next.
    func advance(to target: Instant) async throws {
        while let next = try await store.renewals.nextDue(), next <= target {
            let before = next
            time.move(to: max(next, time.now))
            try await store.renewals.processDue(until: time.now)
            // Work that can't be done must not hold up the clock.
            if try await store.renewals.nextDue() == before { break }
        }
        time.move(to: target)
        try await process(until: target)
        expectNewWork()
    }

    @discardableResult
    private func process(until now: Instant) async throws -> Bool {
        let events = try await store.renewals.processDue(until: now)
        let next = try await store.renewals.nextDue()
        let anyChange = state.withLock { state in
            state.nextDue = max(next ?? .endOfTime, now + 1)
            return state.anyChange
        }
        if events > 0 { anyChange?() }
        return events > 0
    }

    // MARK: Timer

    /// Waits for what falls due next, and processes it.
    private func setTimer() {
        guard !time.isStopped else { return }
        let timer = Task { [weak self] in
            while !Task.isCancelled, let wait = await self?.millisecondsUntilDue() {
                guard (try? await Task.sleep(for: .milliseconds(wait))) != nil else { return }
                await self?.processOnTime()
            }
        }
        let replaced = state.withLock { state -> Task<Void, Never>? in
            if state.isStopped { return timer }
            defer { state.timer = timer }
            return state.timer
        }
        replaced?.cancel()
    }

    private func millisecondsUntilDue() async -> Int64? {
        guard !time.isStopped, let next = try? await store.renewals.nextDue() else { return nil }
        return max(next - time.now, 1)
    }

    private func processOnTime() async {
        guard (try? await process(until: time.now)) == true else { return }
        state.withLock { $0.changed }?()
    }
}
