import NIOCore
import NIOHTTP1

/// A refusal of a request before it reaches the application; it ends the connection.
struct ConnectionRefusal {
    let status: HTTPResponseStatus
    let code: String
    let message: String

    static let malformed = ConnectionRefusal(
        status: .badRequest, code: "malformedRequest", message: "this is no complete HTTP/1.1 request")
    static let late = ConnectionRefusal(
        status: .requestTimeout, code: "requestTimeout", message: "the request did not arrive in time")

    static func host(_ message: String) -> ConnectionRefusal {
        ConnectionRefusal(status: .badRequest, code: "malformedRequest", message: message)
    }

    /// The line of the log, with what to do.
    var line: String {
        let advice =
            status == .requestTimeout
            ? "send the whole request at once; a slow network or proxy may be between"
            : "speak HTTP/1.1 to this port; for https:// start the server with --tls"
        return "refused: a connection \(status.code) \(code): \(message); \(advice)"
    }

    /// An answer in the form of our own protocols, after which the connection ends.
    var parts: [HTTPServerResponsePart] {
        let body = ByteBuffer(string: #"{"error":{"code":"\#(code)","message":"\#(message)"}}"#)
        let headers: HTTPHeaders = [
            "Content-Type": "application/json", "Content-Length": "\(body.readableBytes)", "Connection": "close",
        ]
        return [
            .head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)), .body(.byteBuffer(body)),
            .end(nil),
        ]
    }
}
