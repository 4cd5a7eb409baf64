import Foundation
import Synchronization

/// Where a download stands, by StoreKit's numbers.
public enum SKDownloadState: Int, Sendable, CaseIterable {
    case waiting = 0
    case active = 1
    case paused = 2
    case finished = 3
    case failed = 4
    case cancelled = 5
}

/// ``ContentDownload/timeRemaining`` where nobody knows.
public let SKDownloadTimeRemainingUnknown: TimeInterval = -1

/// StoreKit's name for a download.
public typealias SKDownload = ContentDownload

/// Fetches a content file from the seller's server.
///
/// A broken connection is taken up again, at the byte where it broke, a bounded number of times. What has arrived
/// stays on disk when the download is paused, fails, or its process ends: a new download to the same destination goes
/// on there. A file that changed on the server is fetched afresh. The file appears at its destination whole, with its
/// SHA-256 verified, or not at all.
public final class ContentDownload: NSObject, Sendable {
    /// A moment of a download.
    public struct Update: Sendable {
        public var state: SKDownloadState
        /// Bytes on disk.
        public var received: Int64
        /// Bytes of the whole file.
        public var size: Int64
        /// Of failed downloads.
        public var error: DeliveryError?

        var isLast: Bool { state == .finished || state == .failed || state == .cancelled }
    }

    private struct Status {
        var update: Update
        /// Runs one after the other: a new one waits for the end of the one before.
        var task: Task<Void, Never>?
        var run = 0
        var listeners: [Int: AsyncStream<Update>.Continuation] = [:]
        var nextListener = 0
    }

    public let content: GrantedContent
    /// Where the file will be.
    public let destination: URL
    private let session: DownloadSession
    private let status: Mutex<Status>

    init(_ content: GrantedContent, destination: URL, session: DownloadSession) {
        self.content = content
        self.destination = destination
        self.session = session
        let received = session.files.resumable().map(\.received) ?? 0
        self.status = Mutex(Status(update: Update(state: .waiting, received: received, size: content.size)))
    }

    deinit {
        status.withLock { status in
            status.task?.cancel()
            status.listeners.values.forEach { $0.finish() }
        }
    }

    // MARK: State

    public var current: Update { status.withLock { $0.update } }
    public var state: SKDownloadState { current.state }
    public var contentIdentifier: String { content.contentId }
    public var contentVersion: String { content.version ?? "" }
    /// In bytes.
    public var expectedContentLength: Int64 { current.size }

    /// 0 to 1.
    public var progress: Float {
        let update = current
        return update.size > 0
            ? Float(Double(update.received) / Double(update.size)) : update.state == .finished ? 1 : 0
    }

    /// Always unknown.
    public var timeRemaining: TimeInterval { SKDownloadTimeRemainingUnknown }
    /// The file, when it is finished.
    public var contentURL: URL? { state == .finished ? destination : nil }
    /// Of failed downloads.
    public var error: (any Error)? { current.error }

    /// The current moment and all that follow, up to the end; a slow reader sees the newest only.
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

    /// Starts, or goes on. Failed downloads may be started again; finished and cancelled ones not.
    public func start() {
        change { status in
            guard [.waiting, .paused, .failed].contains(status.update.state) else { return }
            status.run += 1
            let run = status.run
            let previous = status.task
            set(&status, .active)
            // Holds on to the session, not to the download: one that nobody holds any more ends.
            status.task = Task { [session, weak self] in
                await previous?.value
                do {
                    try await session.run { [weak self] received, size in self?.advance(run, received, size) }
                    self?.end(run, .finished, nil)
                } catch is CancellationError {
                    // Whoever cancelled has said what it is now.
                } catch {
                    self?.end(run, .failed, DeliveryError(wrapping: error))
                }
            }
        }
    }

    /// Stops, to be continued later.
    public func pause() {
        change { status in
            guard [.waiting, .active].contains(status.update.state) else { return }
            stop(&status)
            set(&status, .paused)
        }
    }

    /// Goes on after a pause or a failure.
    public func resume() {
        start()
    }

    /// Stops for good; what has arrived is thrown away.
    public func cancel() {
        change { status in
            guard [.waiting, .active, .paused, .failed].contains(status.update.state) else { return }
            stop(&status)
            set(&status, .cancelled)
            let previous = status.task
            status.task = Task { [session] in
                await previous?.value
                session.files.discard()
            }
        }
    }

    /// Waits for the end, and starts the download if nobody has.
    ///
    /// - Returns: The file's place.
    /// - Throws: ``DeliveryError``; `cancelled` where the download or the calling task is cancelled. A paused download
    ///   is waited for.
    public func finished() async throws -> URL {
        if state == .waiting { start() }
        for await update in updates() where update.isLast {
            if update.state == .finished { return destination }
            throw update.error ?? DeliveryError(.cancelled, reason: "the download was cancelled")
        }
        throw DeliveryError(.cancelled, reason: "nobody waits for the download any more")
    }

    /// Waits until nothing is written any more.
    package func idle() async {
        await status.withLock { $0.task }?.value
    }

    // MARK: Parts

    private func advance(_ run: Int, _ received: Int64, _ size: Int64) {
        status.withLock { status in
            guard status.run == run, status.update.state == .active else { return }
            status.update.received = received
            status.update.size = size
            status.listeners.values.forEach { $0.yield(status.update) }
        }
    }

    private func end(_ run: Int, _ state: SKDownloadState, _ error: DeliveryError?) {
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

    /// Tells the listeners; they are told of the end by whoever changed the status, outside of its lock.
    private func set(_ status: inout Status, _ state: SKDownloadState, _ error: DeliveryError? = nil) {
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
