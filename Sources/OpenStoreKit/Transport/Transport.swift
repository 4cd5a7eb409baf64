import Foundation
import NIOCore
import NIOHTTP1

/// The port through which the client reaches its servers.
package protocol Transport: Sendable {
    /// Sends a request and collects the answer's body, of `maximumBytes` at most.
    ///
    /// - Throws: ``TransportError``, or `CancellationError`.
    func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer

    /// Sends a request and returns as soon as the answer's head is there.
    ///
    /// - Throws: ``TransportError``, or `CancellationError`; the body's sequence likewise.
    func stream(_ call: HTTPCall) async throws -> StreamedAnswer
}

/// A request, as a value.
package struct HTTPCall: Sendable {
    package var method: HTTPMethod
    package var url: URL
    package var headers: HTTPHeaders
    package var body: Data?

    package init(_ method: HTTPMethod, _ url: URL, headers: HTTPHeaders = [:], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// A whole answer.
package struct HTTPAnswer: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: Data

    package init(status: Int, headers: HTTPHeaders = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// An answer whose body is read as it arrives.
package struct StreamedAnswer: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: any AsyncSequence<ByteBuffer, any Error> & Sendable

    package init(status: Int, headers: HTTPHeaders, body: any AsyncSequence<ByteBuffer, any Error> & Sendable) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why there is no answer.
package struct TransportError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// No connection, or it broke before the answer was complete: the server may have done what was asked.
        case noConnection
        case timedOut
        /// More than was allowed for; asking again would not help.
        case answerTooLarge
    }

    package let code: Code
    package let url: String
    package let reason: String

    package init(_ code: Code, url: URL, reason: String) {
        self.code = code
        self.url = url.absoluteString
        self.reason = reason
    }

    package var description: String { "\(code): \(url): \(reason)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}
