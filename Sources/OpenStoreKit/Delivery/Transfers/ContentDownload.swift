import Foundation
import Perennial
import Synchronization

/// A download of content from the seller's content server.
///
/// Resumes after a broken connection, a bounded number of times. Received bytes stay on disk when the download is paused or
/// fails, or its process ends; a new download to the same destination continues there. Starts over if the file changed on the
/// server. The content appears at its destination only when it is complete and its SHA-256 is verified.
public final class ContentDownload: Sendable {
    /// State of a download, with the raw values of StoreKit's `SKDownloadState`.
    public enum State: Int, Sendable, CaseIterable {
        case waiting = 0
        case active = 1
        case paused = 2
        case finished = 3
        case failed = 4
        case cancelled = 5
    }

    /// State and progress of a download.
    public struct Update: Sendable {
        /// State of the download.
        public var state: State
        /// Number of bytes on disk.
        public var received: Int64
        /// Size of the whole file in bytes.
        public var size: Int64
        /// Error of a failed download.
        public var error: DeliveryError?

        var isLast: Bool { state == .finished || state == .failed || state == .cancelled }
    }

    private struct Status {
        var update: Update
        var rate = TransferRate()
        /// Present run, which waits for the end of the previous one.
        var task: Task<Void, Never>?
        var run = 0
        var listeners: [Int: AsyncStream<Update>.Continuation] = [:]
        var nextListener = 0
    }

    /// ID of the content.
    public let contentIdentifier: String
    /// Version of the content; empty without one.
    public let contentVersion: String
    /// URL of the complete content.
    public let destination: URL
    private let job: any DownloadJob
    private let now: @Sendable () -> Instant
    private let status: Mutex<Status>

    init(
        contentIdentifier: String, version: String, size: Int64, destination: URL, job: any DownloadJob,
        now: @escaping @Sendable () -> Instant
    ) {
        self.contentIdentifier = contentIdentifier
        self.contentVersion = version
        self.destination = destination
        self.job = job
        self.now = now
        self.status = Mutex(Status(update: Update(state: .waiting, received: job.received, size: size)))
    }

    deinit {
        status.withLock { status in
            status.task?.cancel()
            status.listeners.values.forEach { $0.finish() }
        }
    }

    // MARK: State

    /// Present state and progress.
    public var current: Update { status.withLock { $0.update } }
    /// State of the download.
    public var state: State { current.state }
    /// Size of the whole content in bytes.
    public var expectedContentLength: Int64 { current.size }

    /// Progress from 0 to 1.
    public var progress: Float {
        let update = current
        return update.size > 0
            ? Float(Double(update.received) / Double(update.size)) : update.state == .finished ? 1 : 0
    }

    /// Seconds until the end, by the speed of the last seconds; `nil` if it is unknown or the download isn't active.
    public var timeRemaining: TimeInterval? {
        status.withLock { status in
            guard status.update.state == .active else { return nil }
            return status.rate.timeRemaining(received: status.update.received, size: status.update.size)
        }
    }

    /// URL of the content; `nil` before the download is finished.
    public var contentURL: URL? { state == .finished ? destination : nil }
    /// Error of a failed download.
    public var error: (any Error)? { current.error }

    /// Returns the present update and all later ones, up to the end. A slow reader gets the newest only.
    public func updates() -> AsyncStream<Update> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            status.withLock { status in
                continuation.yield(status.update)
                guard !status.update.isLast else { return continuation.finish() }
                let number = status.nextListener
                status.nextListener += 1
                status.listeners[number] = continuation
                continuation.onTermination = { [weak self] _ in
                    self?.status.withLock { _ = $0.listeners.removeValue(forKey: number) }
                }
            }
        }
    }

    // MARK: Control

    /// Starts or continues the download, also after a failure. Has no effect on a finished or cancelled one.
    public func start() {
        change { status in
            guard [.waiting, .paused, .failed].contains(status.update.state) else { return }
            status.run += 1
            let run = status.run
            let previous = status.task
            status.rate = TransferRate()
            set(&status, .active)
            // Keeps the job, not the download, so that a download without references ends.
            status.task = Task { [job, weak self] in
                await previous?.value
                do {
                    try await job.run { [weak self] received, size in self?.advance(run, received, size) }
                    self?.end(run, .finished, nil)
                } catch is CancellationError {
                    // `pause()` or `cancel()` has set the state.
                } catch {
                    self?.end(run, .failed, DeliveryError(wrapping: error))
                }
            }
        }
    }

    /// Stops the download. ``resume()`` continues it.
    public func pause() {
        change { status in
            guard [.waiting, .active].contains(status.update.state) else { return }
            stop(&status)
            set(&status, .paused)
        }
    }

    /// Continues after a pause or a failure.
    public func resume() {
        start()
    }

    /// Stops the download and deletes the received bytes.
    public func cancel() {
        change { status in
            guard [.waiting, .active, .paused, .failed].contains(status.update.state) else { return }
            stop(&status)
            set(&status, .cancelled)
            let previous = status.task
            status.task = Task { [job] in
                await previous?.value
                job.discard()
            }
        }
    }

    /// Waits for the end. Starts a waiting download; waits while it is paused.
    ///
    /// - Returns: The URL of the file.
    /// - Throws: ``DeliveryError``; `cancelled` if the download or the calling task is cancelled.
    public func finished() async throws -> URL {
        if state == .waiting { start() }
        for await update in updates() where update.isLast {
            if update.state == .finished { return destination }
            throw update.error ?? DeliveryError(.cancelled, reason: "the download was cancelled")
        }
        throw DeliveryError(.cancelled, reason: "the download has no reader any more")
    }

    /// Waits until the download writes nothing any more.
    package func idle() async {
        await status.withLock { $0.task }?.value
    }

    // MARK: Parts

    private func advance(_ run: Int, _ received: Int64, _ size: Int64) {
        let now = now()
        status.withLock { status in
            guard status.run == run, status.update.state == .active else { return }
            status.rate.update(received: received, at: now)
            status.update.received = received
            status.update.size = size
            status.listeners.values.forEach { $0.yield(status.update) }
        }
    }

    private func end(_ run: Int, _ state: State, _ error: DeliveryError?) {
        change { status in
            guard status.run == run, status.update.state == .active else { return }
            if state == .finished { status.update.received = status.update.size }
            set(&status, state, error)
        }
    }

    private func stop(_ status: inout Status) {
        status.run += 1
        status.task?.cancel()
    }

    /// Sets the state and notifies the listeners. The caller ends them outside of the lock.
    private func set(_ status: inout Status, _ state: State, _ error: DeliveryError? = nil) {
        status.update.state = state
        status.update.error = error
        for listener in status.listeners.values { listener.yield(status.update) }
    }

    private func change(_ body: (inout Status) -> Void) {
        let leaving = status.withLock { status in
            body(&status)
            guard status.update.isLast else { return [AsyncStream<Update>.Continuation]() }
            defer { status.listeners = [:] }
            return Array(status.listeners.values)
        }
        leaving.forEach { $0.finish() }
    }
}
