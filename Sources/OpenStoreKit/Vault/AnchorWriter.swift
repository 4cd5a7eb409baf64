import Dispatch
import Synchronization

/// Stores the number of the last frame beside a key in a storage of secrets: at once in a fast one, so that a process that ends now has
/// stored it; otherwise after the write and not in its way.
///
/// The number there may be behind the file, never ahead of it.
final class AnchorWriter: Sendable {
    private struct State {
        var key: DeviceKey?
        var wanted: UInt64 = 0
        var isWriting = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "org.perennial.OpenStoreKit.vault")

    func use(_ key: DeviceKey) {
        state.withLock { $0.key = key.isInSecrets ? key : nil }
    }

    /// Stores a number. Calls are one after the other.
    func store(_ number: UInt64) {
        if let key = state.withLock({ $0.key }), key.storesAnchorFast { return key.storeAnchor(number) }
        let begins = state.withLock { state in
            guard state.key != nil else { return false }
            state.wanted = max(state.wanted, number)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        guard begins else { return }
        queue.async { self.write() }
    }

    private func write() {
        var written: UInt64 = 0
        while true {
            let next: (key: DeviceKey, number: UInt64)? = state.withLock { state in
                guard let key = state.key, state.wanted > written else {
                    state.isWriting = false
                    return nil
                }
                return (key, state.wanted)
            }
            guard let next else { return }
            next.key.storeAnchor(next.number)
            written = next.number
        }
    }

    /// Waits for a write that is under way.
    func drain() {
        queue.sync {}
    }
}
