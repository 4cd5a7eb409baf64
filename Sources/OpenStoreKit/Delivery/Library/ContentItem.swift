import Foundation

/// A content file of the customer's purchases, with its state on this device.
public struct ContentItem: Identifiable, Sendable {
    /// State of a content on this device.
    public enum State: Sendable, Hashable {
        /// Content that isn't requested.
        case available
        /// Requested; starts when another download ends, after a failed attempt's delay, or with ``ContentDownloads/resume()``.
        case waiting
        case downloading
        case paused
        /// Content on this device, in the version that the content server has.
        case downloaded
        /// Ended with an ``ContentItem/error``. ``ContentDownloads/resume(_:)`` tries again.
        case failed
    }

    /// The content, as the content server described it last.
    public let content: GrantedContent
    /// State on this device.
    public let state: State
    /// Number of bytes on disk of the version that is downloading.
    public let received: Int64
    /// Seconds until the end, by the speed of the last seconds; `nil` if unknown.
    public let timeRemaining: TimeInterval?
    /// The last error; also of an attempt that will be repeated.
    public let error: DeliveryError?
    /// URL of the file; that of the previous version while a new one is downloading.
    public let url: URL?

    /// ID of the content.
    public var id: String { content.contentId }

    /// Progress from 0 to 1.
    public var progress: Double {
        guard state != .downloaded else { return 1 }
        return content.size > 0 ? min(Double(received) / Double(content.size), 1) : 0
    }
}

/// The states of all contents: the present ones first, then after every change. A slow reader gets the newest only.
public struct ContentUpdates: AsyncSequence, Sendable {
    public typealias Element = [ContentItem]
    public typealias Failure = Never

    let downloads: ContentDownloads

    /// Iterator of ``ContentUpdates``.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let downloads: ContentDownloads
        var changes: AsyncStream<Void>.Iterator

        /// Returns the states after the next change; `nil` if the task is cancelled.
        public mutating func next() async -> [ContentItem]? {
            guard await changes.next() != nil else { return nil }
            return await downloads.items
        }
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(downloads: downloads, changes: downloads.changes.stream().makeAsyncIterator())
    }
}
