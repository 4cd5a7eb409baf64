import Perennial
import PerennialStorage
import Synchronization

/// Events for a watcher, in order.
package struct LiveBatch: Sendable {
    package var events: [LiveEvent] = []
    /// The number of events that happened too fast to be shown, of all kinds.
    package var skipped: Int64 = 0
    /// The place in the journal after these events.
    package var position = LivePosition()

    package var isEmpty: Bool { events.isEmpty && skipped == 0 }
}

/// A watcher of an environment. It takes events when it is ready for them: a slow one is told how many it has missed, and
/// holds up nothing. Ends with ``cancel()`` or with its last reference.
package final class LiveWatcher: Sendable {
    /// The most events that a watcher is told in a second, unless it wants all: more than a person reads, and rendering them takes
    /// from sales.
    package static let rowsPerSecond = 100
    /// The pause after events, in which further ones are gathered.
    private static let gatherInterval = Duration.milliseconds(50)

    private let channel: LiveChannel
    private let filter: LiveFilter
    /// The number of the filter's app.
    private let app: Int64?
    private let isComplete: Bool
    private let number: Int
    private let whenEnded: @Sendable () -> Void
    private let (wakeUps, continuation): (AsyncStream<Void>, AsyncStream<Void>.Continuation)
    private let state: Mutex<State>

    private struct State {
        /// The next event in the channel's ring.
        var next: Int64
        /// The last position that was told or passed over, by app. Entries up to it aren't told again.
        var seen: LivePosition
        /// The positions to read from the journal before the ring goes on.
        var behind: [Int64: Int64]
        /// True if the watcher is yet to be told that the environment was emptied since its position.
        var isEmptied: Bool
        var allowance = Allowance()
        var gathers = false
        var hasEnded = false
    }

    /// The number of rows that may be told now, which grows with time.
    private struct Allowance {
        private var rows = Double(LiveWatcher.rowsPerSecond)
        private var since = ContinuousClock.now

        mutating func take(_ wanted: Int) -> Int {
            let (now, full) = (ContinuousClock.now, Double(LiveWatcher.rowsPerSecond))
            rows = min(full, rows + full * ((now - since) / .seconds(1)))
            since = now
            let taken = min(wanted, Int(rows))
            rows -= Double(taken)
            return taken
        }
    }

    init(
        _ channel: LiveChannel, _ filter: LiveFilter, app: Int64?, from position: LivePosition?,
        heads: [Int64: Int64], isComplete: Bool, whenEnded: @escaping @Sendable () -> Void
    ) {
        (self.channel, self.filter, self.app, self.isComplete) = (channel, filter, app, isComplete)
        self.whenEnded = whenEnded
        let (wakeUps, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        (self.wakeUps, self.continuation) = (wakeUps, continuation)
        let joined = channel.add(heads: heads, isComplete: isComplete) { continuation.yield() }
        number = joined.number
        // From now on: what was committed before isn't told, even if the reader has yet to come to it.
        var seen = LivePosition(positions: heads)
        let isEmptied = position?.isBeyond(heads, of: app) ?? false
        if isEmptied {
            seen = LivePosition()
        } else if let position {
            seen.positions = position.positions
            for (app, head) in heads.merging(joined.cursor, uniquingKeysWith: max) {
                // The position of all apps together may be beyond the head of one of them.
                seen.positions[app] = min(position[app], head)
            }
        }
        let behind = joined.cursor.filter { $0.value > seen[$0.key] && (app == nil || app == $0.key) }
        state = Mutex(
            State(next: joined.next, seen: seen, behind: position == nil ? [:] : behind, isEmptied: isEmptied))
    }

    deinit { cancel() }

    /// Ends the watching: the next call of ``next()`` returns `nil`.
    package func cancel() {
        let isFirst = state.withLock { state in
            defer { state.hasEnded = true }
            return !state.hasEnded
        }
        guard isFirst else { return }
        channel.remove(number)
        continuation.finish()
        whenEnded()
    }

    /// Waits for further events.
    ///
    /// - Parameter waits: False to return an empty batch instead of waiting.
    /// - Returns: `nil` after ``cancel()`` and in a cancelled task.
    /// - Throws: `StorageError` while entries before the present ones are read.
    package func next(waits: Bool = true) async throws -> LiveBatch? {
        if waits, state.withLock({ $0.gathers }) { try? await Task.sleep(for: Self.gatherInterval) }
        while true {
            guard !Task.isCancelled, !state.withLock({ $0.hasEnded }) else { return nil }
            if let batch = emptied() { return batch }
            if let batch = try await earlier() { return batch }
            let batch = present()
            let isBehind = state.withLock { state in
                state.gathers = !batch.isEmpty
                return !state.behind.isEmpty
            }
            if !batch.isEmpty { return batch }
            if isBehind { continue }
            if !waits { return batch }
            var isOver = true
            for await _ in wakeUps {
                isOver = false
                break
            }
            if isOver { return nil }
        }
    }

    /// Returns the event that the environment was emptied since the watcher's position; `nil` if it wasn't, or was told.
    private func emptied() -> LiveBatch? {
        state.withLock { state in
            guard state.isEmptied else { return nil }
            state.isEmptied = false
            let event = LiveEvent.emptied
            guard filter.contains(event) else { return nil }
            return LiveBatch(events: [event], position: state.seen)
        }
    }

    /// Returns entries of the journal from before the events in the ring.
    ///
    /// - Returns: `nil` if there are none, or no more.
    private func earlier() async throws -> LiveBatch? {
        while let (app, target, seen) = state.withLock({ state in
            state.behind.min { $0.key < $1.key }.map { ($0.key, $0.value, state.seen[$0.key]) }
        }) {
            let found = try await channel.entries(after: seen, app: app)
            var batch = LiveBatch()
            state.withLock { state in
                for event in found where isNew(event, &state.seen, upTo: target) && filter.contains(event) {
                    batch.events.append(event)
                }
                if found.isEmpty || state.seen[app] >= target { state.behind[app] = nil }
                batch.position = state.seen
            }
            if !batch.isEmpty { return batch }
        }
        return nil
    }

    /// Returns true for an entry that wasn't told yet, and notes that it is. Other events are always new.
    private func isNew(_ event: LiveEvent, _ seen: inout LivePosition, upTo target: Int64 = .max) -> Bool {
        guard case .commerce(let commerce) = event.content else { return true }
        let position = commerce.entry.position
        guard position > seen[commerce.app], position <= target else { return false }
        seen.positions[commerce.app] = position
        return true
    }

    /// Returns the events in the ring that are wanted, the newest if there are too many.
    private func present() -> LiveBatch {
        state.withLock { state in
            let found = channel.events(from: state.next)
            state.next = found.next
            var batch = LiveBatch()
            var hasGap = found.lost > 0
            if !isComplete { batch.skipped = found.lost }
            for event in found.events {
                switch event.content {
                case .emptied: state.seen = LivePosition()
                case .skipped(let count):
                    hasGap = true
                    if !isComplete { batch.skipped += count }
                    continue
                case .commerce where hasGap && isComplete: continue
                default: break
                }
                if isNew(event, &state.seen), filter.contains(event) { batch.events.append(event) }
            }
            if isComplete {
                if hasGap {
                    state.behind = found.cursor.filter {
                        $0.value > state.seen[$0.key] && (app == nil || app == $0.key)
                    }
                }
            } else {
                let shown = state.allowance.take(batch.events.count)
                batch.skipped += Int64(batch.events.count - shown)
                batch.events.removeFirst(batch.events.count - shown)
            }
            batch.position = state.seen
            return batch
        }
    }
}
