import Perennial
import PerennialConnect
import TestSupport
import Testing

/// Review submissions, promoted purchases and uploads in the database (docs/reference/seller-operations.md).
struct ReviewEditingTests {
    private static func complete(_ catalog: EditedCatalog, _ id: String = "coins") async throws -> Int64 {
        let number = try await catalog.add(id)[0]
        try await catalog.editor.edit(by: .control) { draft in
            try draft.update(number) { product in
                product.product.state = .readyToSubmit
                product.product.localizations = [
                    Product.Localization(locale: "en_US", displayName: "Coins", description: "A hundred")
                ]
                product.listing.availabilityWasSet = true
                product.listing.screenshot = ListingAsset(
                    id: "s", fileName: "s.png", size: 1, state: .complete, token: "")
            }
        }
        return number
    }

    private static func version(_ catalog: EditedCatalog, _ number: Int64) async throws -> String {
        try #require(try await catalog.product(number)).currentVersion.id
    }

    @Test(arguments: Engine.allCases)
    func `a submission is reviewed by the operator in manual mode`(engine: Engine) async throws {
        let catalog = try await EditedCatalog(engine)
        let number = try await Self.complete(catalog)
        let version = try await Self.version(catalog, number)
        let submission = try await catalog.editor.edit(by: .key("K")) { draft in
            try draft.setReviewMode(.manual)
            let id = try draft.openSubmission(app: EditedCatalog.app, platform: .iOS)
            _ = try draft.addItem(.product(number, version: version), toSubmission: id)
            try draft.submit(id)
            return id
        }
        #expect(try await catalog.product(number)?.product.state == .waitingForReview)
        try await catalog.editor.edit(by: .control) { draft in
            try draft.startReview(submission)
            try draft.decide(submission, [1], rejection: "No")
        }
        let rejected = try #require(try await catalog.product(number))
        #expect(rejected.product.state == .rejected && rejected.listing.rejectionReason == "No")
        let read = try #require(try await catalog.editor.read { try $0.reviewSubmission(submission) })
        #expect(read.state == .unresolvedIssues && read.submittedBy == .key("K") && read.lastUpdatedBy == .control)
    }

    @Test func `an approved product is submitted again beside a rejected one`() async throws {
        let catalog = try await EditedCatalog()
        let (coins, gems) = (try await Self.complete(catalog), try await Self.complete(catalog, "gems"))
        let versions = (try await Self.version(catalog, coins), try await Self.version(catalog, gems))
        try await catalog.editor.edit(by: .control) { draft in
            try draft.setReviewMode(.manual)
            let id = try draft.openSubmission(app: EditedCatalog.app, platform: .iOS)
            _ = try draft.addItem(.product(coins, version: versions.0), toSubmission: id)
            _ = try draft.addItem(.product(gems, version: versions.1), toSubmission: id)
            try draft.submit(id)
            try draft.startReview(id)
            try draft.decide(id, [1], rejection: nil)
            try draft.decide(id, [2], rejection: "No")
            try draft.update(coins) { product in
                _ = try product.addLocalization(locale: "de-DE") {
                    ListingLocalization(id: $0, locale: "de-DE", name: "Münzen", description: "Hundert")
                }
            }
        }
        let next = try await Self.version(catalog, coins)
        #expect(next != versions.0)
        try await catalog.editor.edit(by: .control) { draft in
            _ = try draft.submitDirectly(.product(coins, version: next))
        }
        #expect(try await catalog.product(coins)?.currentVersion.state == .waitingForReview)
        let rejected = try await Self.version(catalog, gems)
        let error = await #expect(throws: CatalogEditError.self) {
            try await catalog.editor.edit(by: .control) { try $0.submitDirectly(.product(gems, version: rejected)) }
        }
        #expect(error?.code == .stateInvalid)
    }

    @Test(arguments: Engine.allCases)
    func `promoted purchases keep their order`(engine: Engine) async throws {
        let catalog = try await EditedCatalog(engine)
        let numbers = [
            try await catalog.add("one")[0], try await catalog.add("two")[0], try await catalog.add("three")[0],
        ]
        try await catalog.editor.edit(by: .control) { draft in
            for number in numbers {
                _ = try draft.promote(number, app: EditedCatalog.app, isVisible: true, isEnabled: nil)
            }
            try draft.reorderPromotions(numbers.reversed(), app: EditedCatalog.app)
        }
        try await catalog.editor.edit(by: .control) { try $0.delete(numbers[1]) }
        let order = try await catalog.editor.read { try $0.promotedProducts(app: EditedCatalog.app) }
        #expect(order == [numbers[2], numbers[0]])
    }

    @Test(arguments: Engine.allCases)
    func `parts of an upload arrive in any order`(engine: Engine) async throws {
        let catalog = try await EditedCatalog(engine)
        let number = try await catalog.add("coins")[0]
        let bytes = [UInt8](repeating: 1, count: Int(ListingAsset.partSize) + 3)
        let id = try await catalog.editor.edit(by: .control) {
            try $0.reserveImage(of: number, fileName: "a.png", size: Int64(bytes.count))
        }
        try await catalog.editor.edit(by: .control) { draft in
            let asset = try #require(try draft.product(ofAsset: id)).asset
            let expires = draft.at.milliseconds / 1000 + 10
            for part in asset.parts.reversed() {
                let link = asset.link(toPartAt: part.offset, expires: expires)
                let end = part.offset + part.length
                try draft.upload(Array(bytes[Int(part.offset)..<Int(end)]), by: link)
            }
            #expect(throws: CatalogEditError.self) {
                try draft.upload([], by: asset.link(toPartAt: 0, expires: expires - 20))
            }
            #expect(try draft.bytes(ofAsset: id) == bytes)
            try draft.commitAsset(id, checksum: nil)
        }
        let asset = try #require(try await catalog.product(number)?.asset(id))
        #expect(asset.state == .failed && asset.error == "the file is no PNG or JPEG image")
    }
}
