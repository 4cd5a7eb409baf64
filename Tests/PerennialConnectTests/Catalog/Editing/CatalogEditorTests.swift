import Foundation
import Perennial
import PerennialConnect
import PerennialStorage
import TestSupport
import Testing

/// Edits of the catalog: all of one or nothing, with revisions and a journal.
struct CatalogEditorTests {
    @Test(arguments: Engine.allCases)
    func `a product is added, changed and deleted`(engine: Engine) async throws {
        let catalog = try await EditedCatalog(engine)
        let number = try await catalog.add("coins")[0]
        #expect(number > 1_000_000_000)
        let added = try #require(try await catalog.product(number))
        #expect(added.revision == (try await catalog.revision()))
        try await catalog.editor.edit(by: .key("K")) { draft in
            try draft.update(number) {
                $0.product.referenceName = "Coins"
                $0.listing.reviewNote = "Note"
            }
        }
        let changed = try #require(try await catalog.product(number))
        #expect((changed.product.referenceName, changed.listing.reviewNote) == ("Coins", "Note"))
        #expect(changed.revision > added.revision)
        try await catalog.editor.edit(by: .control) { try $0.delete(number) }
        #expect(try await catalog.product(number) == nil)
        let (isReserved, ids) = try await catalog.editor.read {
            (
                try $0.isReserved(Product.ID(rawValue: "coins"), app: EditedCatalog.app),
                try $0.productIDs(app: EditedCatalog.app, renewing: nil)
            )
        }
        #expect(isReserved && ids == [])
    }

    @Test func `the ID of a product, present or deleted, is refused`() async throws {
        let catalog = try await EditedCatalog()
        let number = try await catalog.add("coins")[0]
        for _ in 0..<2 {
            let error = await #expect(throws: CatalogEditError.self) { try await catalog.add("coins") }
            #expect(error?.code == .duplicate)
            #expect(error?.place == .attribute("productId"))
            _ = try? await catalog.editor.edit(by: .control) { try $0.delete(number) }
        }
    }

    @Test func `unknown resources are refused`() async throws {
        let catalog = try await EditedCatalog()
        let edits: [@Sendable (CatalogDraft) throws -> Void] = [
            { try $0.update(5) { _ in } }, { try $0.delete(5) }, { try $0.update(group: "g") { _ in } },
            { try $0.delete(group: "g") }, { try $0.update(app: 5) { _ in } },
            { try $0.insert(EditedCatalog.product("x", 9), app: 5) },
        ]
        for edit in edits {
            let error = await #expect(throws: CatalogEditError.self) {
                try await catalog.editor.edit(by: .control, edit)
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test func `the second of two writers is told`() async throws {
        let catalog = try await EditedCatalog()
        let number = try await catalog.add("coins")[0]
        let read = try #require(try await catalog.product(number)).revision
        func rename(_ name: String) async throws {
            try await catalog.editor.edit(by: .control) { draft in
                // Two updates in one edit expect what the caller has read.
                try draft.update(number, expecting: read) { $0.product.referenceName = name }
                try draft.update(number, expecting: read) { $0.listing.reviewNote = name }
            }
        }
        try await rename("first")
        let error = await #expect(throws: CatalogEditError.self) { try await rename("second") }
        #expect(error?.code == .changedMeanwhile)
        #expect(try await catalog.product(number)?.product.referenceName == "first")
    }

    @Test(arguments: Engine.allCases)
    func `an edit that fails changes nothing`(engine: Engine) async throws {
        let catalog = try await EditedCatalog(engine)
        let number = try await catalog.add("coins")[0]
        let (revision, journal) = (try await catalog.revision(), try await catalog.changes())
        let error = await #expect(throws: CatalogEditError.self) {
            try await catalog.editor.edit(by: .control) { draft in
                try draft.update(number) { $0.product.referenceName = "changed" }
                try draft.insert(EditedCatalog.product("gems", try draft.nextNumber()), app: EditedCatalog.app)
                _ = try draft.productIDs(app: EditedCatalog.app, renewing: nil)
                throw CatalogEditError(.state, "no")
            }
        }
        #expect(error?.code == .state)
        #expect(try await catalog.revision() == revision)
        #expect(try await catalog.changes() == journal)
        #expect(try await catalog.product(number)?.product.referenceName == "coins")
        #expect(
            try await catalog.editor.read { try $0.number(of: Product.ID(rawValue: "gems"), app: EditedCatalog.app) }
                == nil)
    }

    @Test func `an edit without a difference raises no revision`() async throws {
        let catalog = try await EditedCatalog()
        let number = try await catalog.add("coins")[0]
        let (revision, journal) = (try await catalog.revision(), try await catalog.changes())
        try await catalog.editor.edit(by: .control) { draft in
            try draft.update(number) { $0.product.referenceName = "coins" }
        }
        #expect(try await catalog.revision() == revision)
        #expect(try await catalog.changes() == journal)
    }

