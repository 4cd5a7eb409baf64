import Foundation
import TestSupport

/// Apple's OpenAPI document of the App Store Connect API. It has no licence, so that it isn't in the repository:
/// `PERENNIAL_CONNECT_SCHEMAS` names the file; otherwise it is `../shared/reference/connect-openapi-commerce.json` beside the
/// repository, if that is there. Without a file the comparisons are skipped.
struct AppleDocument: Sendable {
    /// `nil` without a file. One that is there and can't be read ends the tests: the comparisons aren't skipped unnoticed.
    static let current: AppleDocument? = {
        let named = ProcessInfo.processInfo.environment["PERENNIAL_CONNECT_SCHEMAS"]
        guard let data = FileManager.default.contents(atPath: named ?? usual.path) else {
            precondition(named == nil, "PERENNIAL_CONNECT_SCHEMAS names no file that can be read: \(named ?? "")")
            return nil
        }
        guard let json = try? JSONValue(data) else { preconditionFailure("\(named ?? usual.path) isn't JSON") }
        return AppleDocument(json)
    }()

    /// The place of the file beside the repository.
    private static let usual = URL(filePath: #filePath)
        .appending(path: "../../../../../../shared/reference/connect-openapi-commerce.json").standardizedFileURL

    struct Operation: Sendable {
        /// `GET v1/apps/{id}`.
        let name: String
        let definition: JSONValue
    }

    let schemas: [String: JSONValue]
    let operations: [String: Operation]

    init(_ json: JSONValue) {
        schemas = json["components"]?["schemas"]?.members ?? [:]
        var operations: [String: Operation] = [:]
        for (path, methods) in json["paths"]?.members ?? [:] {
            for (method, definition) in methods.members ?? [:] where method != "parameters" {
                let name = "\(method.uppercased()) \(path.dropFirst())"
                operations[name] = Operation(name: name, definition: definition)
            }
        }
        self.operations = operations
    }

    /// Follows references to other schemas.
    func resolved(_ schema: JSONValue) -> JSONValue {
        guard let name = Self.reference(schema) else { return schema }
        return resolved(schemas[name] ?? .null)
    }

    static func reference(_ schema: JSONValue) -> String? {
        schema["$ref"]?.text?.split(separator: "/").last.map(String.init)
    }

    /// Returns the schema of an answer; `nil` if an operation has no answer in JSON.
    func answer(_ operation: String, status: Int) -> JSONValue? {
        guard status < 400 else { return schemas["ErrorResponse"] }
        let responses = operations[operation]?.definition["responses"]
        return responses?["\(status)"]?["content"]?["application/json"]?["schema"]
    }

    /// Returns the schema of the resources that an operation answers with.
    func element(_ operation: String) -> JSONValue? {
        let responses = operations[operation]?.definition["responses"]
        guard let answer = ["200", "201"].lazy.compactMap({ answer(operation, status: Int($0) ?? 0) }).first,
            responses != nil, let data = resolved(answer)["properties"]?["data"]
        else { return nil }
        let schema = data["items"] ?? data
        return resolved(schema)["properties"]?["links"] == nil ? nil : schema
    }
}

// MARK: - Validation

extension AppleDocument {
    /// Returns all that is wrong with an answer, by Apple's schemas and by the rules of the API beyond them: every attribute is
    /// there, and so is every relationship that has links.
    ///
    /// - Parameter path: Of the request, with the environment and the query.
    func problems(_ method: String, _ path: String, status: Int, _ body: JSONValue?) -> [String] {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        var segments = parts[0].split(separator: "/").map(String.init)
        while let first = segments.first, !["v1", "v2", "v3"].contains(first) { segments.removeFirst() }
        if segments.count > 2 { segments[2] = "{id}" }
        let name = "\(method) \(segments.joined(separator: "/"))"
        guard status >= 400 || operations[name] != nil else { return ["there is no \(name)"] }
        guard let schema = answer(name, status: status) else { return [] }
        guard let body else { return ["no JSON"] }
        var validator = Validator(document: self, query: parts.count > 1 ? parts[1] : "")
        validator.check(body, schema, at: "")
        return validator.problems.map { "\(method) \(path): \($0)" }
    }

    private struct Validator {
        let document: AppleDocument
        let query: String
        var problems: [String] = []

