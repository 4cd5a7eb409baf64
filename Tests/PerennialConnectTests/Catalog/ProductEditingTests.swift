import AppStoreFormats
import Perennial
import PerennialConnect
import PerennialStorage
import TestSupport
import Testing

/// Products and groups that a seller creates, renames and deletes.
struct ProductEditingTests {
    private static let magazine: Int64 = 1_234_567
    private static let camera: Int64 = 7_654_321

    private static func editor(_ engine: Engine = .sqliteInMemory) async throws -> CatalogEditor {
        let database = try engine.makeDatabase()
        let apps = Apps(database: database, wallClock: { TestStore.opening }, randomBytes: SeededBytes(seed: 1).bytes)
        for app in [TestCatalog.magazine(), TestCatalog.camera] { try await apps.register(app, sharedSecret: nil) }
        return CatalogEditor(database: database) { TestStore.opening }
    }

    /// Makes an edit and returns its refusal.
    private static func refusal<Value: Sendable>(
        of editor: CatalogEditor, _ edit: @escaping @Sendable (CatalogDraft) throws -> Value
    ) async -> CatalogEditError? {
        do {
            _ = try await editor.edit(by: .control, edit)
            return nil
        } catch {
            return error as? CatalogEditError
        }
    }

    private static func new(_ id: String, _ type: ProductType = .consumable, group: String? = nil) -> NewProduct {
        var new = NewProduct(Product.ID(rawValue: id), type, referenceName: "A \(id)")
        new.groupID = group
        return new
    }

    @Test(arguments: Engine.allCases)
    func `a new product has an ID of its own in its app`(engine: Engine) async throws {
        let editor = try await Self.editor(engine)
        let ids = try await editor.edit(by: .control) { draft in
            [
                try draft.createProduct(Self.new("coins"), app: Self.magazine),
                try draft.createProduct(Self.new("coins"), app: Self.camera),
                try draft.createProduct(Self.new("weekly", .autoRenewable, group: "magazine"), app: Self.magazine),
            ]
        }
        #expect(Set(ids).count == 3 && ids.allSatisfy { $0 >= 1_000_000_000 })
        let made = try await editor.read { reader in try reader.products(ids) }
        #expect(made.map(\.product.referenceName) == ["A coins", "A coins", "A weekly"])
        #expect(made[0].listingState == .missingMetadata)
        // The group has levels 1 and 2.
        #expect(made[2].product.subscription?.level == 3 && made[2].product.subscription?.hasPeriod == false)
        let listed = try await editor.read { try $0.productIDs(app: Self.camera, renewing: false) }
        #expect(listed.contains(ids[1]) && !listed.contains(ids[0]))
    }

    @Test(arguments: Engine.allCases)
    func `a product ID is used once, also after its product is deleted`(engine: Engine) async throws {
        let editor = try await Self.editor(engine)
        let error = await Self.refusal(of: editor) { try $0.createProduct(Self.new("film.roll"), app: Self.magazine) }
        #expect(error?.code == .duplicate && error?.place == .attribute("productId"))
        try await editor.edit(by: .control) { draft in
            try draft.deleteProduct(try draft.createProduct(Self.new("coins"), app: Self.magazine))
        }
        let again = await Self.refusal(of: editor) { try $0.createProduct(Self.new("coins"), app: Self.magazine) }
        #expect(again?.code == .duplicate)
    }

    @Test func `a bad product isn't made`() async throws {
        let editor = try await Self.editor()
        let cases: [(NewProduct, Int64, CatalogEditError.Code, CatalogEditError.Place)] = [
            (Self.new("coins"), 1, .notFound, .relationship("app")),
            (Self.new("free", .free), Self.camera, .invalid, .attribute("type")),
            (Self.new("weekly", .autoRenewable), Self.magazine, .relationshipRequired, .relationship("group")),
            (
                Self.new("weekly", .autoRenewable, group: "none"), Self.magazine, .relationshipInvalid,
                .relationship("group")
            ),
            (
                Self.new("weekly", .autoRenewable, group: "magazine"), Self.camera, .relationshipInvalid,
                .relationship("group")
            ),
            (Self.new("a b"), Self.magazine, .invalid, .attribute("productId")),
        ]
        let before = try await editor.read { try $0.revision() }
        for (new, app, code, place) in cases {
            let error = await Self.refusal(of: editor) { try $0.createProduct(new, app: app) }
            #expect(error?.code == code && error?.place == place, "\(new.id)")
        }
        #expect(try await editor.read { try $0.revision() } == before)
    }

