import TestSupport
import Testing

@testable import PerennialHTTP

/// The tables of `Connect/Schema` against Apple's document, where it is at hand.
@Suite(.enabled(if: AppleDocument.current != nil))
struct AppleDocumentTests {
    private let schema = ConnectSchema.current

    private func document() throws -> AppleDocument { try #require(AppleDocument.current) }

    @Test func `the tables have exactly the operations of the document`() throws {
        let document = try document()
        #expect(Set(schema.operations.keys) == Set(document.operations.keys))
        for (name, operation) in schema.operations {
            let apples = try #require(document.operations[name]?.definition)
            #expect(operation.since == apples["x-since"]?.text, "\(name)")
            #expect(operation.verdict.rawValue == apples["x-verdict"]?.text, "\(name)")
            let isDeprecated = apples["deprecated"] == true || apples["x-docs-deprecated"] == true
            #expect(operation.isDeprecated == isDeprecated, "\(name)")
        }
    }

    @Test func `each operation takes the parameters of the document`() throws {
        for (name, apples) in try document().operations {
            let operation = try #require(schema.operations[name])
            var parameters: [String: JSONValue] = [:]
            for parameter in apples.definition["parameters"]?.elements ?? [] where parameter["in"] != "path" {
                parameters[parameter["name"]?.text ?? ""] = parameter["schema"]
            }
            var rules = ConnectParameters(operation, schema).rules
            // The document leaves the position of a page out.
            rules["cursor"] = nil
            #expect(Set(rules.keys) == Set(parameters.keys), "\(name)")
            let required = (apples.definition["parameters"]?.elements ?? []).filter {
                $0["required"] == true && $0["in"] == "query"
            }
            #expect(
                Set(required.compactMap { $0["name"]?.text }) == Set(operation.requiredFilters.map { "filter[\($0)]" }),
                "\(name)")
            for (parameter, definition) in parameters {
                try compare(rules[parameter], definition, "\(name) \(parameter)")
            }
        }
    }

    private func compare(_ rule: ConnectParameters.Rule?, _ apples: JSONValue, _ comment: Comment) throws {
        let document = try document()
        let items = document.resolved(apples["items"] ?? apples)
        let members = items["enum"]?.elements?.compactMap(\.text)
        switch rule {
        case .oneOf(let known), .relationships(let known):
            guard let members else { return }
            // The first generation's in-app purchases share their type with the second's.
            if comment.rawValue.hasSuffix("fields[inAppPurchases]"), known.count < members.count { return }
            #expect(Set(known) == Set(members), comment)
        case .order(let known): #expect(Set(known + known.map { "-\($0)" }) == Set(members ?? []), comment)
        case .limit(let maximum): #expect(apples["maximum"]?.number == Int64(maximum), comment)
        case .boolean: #expect(apples["type"] == "boolean", comment)
        case .values, .cursor, nil: break
        }
    }

    @Test func `each type has the attributes and relationships of the document`() throws {
        let document = try document()
        for (name, operation) in schema.operations {
            guard let type = schema.answered(by: operation), let element = document.element(name) else { continue }
            if case .linkages = operation.action { continue }
            let properties = document.resolved(element)["properties"]
            let attributes = properties?["attributes"]?["properties"]?.members ?? [:]
            #expect(Set(attributes.keys) == Set(type.attributes.filter(\.isReadable).map(\.name)), "\(name)")
            for (attribute, definition) in attributes {
                let kind = try #require(type.attribute(attribute)?.kind)
                #expect(matches(kind, definition, document), "\(name) \(attribute)")
            }
            let relationships = properties?["relationships"]?["properties"]?.members ?? [:]
            #expect(Set(relationships.keys) == Set(type.relationships.filter(\.isReadable).map(\.name)), "\(name)")
            for (relationship, definition) in relationships {
                let own = try #require(type.relationship(relationship))
                let members = definition["properties"]
                #expect(own.hasLinks == (members?["links"] != nil), "\(name) \(relationship)")
                #expect(own.isIncludable == (members?["data"] != nil), "\(name) \(relationship)")
                guard let data = members?["data"] else { continue }
                #expect(own.isToMany == (data["type"] == "array"), "\(name) \(relationship)")
                let target = (data["items"] ?? data)["properties"]?["type"]?["enum"]?.elements?.first?.text
                #expect(own.target?.prefix { $0 != "." } == target?[...], "\(name) \(relationship)")
            }
        }
    }

    @Test func `requests have the members of the document`() throws {
        let document = try document()
        for (name, operation) in schema.operations {
            guard operation.action == .create || operation.action == .update, let type = schema.type(operation.type)
            else { continue }
            let body = document.operations[name]?.definition["requestBody"]?["content"]?["application/json"]?["schema"]
            let request = document.resolved(try #require(body, "\(name)"))
            let data = document.resolved(try #require(request["properties"]?["data"]))
            compareMembers(data, type, operation.action == .create ? .post : .patch, document, name)
            let items = request["properties"]?["included"]?["items"]
            for inline in items?["oneOf"]?.elements ?? items.map({ [$0] }) ?? [] {
                let entity = document.resolved(inline)
                let json = entity["properties"]?["type"]?["enum"]?.elements?.first?.text ?? ""
                compareMembers(entity, try #require(schema.type(json)), .inline, document, "\(name) \(json)")
            }
        }
    }

    private func compareMembers(
        _ data: JSONValue, _ type: ConnectType, _ kind: ConnectBodyKind, _ document: AppleDocument, _ name: String
    ) {
        let attributes = data["properties"]?["attributes"]
        let own = type.attributes.filter { $0.uses[kind] != nil }
        #expect(Set(own.map(\.name)) == Set((attributes?["properties"]?.members ?? [:]).keys), "\(name)")
        let required = Set(own.filter { $0.uses[kind]?.contains(.required) == true }.map(\.name))
        #expect(required == Set(attributes?["required"]?.elements?.compactMap(\.text) ?? []), "\(name)")
        for attribute in own {
            guard let definition = attributes?["properties"]?[attribute.name] else { continue }
            #expect(matches(attribute.kind, definition, document), "\(name) \(attribute.name)")
        }
        let relationships = data["properties"]?["relationships"]
        let related = type.relationships.filter { $0.uses[kind] != nil }
        #expect(Set(related.map(\.name)) == Set((relationships?["properties"]?.members ?? [:]).keys), "\(name)")
        let needed = Set(related.filter { $0.uses[kind]?.contains(.required) == true }.map(\.name))
        #expect(needed == Set(relationships?["required"]?.elements?.compactMap(\.text) ?? []), "\(name)")
    }

    private func matches(_ kind: ConnectAttribute.Kind, _ definition: JSONValue, _ document: AppleDocument) -> Bool {
        let schema = document.resolved(definition)
        let (type, format) = (schema["type"]?.text, schema["format"]?.text)
        let members = schema["enum"]?.elements?.compactMap(\.text)
        switch kind {
        case .text:
            return type == "string" && format != "date" && format != "date-time"
        case .integer: return type == "integer"
        case .boolean: return type == "boolean"
        case .date: return format == "date"
        case .dateTime: return format == "date-time"
        case .object: return type == "object"
        // The store sells in fewer territories than Apple lists.
        case .oneOf(let known) where AppleDocument.reference(definition) == "TerritoryCode":
            return Set(known).isSubset(of: members ?? [])
        case .oneOf(let known): return Set(known) == Set(members ?? [])
        case .list(let element):
            guard type == "array", let items = schema["items"] else { return false }
            return matches(element, items, document)
        }
    }
}
