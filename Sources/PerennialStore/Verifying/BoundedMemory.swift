import Synchronization

/// Values that are kept for as long as there is room for them: what wasn't asked for lately goes first.
///
/// It has two generations. New and asked-for values are in the younger; when that has taken half of the room, the older
/// is given up and the younger takes its place. So it never holds more than its room, and forgets nothing that is asked
/// for again within half of it.
final class BoundedMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var younger: [Key: (value: Value, size: Int)] = [:]
        var older: [Key: (value: Value, size: Int)] = [:]
        /// Of the younger ones.
        var size = 0
    }

    private let state = Mutex(State())
    private let room: Int

    /// - Parameter room: What the sizes of all values may come to, in the unit in which they are given.
    init(room: Int) {
        self.room = room
    }

    func find(_ key: Key) -> Value? {
        state.withLock { state in
            if let found = state.younger[key] { return found.value }
            guard let found = state.older.removeValue(forKey: key) else { return nil }
            insert(found.value, size: found.size, for: key, &state)
            return found.value
        }
    }

    /// Keeps a value in the place of the one that was there; one larger than half of the room isn't kept.
    func keep(_ value: Value, size: Int, for key: Key) {
        state.withLock { state in
            state.older[key] = nil
            if let previous = state.younger.removeValue(forKey: key) { state.size -= previous.size }
            guard size <= room / 2 else { return }
            insert(value, size: size, for: key, &state)
        }
    }

    private func insert(_ value: Value, size: Int, for key: Key, _ state: inout State) {
        if state.size + size > room / 2 {
            state.older = state.younger
            state.younger = [:]
            state.size = 0
        }
        state.younger[key] = (value, size)
        state.size += size
    }
}
