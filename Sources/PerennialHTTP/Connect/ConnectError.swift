import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// An error object of the App Store Connect API, with the members that Apple documents and no other.
struct ConnectError: Encodable, Hashable, Sendable {
    struct Source: Encodable, Hashable, Sendable {
        /// The name of a query parameter.
        var parameter: String?
        /// A JSON pointer into the request's body.
        var pointer: String?
    }

    struct Meta: Encodable, Hashable, Sendable {
        /// The reasons, by the resource or the member that each is about.
        var associatedErrors: [String: [ConnectError]]
    }

    /// Identifies this occurrence.
    var id = Self.makeID()
    var status: String
    /// The code from general to special, with dots between: programs compare its beginning.
    var code: String
    var title: String
    var detail: String
    var source: Source?
    var meta: Meta?

    /// Makes a UUID (version 4 of RFC 9562). It is in no other answer, and nothing depends on it.
    private static func makeID() -> String {
        SymmetricKey(size: .bits128).withUnsafeBytes { random in
            var bytes = Array(random)
            bytes[6] = bytes[6] & 0x0F | 0x40
            bytes[8] = bytes[8] & 0x3F | 0x80
            return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString.lowercased()
        }
    }
}

/// An answer that refuses a request, with one or more errors of the same status.
struct ConnectFailure: Error, Sendable {
    private struct Body: Encodable { var errors: [ConnectError] }

    let status: HTTPResponse.Status
    let errors: [ConnectError]
    var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ errors: [ConnectError], headers: HTTPFields = [:]) {
        (self.status, self.errors, self.headers) = (status, errors, headers)
    }

    init(
        _ status: HTTPResponse.Status, _ code: String, _ title: String, _ detail: String,
        source: ConnectError.Source? = nil, headers: HTTPFields = [:]
    ) {
        let error = ConnectError(
            status: String(status.code), code: code, title: title, detail: detail, source: source)
        self.init(status, [error], headers: headers)
    }

    /// Makes the answer, whose type is exactly `application/json`: clients compare it.
    func response() throws -> Response {
        var response = JSONResponse.bytes(try JSONResponse.encode(Body(errors: errors)), status: status)
        for header in headers { response.headers[header.name] = header.value }
        return response
    }
}

extension ConnectFailure {
    // MARK: The sender

    static let unauthenticated = ConnectFailure(
        .unauthorized, "NOT_AUTHORIZED", "Authentication credentials are missing or invalid.",
        "Provide a properly configured and signed bearer token, and make sure that it has not expired. "
            + "Learn more about Generating Tokens for API Requests "
            + "https://developer.apple.com/go/?id=api-generating-tokens")

    static let forbidden = ConnectFailure(
        .forbidden, "FORBIDDEN_ERROR", "This request is forbidden for security reasons",
        "The API key in use does not allow this request")

    /// - Parameter seconds: The time until the next request is possible.
    static func rateLimitExceeded(seconds: Int64) -> ConnectFailure {
        ConnectFailure(
            .tooManyRequests, "RATE_LIMIT_EXCEEDED", "The request rate limit has been reached.",
            "The key has sent as many requests in the last hour as it may.", headers: [.retryAfter: String(seconds)])
    }

    // MARK: The path

    static func unknownPath(_ path: String) -> ConnectFailure {
        ConnectFailure(
            .notFound, "PATH_ERROR", "The URL path is not valid",
            "The resource '\(path.drop { $0 == "/" })' does not exist")
    }

    /// Refuses an operation that a resource of Apple's doesn't have, or that the store doesn't serve.
    ///
    /// - Parameters:
    ///   - word: The operation in Apple's words: `GET_COLLECTION`.
    ///   - reason: A sentence without a full stop.
    static func notAllowed(_ resource: String, _ word: String, allowed: [String], _ reason: String?) -> ConnectFailure {
        let others = allowed.isEmpty ? "none" : allowed.joined(separator: ", ")
        return ConnectFailure(
            .forbidden, "FORBIDDEN_ERROR", "The given operation is not allowed",
            "The resource '\(resource)' does not allow '\(word)'. Allowed operations are: \(others)."
                + (reason.map { " \($0)." } ?? ""))
    }

    static func notFound(_ type: String, _ id: String) -> ConnectFailure {
        ConnectFailure(
            .notFound, "NOT_FOUND", "The specified resource does not exist",
            "There is no resource of type '\(type)' with id '\(id)'")
    }

    // MARK: The query

    static func illegalParameters(_ names: [String]) -> ConnectFailure {
        ConnectFailure(
            .badRequest,
            names.map {
                ConnectError(
                    status: "400", code: "PARAMETER_ERROR.ILLEGAL", title: "A parameter is not allowed",
                    detail: "The parameter '\($0)' can not be used with this request",
                    source: ConnectError.Source(parameter: $0))
            })
    }

    static func missingParameter(_ name: String, _ detail: String? = nil) -> ConnectFailure {
        ConnectFailure(
            .badRequest, "PARAMETER_ERROR.REQUIRED", "A required parameter is missing",
            detail ?? "The parameter '\(name)' is required but was not provided",
            source: ConnectError.Source(parameter: name))
    }

    static func invalidParameter(_ name: String, _ detail: String) -> ConnectFailure {
        ConnectFailure(
            .badRequest, "PARAMETER_ERROR.INVALID", "A parameter has an invalid value", detail,
            source: ConnectError.Source(parameter: name))
    }

    // MARK: The body

    static func unprocessable(_ detail: String) -> ConnectFailure {
        ConnectFailure(
            HTTPResponse.Status(code: 422), "ENTITY_UNPROCESSABLE",
            "The request entity is not a valid request document object", detail)
    }

    /// - Parameter code: The end of the code: `ATTRIBUTE.REQUIRED`.
    static func entity(_ code: String, _ title: String, _ detail: String, pointer: String) -> ConnectFailure {
        ConnectFailure(
            .conflict, "ENTITY_ERROR.\(code)", title, detail, source: ConnectError.Source(pointer: pointer))
    }
}
