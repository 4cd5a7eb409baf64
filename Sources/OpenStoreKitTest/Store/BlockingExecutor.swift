import Dispatch
import Synchronization

/// Runs asynchronous work for synchronous callers, on a thread that isn't one of Swift's own: callers may block all of those.
///
/// The work must not wait for unstructured tasks, which run on Swift's threads.
final class BlockingExecutor: TaskExecutor {
    private static let shared = BlockingExecutor()

    private let queue = DispatchQueue(label: "org.perennial.OpenStoreKitTest")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs `work` and blocks until it is done.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let result = BlockingResult<Value>()
        Task(executorPreference: shared) {
            do {
                result.fulfil(.success(try await work()))
            } catch {
                result.fulfil(.failure(error))
            }
        }
        return try result.wait()
    }
}

/// A result that a thread waits for.
private final class BlockingResult<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let done = DispatchSemaphore(value: 0)

    func fulfil(_ value: Result<Value, any Error>) {
        result.withLock { $0 = value }
        done.signal()
    }

    func wait() throws -> Value {
        done.wait()
        guard let value = result.withLock({ $0 }) else { throw CancellationError() }
        return try value.get()
    }
}
