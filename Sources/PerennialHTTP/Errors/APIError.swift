import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// An error as our own protocols carry it: `{"error": {"code", "message", "field"?, "skError"?}}`.
package struct APIError: HTTPResponseError, Equatable, CustomStringConvertible {
    package let status: HTTPResponse.Status
    /// The word that programs branch on.
    package let code: String
    /// A sentence for a person: the mistake, and the right form.
    package let message: String
    /// The field of the request it is about.
    package let field: String?
    /// StoreKit's number for an app (`SKErrorDomain`), in store/v1.
    package let skError: Int?
    /// Further members of the error object, such as verifyReceipt's status.
    package let details: [String: Int]
    /// Further headers of the answer, such as `Retry-After`.
    package let headers: HTTPFields

    package init(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, field: String? = nil, skError: Int? = nil,
        details: [String: Int] = [:], headers: HTTPFields = [:]
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.field = field
        self.skError = skError
        self.details = details
        self.headers = headers
    }

    package var description: String { "\(status.code) \(code): \(message)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code && one.status == other.status }

    package func response(from request: Request, context: some RequestContext) throws -> Response {
        var body = Body(error: Body.Members(code: code, message: message, field: field, skError: skError))
        body.error.details = details
        var response = try JSONResponse.make(body, status: status)
        for header in headers { response.headers[header.name] = header.value }
        return response
    }

    private struct Body: Encodable {
        struct Members: Encodable {
            var code: String
            var message: String
            var field: String?
            var skError: Int?
            var details: [String: Int] = [:]

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(code, forKey: Key("code"))
                try container.encode(message, forKey: Key("message"))
                try container.encodeIfPresent(field, forKey: Key("field"))
                try container.encodeIfPresent(skError, forKey: Key("skError"))
                for (name, value) in details { try container.encode(value, forKey: Key(name)) }
            }
        }

        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(_ name: String) { stringValue = name }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        var error: Members
    }
}
