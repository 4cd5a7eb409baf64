import FastJSON
import Foundation

/// The result of an attempt to send a server notification (`sendAttemptResult`).
public struct SendAttemptResult: RawRepresentable, Hashable, Sendable, Codable {
    /// The name on the wire.
    public let rawValue: String

    /// Takes any name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The receiver answered with a status of 200 to 206.
    public static let success = Self(rawValue: "SUCCESS")
    /// The answer didn't come in time.
    public static let timedOut = Self(rawValue: "TIMED_OUT")
    /// The connection isn't encrypted, or the certificate is not trusted.
    public static let tlsIssue = Self(rawValue: "TLS_ISSUE")
    /// Redirects without an end.
    public static let circularRedirect = Self(rawValue: "CIRCULAR_REDIRECT")
    /// The connection ended without an answer.
    public static let noResponse = Self(rawValue: "NO_RESPONSE")
    /// The network failed: no such host, or no server at the port.
    public static let socketIssue = Self(rawValue: "SOCKET_ISSUE")
    /// The answer names an unknown character set.
    public static let unsupportedCharset = Self(rawValue: "UNSUPPORTED_CHARSET")
    /// The answer is not HTTP.
    public static let invalidResponse = Self(rawValue: "INVALID_RESPONSE")
    /// The connection ended in the middle of the request or of its answer.
    public static let prematureClose = Self(rawValue: "PREMATURE_CLOSE")
    /// The receiver answered with another status.
    public static let unsuccessfulHTTPResponseCode = Self(rawValue: "UNSUCCESSFUL_HTTP_RESPONSE_CODE")
    /// Another failure.
    public static let other = Self(rawValue: "OTHER")
}

/// One attempt to deliver a server notification, as the App Store Server API tells of it.
public struct SendAttemptItem: Hashable, Sendable, Codable {
    /// The date of the attempt.
    @Milliseconds public var attemptDate: Date
    /// The result of the attempt.
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
