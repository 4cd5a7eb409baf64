import Foundation
import HTTPTypes

/// Sends HTTP requests.
package protocol Transport: Sendable {
    /// Sends a request and collects the body of the answer, up to `maximumBytes`.
    ///
    /// - Throws: ``TransportError``, or `CancellationError`.
    func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer

    /// Sends a request and returns the answer's head with its body as a stream.
    ///
    /// - Throws: ``TransportError``, or `CancellationError`; the body's sequence likewise.
    func stream(_ call: HTTPCall) async throws -> StreamedAnswer

    /// The store behind the transport, if it is in this process.
    var inProcess: (any InProcessStore)? { get }

    /// True if answers come over a network, and may take long.
    var isRemote: Bool { get }
}

extension Transport {
    package var inProcess: (any InProcessStore)? { nil }
    package var isRemote: Bool { false }
}

/// The transport of connections over a network.
package enum NetworkTransport {
    package static func make() -> any Transport {
        #if AsyncHTTPClient
            AsyncHTTPTransport()
        #else
            FoundationTransport()
        #endif
    }
}

/// An HTTP request.
package struct HTTPCall: Sendable {
    package var method: HTTPRequest.Method
    package var url: URL
    package var headers: HTTPFields
    package var body: Data?

    package init(_ method: HTTPRequest.Method, _ url: URL, headers: HTTPFields = [:], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// An HTTP answer with its body.
package struct HTTPAnswer: Sendable {
    package var status: Int
    package var headers: HTTPFields
    package var body: Data

    package init(status: Int, headers: HTTPFields = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// An HTTP answer with a streamed body.
package struct StreamedAnswer: Sendable {
    package var status: Int
    package var headers: HTTPFields
    package var body: any AsyncSequence<Data, any Error> & Sendable

    package init(status: Int, headers: HTTPFields, body: any AsyncSequence<Data, any Error> & Sendable) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// An error of a request without an answer.
package struct TransportError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// The connection failed or broke. The server may have carried out the request.
        case noConnection
        case timedOut
        /// The answer exceeds the limit.
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
