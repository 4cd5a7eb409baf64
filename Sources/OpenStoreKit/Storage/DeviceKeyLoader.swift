import Dispatch
import Synchronization

/// Fetches a device's key once, from a storage of secrets on a thread of its own: that may ask the customer to unlock it, and take long.
final class DeviceKeyLoader: Sendable {
    private struct State {
        var key: DeviceKey?
        /// A fetch from a storage of secrets that is under way.
        var fetch: Fetch?
    }

    /// A fetch, and the callers that wait for it.
    private final class Fetch: Sendable {
        private let group = DispatchGroup()
        private let outcome = Mutex<Result<DeviceKey?, any Error>?>(nil)
        /// Counts from the beginning, so that a storage that doesn't answer blocks each thread once and not at each call.
        private let deadline: DispatchTime

        init(longestBlock: DispatchTimeInterval) {
            deadline = .now() + longestBlock
            group.enter()
        }

        func end(_ result: Result<DeviceKey?, any Error>) {
            outcome.withLock { $0 = result }
            group.leave()
        }

        /// Blocks until the end, or up to the deadline.
        func wait() throws -> DeviceKey? {
            guard group.wait(timeout: deadline) == .success, let result = outcome.withLock({ $0 }) else {
                throw FileError(.other, path: DeviceKey.fileName, reason: "the storage of secrets hasn't answered yet")
            }
            return try result.get()
        }

        func finished() async {
            await withCheckedContinuation { continuation in
                group.notify(queue: .global()) { continuation.resume() }
            }
        }
    }

    private let usesSecrets: Bool
    private let longestBlock: DispatchTimeInterval
    private let read: @Sendable () throws -> DeviceKey?
    private let state = Mutex(State())

    init(
        in files: any FileStore, owner: String, protection: PurchaseVault.Protection, _ dependencies: DeviceDependencies
    ) {
        usesSecrets = !protection.storages.isEmpty
        longestBlock = protection.longestBlock
        read = {
            try DeviceKey.current(in: files, owner: owner, protection: protection, dependencies)
        }
    }

    /// Returns the key. Blocks for a short time at most.
    ///
    /// - Returns: The key; `nil` if none can be made.
    /// - Throws: Any error if the key can't be read now.
    func key() throws -> DeviceKey? {
        if let key = state.withLock({ $0.key }) { return key }
        guard usesSecrets else {
            let key = try read()
            state.withLock { $0.key = key }
            return key
        }
        return try begin().wait()
    }

    /// Waits for a storage of secrets without blocking a thread. Returns also if the key can't be read.
    func prepare() async {
        guard usesSecrets, state.withLock({ $0.key == nil }) else { return }
        await begin().finished()
    }

    private func begin() -> Fetch {
        let (fetch, isNew) = state.withLock { state in
            if let fetch = state.fetch { return (fetch, false) }
            let fetch = Fetch(longestBlock: longestBlock)
            state.fetch = fetch
            return (fetch, true)
        }
        if isNew {
            DispatchQueue.global(qos: .userInitiated).async { [self] in
                let result = Result { try read() }
                state.withLock { state in
                    state.fetch = nil
                    if let key = try? result.get() { state.key = key }
                }
                fetch.end(result)
            }
        }
        return fetch
    }
}
