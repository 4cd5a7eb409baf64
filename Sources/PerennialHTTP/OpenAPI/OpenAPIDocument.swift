import Hummingbird
import Synchronization

/// `GET /openapi.json`: our own protocols, from the operations that the router was given.
final class OpenAPIDocument: Sendable {
    /// The part of the document that is always there.
    struct Version: Model { let openapi: String }

    private let operations: OperationList
    /// Made for the first request: a server starts without it.
    private let bytes = Mutex<[UInt8]?>(nil)

    init(_ operations: OperationList) { self.operations = operations }

    func response() throws -> Response {
        let bytes = try bytes.withLock { bytes in
            if let bytes { return bytes }
            let made = try JSONResponse.encode(document())
            bytes = made
            return made
        }
        return JSONResponse.bytes(bytes)
    }

    func document() throws -> OpenAPINode {
        var paths: [String: [String: OpenAPINode]] = [:]
        for operation in operations.all {
            paths["/\(operation.path)", default: [:]][operation.method.rawValue.lowercased()] = try operation.node()
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Perennial", "version": "1",
                "description": """
                Perennial's protocols besides the App Store's own: store/v1 for devices, control/v1 for tests and \
                operators, delivery/v1 for the seller's content. A path that isn't here is answered with 404, another \
                method than a path's own with 405, and a host name that the server doesn't go by with 403.
                """,
            ],
            "servers": [
                ["url": "/", "description": "Production"], ["url": "/sandbox", "description": "Sandbox"],
                [
                    "url": "/environments/{environment}", "description": "Any further environment",
                    "variables": ["environment": ["default": "Sandbox"]],
                ],
            ],
            "paths": .object(paths.mapValues { .object($0) }),
            "components": [
                "schemas": [
                    "Error": Self.error, "AppleMessage": Self.message,
                    "Transaction": try ModelSchema.schema(of: TransactionModel.self, .answer),
                ], "securitySchemes": Self.securitySchemes,
            ],
        ]
    }

    /// The reference to a transaction as a device sees it, which contains another one.
    static let transaction = "#/components/schemas/Transaction"
    /// The reference to a message of Apple's.
    static let appleMessage = "#/components/schemas/AppleMessage"

    private static let message: OpenAPINode = [
        "type": "object", "additionalProperties": true, "description": "A message as Apple's documents describe it",
    ]

    private static let error: OpenAPINode = [
        "type": "object", "required": ["error"],
        "properties": [
            "error": [
                "type": "object", "required": ["code", "message"],
                "properties": [
                    "code": ["type": "string", "description": "A word to branch on"],
                    "message": ["type": "string", "description": "For a person"],
                    "field": ["type": "string", "description": "The field of the request it is about"],
                    "skError": ["type": "integer", "description": "StoreKit's number for an app: SKErrorDomain"],
                    "status": ["type": "integer", "description": "verifyReceipt's status, in delivery/v1"],
                ],
            ]
        ],
    ]

    private static let securitySchemes: OpenAPINode = [
        "controlToken": ["type": "http", "scheme": "bearer", "description": "The server prints it when it starts"],
        "deviceToken": ["type": "http", "scheme": "bearer", "description": "From POST store/v1/devices"],
        "deliveryToken": [
            "type": "http", "scheme": "bearer", "description": "From POST delivery/v1/customers/session",
        ],
        "operatorToken": [
            "type": "http", "scheme": "bearer",
            "description": "The control token, or PERENNIAL_TOKEN where Delivery runs by itself",
        ],
        "grant": ["type": "http", "scheme": "bearer", "description": "From POST delivery/v1/grants"],
    ]
}

extension APIOperation {
    /// The operation object.
    fileprivate func node() throws -> OpenAPINode {
        var node: [String: OpenAPINode] = [
            "summary": .string(summary), "tags": [.string(tag)], "operationId": .string(operationID),
            "responses": try responses(),
        ]
        let parameters = pathParameters.map(Self.pathParameter) + query.map(Self.queryParameter)
        if !parameters.isEmpty { node["parameters"] = .array(parameters) }
        if let body {
            node["requestBody"] = [
                "required": .bool(body.isRequired), "content": ["application/json": ["schema": try body.schema()]],
            ]
        }
        if authorization != .none { node["security"] = [.object([authorization.rawValue: []])] }
        if isGlobal { node["servers"] = [["url": "/"]] }
        return .object(node)
    }

    private var tag: String { path.split(separator: "/").prefix(2).joined(separator: "/") }

    /// A name for generated clients: the method and the words of the path.
    private var operationID: String {
        let words = path.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return method.rawValue.lowercased() + words.joined()
    }

    private func responses() throws -> OpenAPINode {
        var responses: [String: OpenAPINode] = [:]
        for answer in answers {
            var response: [String: OpenAPINode] = ["description": .string(answer.description)]
            if let mediaType = answer.mediaType {
                response["content"] = .object([mediaType: ["schema": try answer.schema()]])
            }
            responses["\(answer.status)"] = .object(response)
        }
        for status in errors {
            var response: [String: OpenAPINode] = ["description": .string(Self.words[status] ?? "Refused")]
            // An answer to HEAD has no body.
            if method != .head {
                response["content"] = ["application/json": ["schema": ["$ref": "#/components/schemas/Error"]]]
            }
            responses["\(status)"] = .object(response)
        }
        return .object(responses)
    }

    private static let words = [
        400: "The request is malformed; `field` names the field", 401: "Credentials are missing or wrong",
        402: "The payment method refused the charge", 403: "Not allowed", 404: "There is no such thing",
        409: "Not now: something in the store is in the way", 413: "The body is too large",
        429: "Too many wrong passwords", 503: "The store can't answer now",
    ]

    private static func pathParameter(_ name: String) -> OpenAPINode {
        ["name": .string(name), "in": "path", "required": true, "schema": schema(ofPathParameter: name)]
    }

    private static func queryParameter(_ parameter: QueryParameter) -> OpenAPINode {
        [
            "name": .string(parameter.name), "in": "query", "required": .bool(parameter.isRequired),
            "schema": parameter.schema,
        ]
    }
}
