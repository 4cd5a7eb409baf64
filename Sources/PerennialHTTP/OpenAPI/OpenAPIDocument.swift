import Hummingbird

/// `GET /openapi.json`: our own protocols, generated from ``APIOperation``. A test compares them with the routes there are.
struct OpenAPIDocument {
    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("openapi.json") { _, _ in try JSONResponse.make(Self.document) }
    }

    static let document: OpenAPINode = [
        "openapi": "3.1.0",
        "info": [
            "title": "Perennial", "version": "1",
            "description": """
            What Perennial speaks besides the App Store's own protocols: store/v1 for devices, control/v1 for tests and \
            operators, delivery/v1 for the seller's content.
            """,
        ],
        "servers": [
            ["url": "/", "description": "Production"], ["url": "/sandbox", "description": "Sandbox"],
            [
                "url": "/environments/{environment}", "description": "Any further environment",
                "variables": ["environment": ["default": "Sandbox"]],
            ],
        ],
        "paths": paths,
        "components": ["schemas": ["Error": error], "securitySchemes": securitySchemes],
    ]

    private static var paths: OpenAPINode {
        var paths: [String: [String: OpenAPINode]] = [:]
        for operation in APIOperation.all {
            paths["/\(operation.path)", default: [:]][operation.method.rawValue.lowercased()] = operation.node
        }
        return .object(paths.mapValues { .object($0) })
    }

    private static let error: OpenAPINode = [
        "type": "object", "required": ["error"],
        "properties": [
            "error": [
                "type": "object", "required": ["code", "message"],
                "properties": [
                    "code": ["type": "string", "description": "A word to branch on"],
                    "message": ["type": "string", "description": "For a person"],
                    "field": ["type": "string", "description": "The field of the request it is about"],
                    "skError": ["type": "integer", "description": "What StoreKit tells an app: SKErrorDomain"],
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
    fileprivate var node: OpenAPINode {
        var node: [String: OpenAPINode] = [
            "summary": .string(summary), "tags": [.string(tag)], "responses": .object(responses),
        ]
        let parameters = pathParameters + queryParameters
        if !parameters.isEmpty { node["parameters"] = .array(parameters) }
        if let body { node["requestBody"] = Self.content(body, "application/json") }
        if authorization != .none { node["security"] = [.object([authorization.rawValue: []])] }
        if isGlobal { node["servers"] = [["url": "/"]] }
        return .object(node)
    }

    private var tag: String { path.split(separator: "/").prefix(2).joined(separator: "/") }

    private var responses: [String: OpenAPINode] {
        let failure: OpenAPINode = [
            "description": "Refused",
            "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Error"]]],
        ]
        var success: [String: OpenAPINode] = ["description": "Done"]
        if let answer {
            if case .object(let members) = Self.content(answer, "application/json") {
                success.merge(members) { first, _ in first }
            }
        } else if let mediaType {
            success["content"] = .object([mediaType: ["schema": ["type": "string"]]])
        }
        let isEmpty = answer == nil && mediaType == nil
        return [isEmpty ? "204" : "200": .object(success), "default": failure]
    }

    private static func content(_ fields: String, _ mediaType: String) -> OpenAPINode {
        let fields = APIField.fields(fields)
        let schema: [String: OpenAPINode] = [
            "type": "object",
            "properties": .object(Dictionary(fields.map { ($0.name, $0.schema) }) { first, _ in first }),
            "required": .array(fields.filter(\.isRequired).map { .string($0.name) }),
        ]
        return ["content": .object([mediaType: ["schema": .object(schema)]])]
    }

    private var pathParameters: [OpenAPINode] {
        path.matches(of: /\{(\w+)\}/).map { match in
            ["name": .string(String(match.1)), "in": "path", "required": true, "schema": ["type": "string"]]
        }
    }

    private var queryParameters: [OpenAPINode] {
        APIField.fields(query).map { field in
            ["name": .string(field.name), "in": "query", "required": .bool(field.isRequired), "schema": field.schema]
        }
    }
}
