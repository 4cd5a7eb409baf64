import PerennialConnect
import Synchronization

/// The open streams of a process, counted, so that a browser can't hold any number of them.
final class ConsoleStreams: Sendable {
    /// The most streams of a session: as many as a person has windows.
    static let maximumOfSession = 12
    static let maximum = 256

    /// Waits before an open stream's session is checked again.
    let pause: @Sendable () async throws -> Void
    /// The streams of each session, by the digest of its token.
    private let counts = Mutex<[String: Int]>([:])

    init(pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(15)) }) {
        self.pause = pause
    }

    /// Returns true if a session may open another stream.
    func hasPlace(for session: ConsoleSession) -> Bool {
        counts.withLock { Self.hasPlace(for: session.digest, $0) }
    }

    /// Runs an open stream, and counts it meanwhile. Doesn't run one that has no place.
    func run(of session: ConsoleSession, _ stream: () async throws -> Void) async throws {
        let enters = counts.withLock { counts in
            guard Self.hasPlace(for: session.digest, counts) else { return false }
            counts[session.digest, default: 0] += 1
            return true
        }
        guard enters else { return }
        defer {
            counts.withLock { counts in
                let rest = (counts[session.digest] ?? 1) - 1
                counts[session.digest] = rest > 0 ? rest : nil
            }
        }
        try await stream()
    }

    private static func hasPlace(for digest: String, _ counts: [String: Int]) -> Bool {
        counts[digest, default: 0] < maximumOfSession && counts.values.reduce(0, +) < maximum
    }
}
