import Testing

@testable import Perennial

/// The UUIDs of the parts of products and groups, and App Store Connect's locales.
struct CatalogUUIDTests {
    @Test(arguments: CatalogUUID.Kind.allCases, [Int64(1), 7_000_000_101, 1_000_000_000_000_000_001])
    func `a UUID is read back with its owner`(kind: CatalogUUID.Kind, owner: Int64) throws {
        for version in [1, 2, 4095] {
            let id = CatalogUUID(kind, owner: owner, version: version, part: "en-US")
            let text = id.text
            #expect(text.utf8.count == 36 && Array(text)[14] == "8" && "89ab".contains(Array(text)[19]))
            #expect(try #require(CatalogUUID(text)) == id && CatalogUUID(text)?.owner == owner)
            #expect(CatalogUUID(text.uppercased()) == id)
        }
    }

    @Test(arguments: [
        "", "x", "00000000-0000-0000-0000-000000000000", "4f0c6f0e-0d5e-4f0b-9d0a-0b1c2d3e4f50",
        "1000000000000-80018-0400-000000000000", "+0000000-0000-8000-8000-000000000000",
    ])
    func `another text is no UUID of a part`(text: String) {
        #expect(CatalogUUID(text) == nil)
    }

    @Test func `parts of one product have different UUIDs`() {
        let parts = AppStoreLocale.all.flatMap { locale in
            (1...3).map { CatalogUUID(.localization, owner: 7, version: $0, part: locale).text }
        }
        #expect(Set(parts).count == parts.count)
    }

    @Test(arguments: ["21482456", "premium", "0021", "-5", "99999999999999999999"])
    func `a part of a group is recognised by the group's ID`(group: String) throws {
        let id = try #require(CatalogUUID(CatalogUUID(.groupVersion, group: group, version: 1).text))
        #expect(id.isPart(ofGroup: group) && !id.isPart(ofGroup: group + "1"))
        #expect(id.groupID == (group == "21482456" ? group : nil))
    }

    @Test(arguments: [
        ("en_US", "en-US"), ("de", "de-DE"), ("de_DE", "de-DE"), ("DE_de", "de-DE"), ("ja_JP", "ja"), ("ja", "ja"),
        ("zh_Hans", "zh-Hans"), ("zh", "zh-Hans"), ("pt", "pt-BR"), ("fr_CH", "fr-CH"), ("it_CH", "it-CH"),
        ("eo", "eo"),
    ])
    func `a catalog's locale has App Store Connect's form`(catalog: String, connect: String) {
        #expect(AppStoreLocale.connect(catalog) == connect)
    }

    @Test func `each locale of App Store Connect stays what it is`() {
        #expect(AppStoreLocale.all.count == 50)
        #expect(AppStoreLocale.all.allSatisfy { AppStoreLocale.connect(AppStoreLocale.catalog($0)) == $0 })
        #expect(!AppStoreLocale.isKnown("en_US") && !AppStoreLocale.isKnown("EN-us") && !AppStoreLocale.isKnown("xx"))
    }
}
