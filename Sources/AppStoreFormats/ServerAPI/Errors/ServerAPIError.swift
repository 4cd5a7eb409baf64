import FastJSON

/// An error of the App Store Server API: `{"errorCode": 4040010, "errorMessage": "…"}`.
package struct ServerAPIError: Error, Hashable, CustomStringConvertible {
    package let code: ServerAPIErrorCode
    /// The time from which the caller may ask again, in milliseconds since 1970: the `Retry-After` of
    /// ``ServerAPIErrorCode/rateLimitExceeded``.
    package let retryAfter: Int64?
    /// The field, path or query parameter that is wrong; `nil` where it is the whole request.
    package let field: String?
    /// The accepted form, for people; it follows the message of the code.
    package let reason: String?

    package init(_ code: ServerAPIErrorCode, retryAfter: Int64? = nil) {
        self.code = code
        self.retryAfter = retryAfter
        field = nil
        reason = nil
    }

    package init(_ code: ServerAPIErrorCode, _ field: String?, _ reason: String) {
        self.code = code
        self.field = field
        self.reason = reason
        retryAfter = nil
    }

    /// The first three digits of the code.
    package var status: Int { Int(code.rawValue / 10_000) }
    package var description: String { "\(code.rawValue) \(code.name): \(message)" }
    /// The message of the code, and the accepted form.
    package var message: String { reason.map { "\(code.message) (\($0))" } ?? code.message }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// The body, in JSON.
    package var body: [UInt8] {
        var json = JSONWriter(capacity: 128)
        json.beginObject()
        json.number("errorCode", code.rawValue)
        json.string("errorMessage", message)
        json.endObject()
        return json.bytes
    }
}
