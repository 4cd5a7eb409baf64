import AppStoreFormats
import Perennial
import Testing

@testable import PerennialConnect

/// Three versions of a resource become one.
struct CatalogMergeTests {
    private func node(_ yaml: String?) throws -> CatalogNode? { try yaml.map { try CatalogNode(yaml: $0.utf8) } }

    private func merged(
        _ base: String?, _ file: String?, _ store: String?, _ preference: CatalogPreference? = nil
    ) throws -> (text: String?, merge: CatalogMerge) {
        var merge = CatalogMerge(preferring: preference)
        let node = merge.merge(
            CatalogSubject(.product, "a"), base: try node(base), file: try node(file), store: try node(store))
        return (node?.inline, merge)
    }

    static let agreements: [(base: String?, file: String?, store: String?, merged: String?)] = [
        // One side changed, or both to the same.
        ("{a: 1}", "{a: 2}", "{a: 1}", "{a: 2}"),
        ("{a: 1}", "{a: 1}", "{a: 2}", "{a: 2}"),
        ("{a: 1}", "{a: 2}", "{a: 2}", "{a: 2}"),
        ("{a: 1, b: 1}", "{a: 2, b: 1}", "{a: 1, b: 3}", "{a: 2, b: 3}"),
        // Keys come and go.
        ("{a: 1}", "{a: 1, b: 2}", "{a: 1, c: 3}", "{a: 1, c: 3, b: 2}"),
        ("{a: 1, b: 2}", "{a: 1}", "{a: 5, b: 2}", "{a: 5}"),
        (nil, "{a: 1}", nil, "{a: 1}"), ("{a: 1}", nil, "{a: 1}", nil), ("{a: 1}", "{a: 1}", nil, nil),
        (nil, "{a: 1}", "{a: 1, b: 2}", "{a: 1, b: 2}"),
        // Prices are merged one by one, also if one side has none left.
        ("{prices: {USA: 1}}", "{prices: {USA: 2}}", "{prices: {USA: 1, DEU: 3}}", "{prices: {USA: 2, DEU: 3}}"),
        ("{x: 1, prices: {USA: 1}}", "{x: 1}", "{x: 1, prices: {USA: 1, DEU: 3}}", "{x: 1, prices: {DEU: 3}}"),
        // Elements of lists are told apart by their IDs, or by instant and storefront.
        (
            "{o: [{id: x, p: 1}]}", "{o: [{id: x, p: 2}]}", "{o: [{id: y, p: 3}, {id: x, p: 1}]}",
            "{o: [{id: y, p: 3}, {id: x, p: 2}]}"
        ),
        (
            "{s: [{at: T, price: 1}]}", "{s: [{at: T, price: 1}, {at: T, storefront: USA, price: 2}]}",
            "{s: [{at: T, price: 5}]}", "{s: [{at: T, price: 5}, {at: T, storefront: USA, price: 2}]}"
        ),
        ("{o: [{id: x}]}", "{k: 1}", "{o: [{id: x}]}", "{k: 1}"),
    ]

    @Test(arguments: agreements.indices)
    func `changes of different fields are merged`(index: Int) throws {
        let (base, file, store, expected) = Self.agreements[index]
        let (text, merge) = try merged(base, file, store)
        #expect(try node(text) == node(expected), "\(text ?? "nil")")
        #expect(merge.conflicts.isEmpty)
    }

    static let disagreements: [(base: String?, file: String?, store: String?, fields: [String])] = [
        ("{a: 1}", "{a: 2}", "{a: 3}", ["a"]),
        ("{a: 1, b: {c: 1, d: 1}}", "{a: 2, b: {c: 2, d: 1}}", "{a: 3, b: {c: 3, d: 4}}", ["a", "b.c"]),
        ("{a: 1}", nil, "{a: 2}", [""]), ("{a: 1}", "{a: 2}", nil, [""]),
        ("{prices: {USA: 1}}", "{prices: {USA: 2}}", "{prices: {}}", ["prices.USA"]),
        ("{o: [{id: x, p: 1}]}", "{o: [{id: x, p: 2}]}", "{o: [{id: x, p: 3}]}", ["o.x.p"]),
        ("{e: [new]}", "{e: [existing]}", "{e: [expired]}", ["e"]),
        (nil, "{a: 1}", "{a: 2}", ["a"]),
    ]

    @Test(arguments: disagreements.indices)
    func `different changes of one field are conflicts, which a preference decides`(index: Int) throws {
        let (base, file, store, fields) = Self.disagreements[index]
        let (kept, merge) = try merged(base, file, store)
        #expect(merge.conflicts.map(\.field) == fields)
        #expect(try node(kept) == node(store).flatMap { $0 } || !merge.conflicts.isEmpty)
        let preferring = try merged(base, file, store, .store)
        #expect((preferring.merge.conflicts.count, preferring.merge.kept.map(\.field)) == (0, fields))
        let replacing = try merged(base, file, store, .file)
        #expect(replacing.merge.conflicts.isEmpty && replacing.merge.kept.isEmpty)
        if fields == [""] { #expect(try node(replacing.text) == node(file)) }
    }

    @Test func `a conflict names the three values`() throws {
        let (_, merge) = try merged("{a: 1}", "{a: 2}", "{a: 3}")
        #expect(
            merge.conflicts.map(\.description) == [
                "product a: a is 2 in the file and 3 in the store; the last imported file said 1"
            ])
    }

    @Test(arguments: 1...40)
    func `merging what one side changed gives that side`(seed: Int) throws {
        var random = RandomCatalog(seed: UInt64(seed))
        let (one, other) = (random.catalog(), random.catalog())
        let (base, file) = (try CatalogTree(one.apps[0], in: one), try CatalogTree(other.apps[0], in: other))
        for id in Set(base.products.keys).union(file.products.keys) {
            let (before, after) = (base.products[id], file.products[id])
            var merge = CatalogMerge(preferring: nil)
            let subject = CatalogSubject(.product, id)
            #expect(merge.merge(subject, base: before, file: after, store: before) == after)
            #expect(merge.merge(subject, base: before, file: before, store: after) == after)
            #expect(merge.conflicts.isEmpty)
        }
    }
}
