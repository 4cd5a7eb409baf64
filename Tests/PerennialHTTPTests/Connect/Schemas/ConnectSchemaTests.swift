import TestSupport
import Testing

@testable import PerennialHTTP

/// The tables of resource types and operations by themselves.
struct ConnectSchemaTests {
    private let schema = ConnectSchema.current

    @Test func `the tables have 317 operations with their verdicts`() {
        let verdicts = Dictionary(grouping: schema.operations.values, by: \.verdict).mapValues(\.count)
        #expect(verdicts == [.must: 234, .should: 66, .refuse: 17])
    }

    @Test func `every kind of an attribute is known`() {
        let objects: Set<String> = ["ImageAsset", "UploadOperation", "AppMediaAssetState", "IntegerRange", "object"]
        for type in schema.types.values {
            for attribute in type.attributes {
                switch attribute.kind {
                case .object(let name), .list(.object(let name)):
                    #expect(objects.contains(name), "\(type.name).\(attribute.name): \(name)")
                default: break
                }
            }
        }
    }

    @Test func `an operation is found by its path, and its ID is decoded`() throws {
        let (operations, id) = schema.operations(at: "/v1/apps/12%2034/relationships/promotedPurchases")
        #expect(operations.map(\.method).sorted() == ["GET", "PATCH"])
        #expect(id == "12 34")
        #expect(schema.operations(at: "/v1/apps/1/relationships").operations.isEmpty)
        #expect(
            schema.operations(at: "/v2/inAppPurchaseLocalizations/1").operations.first?.type
                == "inAppPurchaseLocalizations.v2")
    }

    @Test func `the store serves every operation that it must and should`() {
        let engine = ConnectDirectory.current
        let missing = schema.operations.values.filter { $0.verdict != .refuse && !engine.isServed($0) }.map(\.name)
        #expect(missing.sorted() == [])
        let refused = schema.operations.values.filter { $0.verdict == .refuse && engine.isServed($0) }.map(\.name)
        #expect(refused.sorted() == [])
    }

    @Test func `bindings name types, relationships, filters and operations of the tables`() throws {
        for binding in ConnectBindings.all {
            let type = try #require(schema.type(binding.type), "\(binding.type)")
            let relationships = [
                binding.related.keys.map { $0 }, Array(binding.setRelated.keys),
                Array(binding.addRelated.keys), Array(binding.removeRelated.keys),
            ].joined()
            // Codes of both kinds have one binding; those of subscriptions don't say who made them.
            for name in relationships where !name.hasSuffix("ByActor") {
                #expect(type.relationship(name) != nil, "\(binding.type).\(name)")
            }
            let filters = Set(
                schema.operations.values.filter { schema.answered(by: $0)?.name == type.name }.flatMap(\.filters))
            #expect(Set(binding.filters.keys).subtracting(filters) == [], "\(binding.type)")
            #expect(Set(binding.custom.keys).subtracting(schema.operations.keys) == [], "\(binding.type)")
        }
        let owners = ConnectBindings.all.filter { !$0.isAddition }.map(\.type)
        #expect(owners.count == Set(owners).count, "a type has two bindings: one of them is an addition")
    }
}