    @Test func `an app with as many products as it may have gets no other`() async throws {
        let editor = try await Self.editor()
        let count = try await editor.read { try $0.productIDs(app: Self.magazine, renewing: nil).count }
        let error = await Self.refusal(of: editor) { draft in
            _ = try draft.createProduct(Self.new("coins"), app: Self.magazine, atMost: count + 1)
            _ = try draft.createProduct(Self.new("gems"), app: Self.magazine, atMost: count + 1)
        }
        #expect(error?.code == .limit)
        let isFull = await Self.refusal(of: editor) { draft in
            _ = try draft.createProduct(Self.new("coins"), app: Self.magazine, atMost: count + 1)
        }
        #expect(isFull == nil)
        #expect(ListingLimits.productsOfApp == CatalogFile.maximumProductCount)
    }

    @Test func `a product on sale isn't deleted`() async throws {
        let editor = try await Self.editor()
        let id = try #require(
            try await editor.read { try $0.product(Product.ID(rawValue: "film.roll"), app: Self.magazine)?.appleID })
        let error = await Self.refusal(of: editor) { try $0.deleteProduct(id) }
        #expect(error?.code == .stateInvalid)
        try await editor.edit(by: .control) { draft in
            try draft.update(id) { try $0.setAvailability([], includesNew: false) }
            try draft.deleteProduct(id)
        }
        #expect(try await editor.read { try $0.product(id) } == nil)
    }

    @Test(arguments: Engine.allCases)
    func `a group is named once in its app and deleted when it is empty`(engine: Engine) async throws {
        let editor = try await Self.editor(engine)
        let key = try await editor.edit(by: .control) { try $0.createGroup("Gold", app: Self.magazine) }
        let other = try await editor.edit(by: .control) { try $0.createGroup("Gold", app: Self.camera) }
        #expect(key != other)
        for edit in [
            { @Sendable draft in _ = try draft.createGroup("Gold", app: Self.magazine) },
            { @Sendable draft in try draft.renameGroup("magazine", "Gold") },
        ] as [@Sendable (CatalogDraft) throws -> Void] {
            let error = await Self.refusal(of: editor, edit)
            #expect(error?.code == .duplicate && error?.place == .attribute("referenceName"))
        }
        try await editor.edit(by: .control) { try $0.renameGroup(key, "Silver") }
        let product = try await editor.edit(by: .control) { draft in
            try draft.createProduct(Self.new("gold", .autoRenewable, group: key), app: Self.magazine)
        }
        #expect(await Self.refusal(of: editor) { try $0.deleteGroup(key) }?.code == .state)
        try await editor.edit(by: .control) { draft in
            try draft.deleteProduct(product)
            try draft.deleteGroup(key)
        }
        #expect(try await editor.read { try $0.group(key) } == nil)
    }

    @Test func `groups with the same ID in two apps have parts of their own`() async throws {
        let editor = try await Self.editor()
        let keys = try await editor.edit(by: .control) { draft in
            try [Self.magazine, Self.camera].map { app in
                try draft.insert(SubscriptionGroup(id: "21482456", referenceName: "Premium"), app: app)
            }
        }
        #expect(Set(keys).count == 2)
        var parts: [String] = []
        for key in keys {
            let id = try await editor.edit(by: .control) { draft in
                var id = ""
                try draft.update(group: key) { group in
                    id = try group.addLocalization(locale: "en-US") {
                        GroupLocalization(id: $0, locale: "en-US", name: key)
                    }
                }
                return id
            }
            parts.append(id)
        }
        for (key, part) in zip(keys, parts) {
            let found = try await editor.read { try $0.group(ofPart: part, .groupLocalization) }
            #expect(found?.key == key && found?.group.localization(part)?.text.name == key)
            let version = try #require(found?.group.currentVersion.id)
            #expect(try await editor.read { try $0.group(ofPart: version, .groupVersion)?.key } == key)
        }
    }

    @Test func `a part is found by its UUID`() async throws {
        let editor = try await Self.editor()
        try await editor.read { reader in
            let product = try #require(try reader.product(Product.ID(rawValue: "film.roll"), app: Self.magazine))
            let text = product.currentVersion.localizations[1]
            #expect(try reader.product(ofPart: text.id, .localization) == product)
            #expect(try reader.product(ofPart: product.currentVersion.id, .version) == product)
            #expect(try reader.product(ofPart: text.id, .version) == nil)
            #expect(try reader.product(ofPart: "4f0c6f0e-0d5e-4f0b-9d0a-0b1c2d3e4f50", .version) == nil)
        }
    }
}