    @Test(arguments: Engine.allCases)
    func `a draft reads its own changes`(engine: Engine) async throws {
        let catalog = try await EditedCatalog(engine)
        let old = try await catalog.add("old")[0]
        try await catalog.editor.edit(by: .control) { draft in
            let key = try draft.insert(SubscriptionGroup(id: "g", referenceName: "Group"), app: EditedCatalog.app)
            let number = try draft.nextNumber()
            try draft.insert(
                EditedCatalog.product("monthly", number, .autoRenewable, group: "g"), app: EditedCatalog.app)
            try draft.update(number) { $0.product.referenceName = "Monthly" }
            #expect(
                try draft.product(Product.ID(rawValue: "monthly"), app: EditedCatalog.app)?.product.referenceName
                    == "Monthly")
            #expect(try draft.productIDs(group: key) == [number])
            #expect(try draft.productIDs(app: EditedCatalog.app, renewing: true) == [number])
            #expect(try draft.groupIDs(app: EditedCatalog.app) == [key])
            #expect(try draft.owner(of: number) == EditedCatalog.app)
            try draft.delete(old)
            #expect(try draft.productIDs(app: EditedCatalog.app, renewing: nil) == [number])
            #expect(try draft.product(old) == nil)
            try draft.update(number) { $0.product.subscription?.groupID = "other" }
            #expect(try draft.productIDs(group: key) == [])
        }
    }

    @Test func `numbers are never given twice`() async throws {
        let catalog = try await EditedCatalog()
        let first = try await catalog.add("a", "b")
        try await catalog.editor.edit(by: .control) { try $0.delete(first[1]) }
        // An imported product may have a number that comes later.
        try await catalog.editor.edit(by: .control) {
            try $0.insert(EditedCatalog.product("c", first[1] + 1), app: EditedCatalog.app)
        }
        let later = try await catalog.add("d", "e")
        #expect(Set(first + later + [first[1] + 1]).count == 5)
    }

    @Test(arguments: Engine.lasting)
    func `concurrent edits on two nodes follow each other`(engine: Engine) async throws {
        let location = try engine.makeLocation()
        let databases = try (0..<2).map { _ in try Database(location, options: .forTests) }
        try databases[0].migrate()
        let catalog = try await EditedCatalog(databases[0])
        let number = try await catalog.add("coins")[0]
        let editors = databases.map { database in CatalogEditor(database: database) { TestStore.opening } }
        let numbers = try await withThrowingTaskGroup(of: Int64.self) { group in
            for count in 0..<20 {
                group.addTask {
                    try await editors[count % 2].edit(by: .control) { draft in
                        let note = try draft.product(number)?.listing.reviewNote ?? ""
                        try draft.update(number) { $0.listing.reviewNote = note + "x" }
                        return try draft.nextNumber()
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(numbers).count == 20)
        for editor in editors {
            #expect(try await editor.read { try $0.product(number)?.listing.reviewNote?.count } == 20)
        }
    }

    @Test func `a reader sees what was edited since`() async throws {
        let catalog = try await EditedCatalog()
        let numbers = try await catalog.add("a", "b", "c")
        for round in 0..<3 {
            let found = try await catalog.editor.read { try $0.products(numbers) }
            #expect(found.map(\.appleID) == numbers)
            #expect(found[1].product.referenceName == (round == 0 ? "b" : "\(round - 1)"))
            #expect(
                try await catalog.editor.read { try $0.productIDs(app: EditedCatalog.app, renewing: false) }.count == 3)
            try await catalog.editor.edit(by: .control) { draft in
                try draft.update(numbers[1]) { $0.product.referenceName = "\(round)" }
            }
        }
    }

    @Test func `two apps may have groups with one ID`() async throws {
        let catalog = try await EditedCatalog()
        let apps = Apps(
            database: catalog.database, wallClock: { TestStore.opening }, randomBytes: SeededBytes(seed: 1).bytes)
        try await apps.register(
            App(bundleID: App.BundleID(rawValue: "com.example.b"), appleID: 78, name: "B"), sharedSecret: nil)
        let keys = try await catalog.editor.edit(by: .control) { draft in
            try [EditedCatalog.app, 78].map { app in
                try draft.insert(SubscriptionGroup(id: "g", referenceName: "\(app)"), app: app)
            }
        }
        #expect(keys == ["g", "78.g"])
        let found = try await catalog.editor.read { reader in
            try keys.map { try reader.group($0)?.app }
                + [78].map { try reader.groupKey("g", app: $0) == "78.g" ? 1 : 0 }
        }
        #expect(found == [EditedCatalog.app, 78, 1])
        let error = await #expect(throws: CatalogEditError.self) {
            try await catalog.editor.edit(by: .control) { draft in
                try draft.insert(SubscriptionGroup(id: "g", referenceName: "again"), app: 78)
            }
        }
        #expect(error?.code == .duplicate)
    }
}
