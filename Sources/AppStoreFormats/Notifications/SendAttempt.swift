import Foundation

/// What became of an attempt to deliver a server notification.
public struct SendAttemptResult: RawRepresentable, Hashable, Sendable, Codable {
    /// The name on the wire.
    public let rawValue: String

    /// Takes any name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The receiver answered with a status of 200 to 206.
    public static let success = Self(rawValue: "SUCCESS")
    /// There was no answer in time.
    public static let timedOut = Self(rawValue: "TIMED_OUT")
    /// No encrypted connection, or a certificate that nobody trusts.
    public static let tlsIssue = Self(rawValue: "TLS_ISSUE")
    /// Redirects without an end.
    public static let circularRedirect = Self(rawValue: "CIRCULAR_REDIRECT")
    /// The connection ended without an answer.
    public static let noResponse = Self(rawValue: "NO_RESPONSE")
    /// The network failed: nobody listens, or no such host.
    public static let socketIssue = Self(rawValue: "SOCKET_ISSUE")
    /// The answer names a character set that nobody knows.
    public static let unsupportedCharset = Self(rawValue: "UNSUPPORTED_CHARSET")
    /// The answer is not HTTP.
    public static let invalidResponse = Self(rawValue: "INVALID_RESPONSE")
    /// The connection ended in the middle of the request or of its answer.
    public static let prematureClose = Self(rawValue: "PREMATURE_CLOSE")
    /// The receiver answered with another status.
    public static let unsuccessfulHTTPResponseCode = Self(rawValue: "UNSUCCESSFUL_HTTP_RESPONSE_CODE")
    /// Anything else.
    public static let other = Self(rawValue: "OTHER")
}

/// One attempt to deliver a server notification, as the App Store Server API tells of it.
public struct SendAttemptItem: Hashable, Sendable, Codable {
    /// When.
    @Milliseconds public var attemptDate: Date
    /// What became of it.
    public var sendAttemptResult: SendAttemptResult

    /// Makes an item.
    public init(attemptDate: Date, sendAttemptResult: SendAttemptResult) {
        self.sendAttemptResult = sendAttemptResult
        self.attemptDate = attemptDate
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.milliseconds("attemptDate", attemptDate)
        json.string("sendAttemptResult", sendAttemptResult.rawValue)
        json.endObject()
    }
}
