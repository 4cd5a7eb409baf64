import Synchronization

/// A cache with a bounded size that evicts the values not used lately.
///
/// Two generations: new and used values are in the younger. When that has filled half of the capacity, the older is
/// discarded and the younger takes its place. So the cache never exceeds its capacity, and keeps every value that is used
/// again before half of it is filled.
final class TwoGenerationCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var younger: [Key: (value: Value, size: Int)] = [:]
        var older: [Key: (value: Value, size: Int)] = [:]
        /// The size of the younger generation.
        var size = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: The limit for the sum of all sizes, in the same unit.
    init(capacity: Int) {
        self.capacity = capacity
    }

    func value(_ key: Key) -> Value? {
        state.withLock { state in
            if let found = state.younger[key] { return found.value }
            guard let found = state.older.removeValue(forKey: key) else { return nil }
            insert(found.value, size: found.size, for: key, &state)
            return found.value
        }
    }

    /// Inserts or replaces a value. A value larger than half of the capacity isn't cached.
    func insert(_ value: Value, size: Int, for key: Key) {
        state.withLock { state in
            state.older[key] = nil
            if let previous = state.younger.removeValue(forKey: key) { state.size -= previous.size }
            guard size <= capacity / 2 else { return }
            insert(value, size: size, for: key, &state)
        }
    }

    private func insert(_ value: Value, size: Int, for key: Key, _ state: inout State) {
        if state.size + size > capacity / 2 {
            state.older = state.younger
            state.younger = [:]
            state.size = 0
        }
        state.younger[key] = (value, size)
        state.size += size
    }
}
