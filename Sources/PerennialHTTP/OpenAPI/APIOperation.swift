import HTTPTypes

/// A call of one of our own protocols, as `openapi.json` describes it.
struct APIOperation: Sendable {
    /// Whose token it wants.
    enum Authorization: String, Sendable {
        case none
        case controlToken
        case deviceToken
        case deliveryToken
        /// The seller's own.
        case operatorToken
        /// The token that a grant gives.
        case grant
    }

    let method: HTTPRequest.Method
    /// Relative to an environment's base URL, parameters in braces: `control/v1/subscriptions/{id}`.
    let path: String
    let summary: String
    /// The body's fields, such as `account string, storefront? string, items [string], method valid|declined`: a
    /// question mark for what may be left out.
    let body: String?
    /// The query's fields, in the same way.
    let query: String?
    /// What is answered, in the same way; `nil` for no body.
    let answer: String?
    /// The media type of an answer that is not JSON.
    let mediaType: String?
    let authorization: Authorization
    /// Answered once for the process, not by each environment.
    let isGlobal: Bool

    init(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, query: String? = nil, body: String? = nil,
        answer: String? = nil, mediaType: String? = nil, _ authorization: Authorization, isGlobal: Bool = false
    ) {
        self.method = method
        self.path = path
        self.summary = summary
        self.body = body
        self.query = query
        self.answer = answer
        self.mediaType = mediaType
        self.authorization = authorization
        self.isGlobal = isGlobal
    }

    /// All that `openapi.json` describes.
    static let all = process + store + control + delivery

    static let process: [APIOperation] = [
        .init(.get, "health", "Whether the process answers", answer: "status string", .none, isGlobal: true),
        .init(
            .get, "ready", "Whether the store can sell: 503 where it can't", answer: "status string",
            .none,
            isGlobal: true),
        .init(
            .get, "metrics", "Counts and positions as Prometheus reads them", mediaType: "text/plain", .none,
            isGlobal: true),
        .init(
            .get, "certificates/root.cer", "The root certificate of signed data, in DER",
            mediaType: "application/pkix-cert", .none),
        .init(
            .get, "certificates/receipt-root.cer", "The root certificate of receipts, in DER",
            mediaType: "application/pkix-cert", .none, isGlobal: true),
        .init(
            .get, "certificates/transactions-ca.cer", "The certificate that issues transactions' leaves, in DER",
            mediaType: "application/pkix-cert", .none, isGlobal: true),
        .init(
            .get, "certificates/receipts-ca.cer", "The certificate that issues receipts' leaves, in DER",
            mediaType: "application/pkix-cert", .none, isGlobal: true),
        .init(.get, "openapi.json", "This document", answer: "openapi string", .none, isGlobal: true),
    ]
}

/// A field of a body or a query.
struct APIField: Sendable {
    let name: String
    let isRequired: Bool
    let schema: OpenAPINode

    /// Reads a list of fields as ``APIOperation`` writes them.
    static func fields(_ text: String?) -> [APIField] {
        (text ?? "").split(separator: ",").compactMap { field in
            let parts = field.split(separator: " ")
            guard parts.count == 2, let name = parts.first, let type = parts.last else { return nil }
            return APIField(
                name: String(name.filter { $0 != "?" }), isRequired: !name.hasSuffix("?"), schema: schema(of: type))
        }
    }

    static func schema(of type: Substring) -> OpenAPINode {
        if type.hasPrefix("["), type.hasSuffix("]") {
            return ["type": "array", "items": schema(of: type.dropFirst().dropLast())]
        }
        switch type {
        case "string", "integer", "boolean", "object": return ["type": .string(String(type))]
        case "time": return ["type": "string", "format": "date-time"]
        case "duration": return ["type": "string", "format": "duration"]
        case "uuid": return ["type": "string", "format": "uuid"]
        case "base64": return ["type": "string", "contentEncoding": "base64"]
        case "jws": return ["type": "string", "description": "A compact JWS, ES256"]
        default: return ["type": "string", "enum": .array(type.split(separator: "|").map { .string(String($0)) })]
        }
    }
}