        mutating func check(_ value: JSONValue, _ schema: JSONValue, at place: String) {
            let schema = document.resolved(schema)
            if value == .null {
                // Attributes and to-one relationships that are unset.
                let isUnset = place.contains("/attributes/") || place.hasSuffix("/data")
                if !isUnset, schema["nullable"] != true { problems.append("\(place) is null") }
                return
            }
            if let choices = schema["oneOf"]?.elements {
                let type = value["type"]?.text ?? ""
                let mapped = schema["discriminator"]?["mapping"]?[type]
                if let mapped {
                    checkResource(value, .object(["$ref": mapped]), at: place)
                } else if schema["discriminator"] == nil {
                    let names = Set(value.members?.keys.map { $0 } ?? [])
                    let known = choices.map { Set(document.resolved($0)["properties"]?.members?.keys.map { $0 } ?? []) }
                    if !known.contains(where: { names.isSubset(of: $0) }) {
                        problems.append("\(place) has unknown members")
                    }
                } else {
                    problems.append("\(place) has the type \(type), which isn't among the included ones")
                }
                return
            }
            switch schema["type"]?.text {
            case "object": checkObject(value, schema, at: place)
            case "array":
                guard let elements = value.elements else { return wrong(value, "an array", place) }
                guard let items = schema["items"] else { return }
                for (index, element) in elements.enumerated() { check(element, items, at: "\(place)/\(index)") }
            case "string":
                guard let text = value.text else { return wrong(value, "a string", place) }
                checkText(text, schema, at: place)
            case "integer":
                if value.number == nil { wrong(value, "an integer", place) }
            case "number":
                if value.type != "number" { wrong(value, "a number", place) }
            case "boolean":
                if value.type != "boolean" { wrong(value, "a boolean", place) }
            default: break
            }
        }

        /// Checks a resource against the schema that its type names, or against the second form of it: both forms of in-app purchases
        /// have one type, and Apple's document lists the first for some answers with the second.
        private mutating func checkResource(_ value: JSONValue, _ schema: JSONValue, at place: String) {
            let second: JSONValue = .object(["$ref": .string("\(schema["$ref"]?.text ?? "")V2")])
            let schemas = [schema] + (document.resolved(second)["properties"] == nil ? [] : [second])
            let found = schemas.map { schema in
                var validator = self
                validator.problems = []
                validator.check(value, schema, at: place)
                return validator.problems
            }
            problems += found.min { $0.count < $1.count } ?? []
        }

        private mutating func checkText(_ text: String, _ schema: JSONValue, at place: String) {
            if let members = schema["enum"]?.elements, !members.contains(.string(text)) {
                problems.append("\(place) is \(text), no member of the enumeration")
            }
            switch schema["format"]?.text {
            case "date" where text.wholeMatch(of: /\d{4}-\d\d-\d\d/) == nil:
                problems.append("\(place) is \(text), no date")
            case "date-time" where text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d/) == nil:
                problems.append("\(place) is \(text), no date with a time in the form that all clients read")
            default: break
            }
        }

        private mutating func checkObject(_ value: JSONValue, _ schema: JSONValue, at place: String) {
            guard let members = value.members else { return wrong(value, "an object", place) }
            let properties = schema["properties"]?.members ?? [:]
            for name in schema["required"]?.elements ?? [] {
                if let name = name.text, members[name] == nil { problems.append("\(place)/\(name) is missing") }
            }
            for (name, member) in members {
                if let property = properties[name] {
                    check(member, property, at: "\(place)/\(name)")
                } else if !properties.isEmpty {
                    problems.append("\(place)/\(name) is unknown")
                }
            }
            if let type = members["type"]?.text, properties["links"] != nil, properties["id"] != nil {
                checkResource(members, properties, type, at: place)
            }
        }

        private mutating func checkResource(
            _ members: [String: JSONValue], _ properties: [String: JSONValue], _ type: String, at place: String
        ) {
            if members["links"]?["self"]?.text == nil { problems.append("\(place)/links/self is missing") }
            let query = query.removingPercentEncoding ?? query
            guard !query.contains("fields[\(type)]=") else { return }
            for name in (properties["attributes"]?["properties"]?.members ?? [:]).keys.sorted()
            where members["attributes"]?[name] == nil {
                problems.append("\(place)/attributes/\(name) is missing")
            }
            for (name, property) in properties["relationships"]?["properties"]?.members ?? [:]
            where property["properties"]?["links"] != nil {
                let links = members["relationships"]?[name]?["links"]
                if links?["self"]?.text == nil || links?["related"]?.text == nil {
                    problems.append("\(place)/relationships/\(name)/links is missing")
                }
            }
        }

        private mutating func wrong(_ value: JSONValue, _ expected: String, _ place: String) {
            problems.append("\(place) is a \(value.type), not \(expected)")
        }
    }
}
