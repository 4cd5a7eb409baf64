import Testing

@testable import Perennial

/// Localizations and the versions that they are reviewed in.
struct VersionedTextsTests {
    @Test func `an imported product has one version with its texts`() throws {
        let product = CatalogProduct.imported(
            texts: [
                .init(locale: "en_US", displayName: "Coins", description: ""),
                .init(locale: "de", displayName: "Münzen", description: "Hundert"),
            ])
        #expect(product.currentVersion.number == 1 && product.currentVersion.state == .approved)
        #expect(product.currentVersion.localizations.map(\.locale) == ["en-US", "de-DE"])
        #expect(product.currentVersion.localizations.map(\.description) == [nil, "Hundert"])
        let id = try #require(try product.id("de-DE"))
        #expect(CatalogUUID(id)?.owner == product.appleID && product.localization(id)?.text.name == "Münzen")
    }

    @Test func `the first resource version edits a draft under the same ID`() throws {
        var product = CatalogProduct.imported()
        let id = try #require(try product.id("en-US"))
        try product.updateLocalization(id, .first) { $0.name = "Gold" }
        #expect(product.textVersions.map(\.state) == [.approved, .prepareForSubmission])
        #expect(product.localization(id)?.text.name == "Gold")
        #expect(product.textVersions[0].localizations.map(\.name) == ["Coins"])
        #expect(product.textVersions[0].localizations[0].id != id)
        #expect(product.product.localizations.map(\.displayName) == ["Coins"])
    }

    @Test func `the second resource version edits drafts only`() throws {
        var product = CatalogProduct.imported()
        let id = try #require(try product.id("en-US"))
        #expect(refusal { try product.updateLocalization(id, .second) { $0.name = "Gold" } }?.code == .stateInvalid)
        #expect(refusal { try product.deleteLocalization(id, .second) }?.code == .stateInvalid)
        let version = product.currentVersion.id
        #expect(refusal { _ = try product.add("ja", "金", version: version) }?.code == .stateInvalid)
        let draft = try product.createVersion()
        #expect(product.localization(id)?.version.id == version)
        let copy = try #require(try product.id("en-US"))
        #expect(copy != id)
        try product.updateLocalization(copy, .second) { $0.name = "Gold" }
        _ = try product.add("ja", "金", version: draft)
        #expect(product.version(draft)?.localizations.map(\.name) == ["Gold", "金"])
        #expect(refusal { try product.createVersion() }?.code == .state)
    }

    @Test func `a version in review can't be edited`() throws {
        var product = try CatalogProduct.complete()
        try product.review(.submit)
        let id = try #require(try product.id("en-US"))
        #expect(refusal { try product.updateLocalization(id, .first) { $0.name = "Gold" } }?.code == .stateInvalid)
        #expect(refusal { _ = try product.add("ja", "金") }?.code == .stateInvalid)
        #expect(refusal { try product.createVersion() }?.code == .stateInvalid)
    }

    @Test func `before its first approval a product is shown with its draft`() throws {
        var product = CatalogProduct.imported(state: .readyToSubmit, texts: [])
        let id = try product.add("de-DE", "Münzen")
        #expect(product.product.localizations == [.init(locale: "de_DE", displayName: "Münzen", description: "")])
        try product.updateLocalization(id, .first) { $0.description = "Hundert" }
        #expect(product.product.localizations.map(\.description) == ["Hundert"])
        try product.deleteLocalization(id, .first)
        #expect(product.product.localizations.isEmpty && product.localization(id) == nil)
        #expect(refusal { try product.deleteLocalization(id, .first) }?.code == .notFound)
    }

    @Test func `a locale is used once in a version`() throws {
        var product = CatalogProduct.imported(texts: [.init(locale: "de", displayName: "Münzen", description: "")])
        let error = refusal { _ = try product.add("de-DE", "Gold") }
        #expect(error?.code == .duplicate && error?.place == .attribute("locale"))
        #expect(product.listing.versions.isEmpty)
    }

    @Test(arguments: [
        ("xx-XX", "Gold", CatalogEditError.Code.invalid, "locale"), ("en_GB", "Gold", .invalid, "locale"),
        ("ja", "", .required, "name"), ("ja", "  ", .required, "name"),
        ("ja", String(repeating: "x", count: 36), .invalid, "name"),
        ("ja", "a\u{0}b", .invalid, "name"),
    ])
    func `a bad text is refused by its attribute`(
        locale: String, name: String, code: CatalogEditError.Code, attribute: String
    ) throws {
        var product = CatalogProduct.imported()
        let error = refusal { _ = try product.add(locale, name) }
        #expect(error?.code == code && error?.place == .attribute(attribute))
        #expect(product == CatalogProduct.imported())
    }

    @Test func `the last text of an approved product stays`() throws {
        var product = CatalogProduct.imported()
        let id = try #require(try product.id("en-US"))
        #expect(refusal { try product.deleteLocalization(id, .first) }?.code == .stateInvalid)
        #expect(product == .imported())
    }

    @Test func `an import replaces the texts that are sold and keeps the draft`() throws {
        var product = CatalogProduct.imported()
        let id = try #require(try product.id("en-US"))
        try product.updateLocalization(id, .first) { $0.name = "Gold" }
        let approved = product.textVersions[0].localizations[0].id
        product.replaceLocalizations([.init(locale: "en_US", displayName: "Money", description: "")])
        #expect(product.product.localizations.map(\.displayName) == ["Money"])
        #expect(product.localization(approved)?.text.name == "Money" && product.localization(id)?.text.name == "Gold")
    }

    @Test func `a locale keeps the form of its file through an edit`() throws {
        var product = CatalogProduct.imported(
            state: .readyToSubmit, texts: [.init(locale: "de", displayName: "Münzen", description: "")])
        _ = try product.add("ja", "金")
        #expect(product.product.localizations.map(\.locale) == ["de", "ja"])
    }

    @Test func `a deleted and added localization has an ID of its own in its version`() throws {
        var product = CatalogProduct.imported()
        var ids: Set<String> = []
        for round in 1...20 {
            _ = try product.add("ja", "金 \(round)")
            try product.review(.submit)
            try product.review(.approve)
            try product.deleteLocalization(try #require(try product.id("ja")), .first)
            ids.formUnion(product.textVersions.flatMap { $0.localizations.map(\.id) })
        }
        let all = product.textVersions.flatMap { $0.localizations.map(\.id) }
        #expect(Set(all).count == all.count)
    }

    @Test func `a group is named in versions as products are`() throws {
        var group = SubscriptionGroup(id: "premium", referenceName: "Premium")
        #expect(refusal { try group.review(.submit) }?.associated.count == 1)
        let id = try group.addLocalization(locale: "en-US") {
            GroupLocalization(id: $0, locale: "en-US", name: "Premium")
        }
        #expect(CatalogUUID(id)?.isPart(ofGroup: "premium") == true)
        try group.review(.submit)
        try group.review(.approve)
        #expect(group.versions.map(\.state) == [.approved])
        try group.updateLocalization(id, .first) { $0.customAppName = "Reader" }
        #expect(group.versions.map(\.state) == [.approved, .prepareForSubmission])
        #expect(
            refusal {
                try group.updateLocalization(id, .first) { $0.customAppName = String(repeating: "x", count: 31) }
            }?.place == .attribute("customAppName"))
    }
}
