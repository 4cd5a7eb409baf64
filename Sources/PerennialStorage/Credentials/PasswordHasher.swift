import Dispatch
import Foundation
import Synchronization

/// Hashes passwords on its own threads, with limits on running and waiting hashes.
///
/// A hash takes a core a good part of a second. Further callers are refused at once, and a caller that is cancelled while it
/// waits costs no hash.
package final class PasswordHasher: Sendable {
    typealias Hash = @Sendable () throws -> [UInt8]

    /// The number of waiting and running hashes.
    package struct Load: Sendable, Hashable {
        package var waiting: Int
        package var running: Int
    }

    private struct Job {
        let hash: Hash
        let continuation: CheckedContinuation<[UInt8], any Error>
    }

    private struct State {
        var queue: HashingQueue<Job>
        var running = 0
        var lastNumber: UInt64 = 0
    }

    /// Half of the cores, so that the others serve requests, but at least two.
    package static var standardWorkers: Int { max(2, ProcessInfo.processInfo.activeProcessorCount / 2) }
    /// Waiting hashes for each worker: a few seconds of work.
    private static let waitingPerWorker = 16
    /// Seconds after which a refused caller may retry: about the time of a full queue.
    private static let retryAfter: Int64 = 3

    private let workers: Int
    private let state: Mutex<State>
    private let threads = DispatchQueue(label: "perennial.passwords", attributes: .concurrent)

    /// - Parameters:
    ///   - workers: Hashes that run concurrently; each takes the memory of ``PasswordHash/Cost``.
    ///   - capacity: Hashes that may wait.
    package init(workers: Int = standardWorkers, capacity: Int? = nil) {
        self.workers = max(workers, 1)
        state = Mutex(State(queue: HashingQueue(capacity: capacity ?? self.workers * Self.waitingPerWorker)))
    }

    package var load: Load { state.withLock { Load(waiting: $0.queue.count, running: $0.running) } }

    /// Waits in the queue and hashes.
    ///
    /// - Throws: ``PasswordRefusal`` `.overloaded`, `CancellationError`, and what `hash` throws.
    func run(for client: String, isSignUp: Bool, _ hash: @escaping Hash) async throws -> [UInt8] {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Job(hash: hash, continuation: continuation), number, of: client, isSignUp: isSignUp)
                // It may have been cancelled before it was in the queue.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    private func add(_ job: Job, _ number: UInt64, of client: String, isSignUp: Bool) {
        let (begins, dropped) = state.withLock { state -> (Bool, Job?) in
            guard state.running == workers else {
                state.running += 1
                return (true, nil)
            }
            return (false, state.queue.add(job, number, of: client, isSignUp: isSignUp))
        }
        if begins { threads.async { [self] in work(job) } }
        dropped?.continuation.resume(throwing: PasswordRefusal(.overloaded, retryAfter: Self.retryAfter))
    }

    private func cancel(_ number: UInt64) {
        state.withLock { $0.queue.remove(number) }?.continuation.resume(throwing: CancellationError())
    }

    /// Hashes a job, then further ones until the queue is empty.
    private func work(_ first: Job) {
        var job: Job? = first
        while let current = job {
            current.continuation.resume(with: Result { try current.hash() })
            job = next()
        }
    }

    private func next() -> Job? {
        state.withLock { state in
            if let job = state.queue.next() { return job }
            state.running -= 1
            return nil
        }
    }
}

/// The error of a password that isn't checked now.
package struct PasswordRefusal: Error, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// The queue of hashes is full.
        case overloaded
        /// A number of wrong passwords above the limit for the account or from the address.
        case tooManyGuesses
    }

    package let code: Code
    /// Seconds after which it may be tried again.
    package let retryAfter: Int64

    package init(_ code: Code, retryAfter: Int64) {
        self.code = code
        self.retryAfter = retryAfter
    }

    package var description: String {
        switch code {
        case .overloaded: "too many sign in at once; send the same request again in \(retryAfter) s"
        case .tooManyGuesses: "too many wrong passwords; try again in \(retryAfter) s"
        }
    }
}
