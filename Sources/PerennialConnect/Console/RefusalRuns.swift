import Perennial
import PerennialStorage
import Synchronization

/// Runs of refused sign-ins, by address: the audit log has an entry for the first refusal of a run, not for each.
///
/// Without it, a client that isn't signed in could fill the log and push its older entries out.
package final class RefusalRuns: Sendable {
    /// A run ends after so long without a refusal.
    static let pause = Int64.minutes(10)
    /// A longer run has another entry each so often.
    static let interval = Int64.hours(1)
    /// The most entries of one run, for different names.
    static let maximumEntries = 20
    /// The most runs that are kept.
    private static let capacity = 4_096

    private struct Run {
        let begun: Instant
        var last: Instant
        var subjects: Set<String> = []
    }

    private let runs = Mutex<[String: Run]>([:])

    package init() {}

    /// Counts a refusal.
    ///
    /// - Parameter subject: The thing that was refused: a name with its password, or a kind of refusal.
    /// - Returns: True if the refusal is the first of its subject in a run.
    package func begins(_ subject: String, from address: ClientAddress?, at now: Instant) -> Bool {
        runs.withLock { runs in
            let key = address?.network ?? ""
            var run = runs[key] ?? Run(begun: now, last: now)
            if now - run.last > Self.pause || now - run.begun >= Self.interval { run = Run(begun: now, last: now) }
            run.last = now
            let isFirst = run.subjects.count < Self.maximumEntries && run.subjects.insert(subject).inserted
            if runs.count >= Self.capacity, runs[key] == nil {
                runs = runs.filter { now - $0.value.last <= Self.pause }
                if runs.count >= Self.capacity, let any = runs.keys.first { runs[any] = nil }
            }
            runs[key] = run
            return isFirst
        }
    }

    /// Ends the run of an address that has signed in.
    package func end(from address: ClientAddress?) {
        runs.withLock { $0[address?.network ?? ""] = nil }
    }
}
