import HTTPTypes
import Synchronization

/// A call of one of our own protocols, as ``RouteGroup`` has registered it and `openapi.json` describes it.
struct APIOperation: Sendable {
    /// The credentials that a call needs.
    enum Authorization: String, Sendable, CaseIterable {
        case none
        case controlToken
        case deviceToken
        case deliveryToken
        /// The seller's own.
        case operatorToken
        /// A token that a grant gives.
        case grant
    }

    let method: HTTPRequest.Method
    /// Relative to an environment's base URL, parameters in braces: `control/v1/subscriptions/{id}`.
    let path: String
    let summary: String
    let query: [QueryParameter]
    /// Makes the body's schema; `nil` for none.
    let body: RequestBodyDescription?
    let answers: [AnswerDescription]
    /// The statuses of refusals.
    let errors: Set<Int>
    let authorization: Authorization
    /// True if it is answered once for the process, not by each environment.
    let isGlobal: Bool

    /// - Parameter errors: The refusals that don't follow from the rest.
    init(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, query: [QueryParameter],
        body: RequestBodyDescription?, answers: [AnswerDescription], errors: [Int], _ authorization: Authorization,
        isGlobal: Bool
    ) {
        self.method = method
        self.path = path
        self.summary = summary
        self.query = query
        self.body = body
        self.answers = answers
        self.authorization = authorization
        self.isGlobal = isGlobal
        // The store may be unable to answer, or stop.
        var statuses: Set<Int> = [503]
        if body != nil { statuses.formUnion([400, 413]) }
        if !query.isEmpty { statuses.insert(400) }
        if authorization != .none { statuses.insert(401) }
        // The path and its environment may name nothing.
        if path.contains("{") || !isGlobal { statuses.insert(404) }
        self.errors = statuses.union(errors)
    }

    var name: String { "\(method.rawValue) \(path)" }

    /// The statuses that the operation is answered with.
    var statuses: Set<Int> { errors.union(answers.map(\.status)) }

    var pathParameters: [String] { path.matches(of: /\{(\w+)\}/).map { String($0.1) } }
}

/// The body of a request in `openapi.json`.
struct RequestBodyDescription: Sendable {
    let isRequired: Bool
    let schema: @Sendable () throws -> OpenAPINode
}

/// One of an operation's answers in `openapi.json`.
struct AnswerDescription: Sendable {
    let status: Int
    var description = "Done"
    /// `nil` for no body.
    var mediaType: String?
    var schema: @Sendable () throws -> OpenAPINode = { ["type": "string"] }

    static func empty(_ status: Int, _ description: String = "Done") -> AnswerDescription {
        AnswerDescription(status: status, description: description)
    }

    static func bytes(_ mediaType: String, status: Int = 200, _ description: String = "Done") -> AnswerDescription {
        AnswerDescription(status: status, description: description, mediaType: mediaType)
    }

    static func json<Value: Decodable & Sendable>(
        _ type: Value.Type, status: Int = 200, _ description: String = "Done"
    ) -> AnswerDescription {
        AnswerDescription(status: status, description: description, mediaType: "application/json") {
            try ModelSchema.schema(of: type, .answer)
        }
    }
}

/// A parameter of a query.
struct QueryParameter: Sendable {
    /// The pattern of texts that can be looked up: databases hold no NUL.
    static let storable = #"^[^\u0000]*$"#

    let name: String
    let isRequired: Bool
    let schema: OpenAPINode

    init(_ name: String, isRequired: Bool = false, _ constraint: Constraint? = nil, type: String = "string") {
        self.name = name
        self.isRequired = isRequired
        let free: OpenAPINode = ["type": .string(type), "pattern": .string(Self.storable)]
        schema = constraint?.apply(to: ["type": .string(type)]) ?? (type == "string" ? free : ["type": .string(type)])
    }
}

/// The operations that a router has been given, in the order of their registration.
final class OperationList: Sendable {
    private let operations = Mutex<[APIOperation]>([])

    func append(_ operation: APIOperation) { operations.withLock { $0.append(operation) } }

    var all: [APIOperation] { operations.withLock { $0 } }
}

extension APIOperation {
    /// The schema of a parameter of the path. It may name nothing: the answer is 404.
    static func schema(ofPathParameter name: String) -> OpenAPINode {
        let plain: OpenAPINode = ["type": "string", "minLength": 1, "pattern": .string(QueryParameter.storable)]
        return pathConstraints[name]?.apply(to: plain) ?? plain
    }

    private static let pathConstraints: [String: Constraint] = [
        "bundleId": .described("An app's bundle ID, such as com.example.magazine"),
        "productId": .described("A product's ID"),
        "account": .described("An account's name, percent-encoded"),
        "name": .described("An environment's name"),
        "month": .fiscalMonth,
        "key": .pattern("^[A-Za-z0-9._~-]{1,128}$", "The idempotency key of a purchase"),
        "keyId": .described("A key's ID"),
        "uuid": .described("A notification's UUID"),
        "requestId": .described("The request identifier of an extension"),
        "report": .described("sales, subscription, subscription-event, subscriber or offer-code-redemption"),
        "contentId": .described("The ID of a content"),
        "id": .described("The number of a transaction, a family or a request; the UUID of a message or an image"),
    ]
}
