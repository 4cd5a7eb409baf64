import PerennialStorage
import Synchronization

/// Pages whose making reads a good part of a journal: they are made in the background, and kept for a while.
///
/// A visitor waits a moment; what takes longer is shown as under way, and then with the time at which it was made.
package actor ComputedPages {
    /// The limits of one process.
    package struct Limits: Sendable {
        /// The time that a visitor waits for a page before it is shown as under way.
        package var maximumWait = Duration.milliseconds(25)
        /// Pages made at once.
        package var running = 2
        /// Pages that wait for their turn. Further ones are refused.
        package var waiting = 16
        /// Pages that are kept.
        package var kept = 64
        package var lifetime = Duration.seconds(600)

        package init() {}
    }

    typealias Make = @Sendable (WorkProgress) async throws -> Page

    /// The page at one moment.
    enum State: Sendable {
        case made(Page, age: Duration)
        case running(WorkProgress, since: Duration)
        /// Others are made first.
        case waiting(before: Int)
    }

    private struct Run {
        let make: Make
        let progress = WorkProgress()
        /// `nil` while it waits.
        var started: ContinuousClock.Instant?
        var task: Task<Void, Never>?
        var visitors: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private struct Kept {
        let outcome: Result<Page, any Error>
        let at: ContinuousClock.Instant
    }

    private let limits: Limits
    private let now: @Sendable () -> ContinuousClock.Instant
    private var runs: [String: Run] = [:]
    private var queue: [String] = []
    private var kept: [String: Kept] = [:]
    private var visitors = 0

    package init(
        limits: Limits = Limits(), now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.limits = limits
        self.now = now
    }

    deinit {
        for run in runs.values { run.task?.cancel() }
    }

    /// Returns a page, or how far it is; begins to make it unless it is kept or under way.
    ///
    /// - Parameters:
    ///   - key: Names the page with all that it depends on.
    ///   - anew: True to make it again although it is kept.
    /// - Throws: The error with which the page failed, once; `CancellationError` if too many pages wait.
    func page(_ key: String, anew: Bool = false, _ make: @escaping Make) async throws -> State {
        forgetOld()
        if anew { kept[key] = nil }
        if let known = kept[key] { return try state(known, key) }
        if runs[key] == nil {
            guard queue.count < limits.waiting else { throw CancellationError() }
            runs[key] = Run(make: make)
            queue.append(key)
            startNext()
        }
        await wait(for: key)
        if let known = kept[key] { return try state(known, key) }
        guard let run = runs[key], let started = run.started else {
            return .waiting(before: (queue.firstIndex(of: key) ?? 0) + runs.count - queue.count)
        }
        return .running(run.progress, since: now() - started)
    }

    private func state(_ known: Kept, _ key: String) throws -> State {
        switch known.outcome {
        case .success(let page): return .made(page, age: now() - known.at)
        case .failure(let error):
            // The next visit tries again.
            kept[key] = nil
            throw error
        }
    }

    // MARK: - Runs

    private func startNext() {
        while runs.values.count(where: { $0.started != nil }) < limits.running, !queue.isEmpty {
            let key = queue.removeFirst()
            guard let run = runs[key] else { continue }
            runs[key]?.started = now()
            let (make, progress) = (run.make, run.progress)
            // The request of its first visitor doesn't wait for it to the end.
            runs[key]?.task = RequestDeadline.$current.withValue(nil) {
                Task { [weak self] in
                    let outcome: Result<Page, any Error>
                    do { outcome = .success(try await make(progress)) } catch { outcome = .failure(error) }
                    await self?.finish(key, outcome)
                }
            }
        }
    }

    private func finish(_ key: String, _ outcome: Result<Page, any Error>) {
        kept[key] = Kept(outcome: outcome, at: now())
        for visitor in (runs.removeValue(forKey: key)?.visitors ?? [:]).values { visitor.resume() }
        if kept.count > limits.kept, let oldest = kept.min(by: { $0.value.at < $1.value.at }) {
            kept[oldest.key] = nil
        }
        startNext()
    }

    private func forgetOld() {
        let now = now()
        kept = kept.filter { now - $0.value.at < limits.lifetime }
    }

    // MARK: - Visitors

    /// Waits until a run has ended, or the longest wait is over.
    private func wait(for key: String) async {
        visitors += 1
        let (number, maximumWait) = (visitors, limits.maximumWait)
        let timer = Task { [weak self] in
            do { try await Task.sleep(for: maximumWait) } catch { return }
            await self?.wake(number, of: key)
        }
        await withCheckedContinuation { visitor in
            if runs[key] == nil { visitor.resume() } else { runs[key]?.visitors[number] = visitor }
        }
        timer.cancel()
    }

    private func wake(_ number: Int, of key: String) {
        runs[key]?.visitors.removeValue(forKey: number)?.resume()
    }
}

/// The progress of making a page.
final class WorkProgress: Sendable {
    private let read = Atomic<Int64>(0)

    /// The journal's entries that were read.
    var entries: Int64 { read.load(ordering: .relaxed) }

    func add(entries: Int) { read.add(Int64(entries), ordering: .relaxed) }
}
