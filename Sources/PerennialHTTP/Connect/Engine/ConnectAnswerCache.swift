import Perennial
import Synchronization

/// Caches the bytes of answers that follow from the catalog and the day alone.
///
/// Answers of another revision or day are forgotten. Programs of sellers ask for the same pages again and again while
/// nothing changes, and a page of 200 products with its included resources is expensive to make.
final class ConnectAnswerCache: Sendable {
    /// The state of the catalog that answers follow from.
    struct Version: Hashable {
        var revision: Int64
        /// The era of the revision (`Database.era`).
        var era: Int64
        /// The environment's day: prices change with it.
        var day: PacificDay
    }

    /// Bytes.
    private static let capacity = 67_108_864
    private static let largestAnswer = 8_388_608

    private struct State {
        var version: Version?
        var answers: [String: ConnectAnswer] = [:]
        var size = 0
    }

    private let states = Mutex<[StoreEnvironment.ID: State]>([:])

    /// - Parameter key: The URL of the request with all that the answer depends on.
    func answer(_ key: String, _ version: Version, in environment: StoreEnvironment.ID) -> ConnectAnswer? {
        states.withLock { states in
            guard let state = states[environment], state.version == version else { return nil }
            return state.answers[key]
        }
    }

    func insert(_ answer: ConnectAnswer, for key: String, _ version: Version, in environment: StoreEnvironment.ID) {
        guard answer.bytes.count <= Self.largestAnswer else { return }
        states.withLock { states in
            var state = states[environment] ?? State()
            // A slow reader of an older revision doesn't displace the answers of a newer one. Another era counts its own revisions.
            if let known = state.version, (known.era, known.revision) > (version.era, version.revision) { return }
            let total = states.values.reduce(0) { $0 + $1.size }
            let size = answer.bytes.count
            if state.version != version || total + size > Self.capacity { state = State(version: version) }
            if total - (states[environment]?.size ?? 0) + size > Self.capacity { states = [:] }
            if let previous = state.answers.updateValue(answer, forKey: key) { state.size -= previous.bytes.count }
            state.size += size
            states[environment] = state
        }
    }
}
