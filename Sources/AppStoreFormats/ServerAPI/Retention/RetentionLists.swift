import Foundation

/// The state of a message's or an image's review: the store reviews each before customers see it.
public enum RetentionState: String, Hashable, Sendable, Codable, CaseIterable {
    /// The review has not begun.
    case pending = "PENDING"
    /// The review approved it.
    case approved = "APPROVED"
    /// The review rejected it.
    case rejected = "REJECTED"
}

/// The answer to Get Image List.
public struct GetImageListResponse: Hashable, Sendable, Codable {
    /// An image.
    public struct Item: Hashable, Sendable, Codable {
        /// The seller's name of it, in lower case.
        public var imageIdentifier: String
        /// The state of the image's review.
        public var imageState: RetentionState
        /// The use of the image.
        public var imageSize: RetentionImageSize

        /// Makes an item.
        public init(imageIdentifier: String, imageState: RetentionState, imageSize: RetentionImageSize) {
            self.imageIdentifier = imageIdentifier
            self.imageState = imageState
            self.imageSize = imageSize
        }
    }

    /// The images of the app.
    public var imageIdentifiers: [Item]

    /// Makes an answer.
    public init(imageIdentifiers: [Item]) { self.imageIdentifiers = imageIdentifiers }
}

/// The answer to Get Message List.
public struct GetMessageListResponse: Hashable, Sendable, Codable {
    /// A message.
    public struct Item: Hashable, Sendable, Codable {
        /// The seller's name of it, in lower case.
        public var messageIdentifier: String
        /// The state of the message's review.
        public var messageState: RetentionState

        /// Makes an item.
        public init(messageIdentifier: String, messageState: RetentionState) {
            self.messageIdentifier = messageIdentifier
            self.messageState = messageState
        }
    }

    /// The messages of the app.
    public var messageIdentifiers: [Item]

    /// Makes an answer.
    public init(messageIdentifiers: [Item]) { self.messageIdentifiers = messageIdentifiers }
}

/// A default message: the body of Configure Default Message, and the answer to Get Default Message.
public struct DefaultConfiguration: Hashable, Sendable, Codable {
    /// The message.
    public var messageIdentifier: UUID

    /// Makes one.
    public init(messageIdentifier: UUID) { self.messageIdentifier = messageIdentifier }

    /// Reads a body.
    /// - Throws: ``ServerAPIError`` 4040015 where no message is named.
    package init(parsing body: ServerAPIRequestBody) throws {
        messageIdentifier = try body.uuid("messageIdentifier", .messageNotFound)
    }
}

/// The URL at which the seller answers real-time requests: the body of Configure Realtime URL, and the answer to Get
/// Realtime URL.
public struct RealtimeURL: Hashable, Sendable, Codable {
    /// The most characters of the URL.
    public static let maximumLength = 256

    /// The URL, which begins with `https://`.
    public var realtimeURL: String

    /// Makes one.
    public init(realtimeURL: String) { self.realtimeURL = realtimeURL }

    /// Reads a body. A server on the same machine may be called without TLS, which Apple's store can't do.
    /// - Throws: ``ServerAPIError`` 4000215.
    package init(parsing body: ServerAPIRequestBody) throws {
        realtimeURL = try body.text("realtimeURL", upTo: Self.maximumLength, .invalidRealtimeURL)
        guard let url = URL(string: realtimeURL), let host = url.host, !host.isEmpty,
            url.scheme == "https" || url.scheme == "http" && Self.loopback.contains(host)
        else {
            throw ServerAPIError(.invalidRealtimeURL, "realtimeURL", "realtimeURL begins with https://")
        }
    }

    private static let loopback: Set<String> = ["localhost", "127.0.0.1", "::1", "[::1]"]
}
