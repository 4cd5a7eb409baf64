import Foundation
import HummingbirdCore
import NIOCore
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// Offers, codes, content files and catalog files on the console's pages.
struct OfferConsoleTests {
    private static let terms = [
        "paymentMode": "payAsYouGo", "duration": "P1M", "numberOfPeriods": "3", "price": "1.99",
    ]

    private func new(
        _ console: SellerConsole, _ kind: CatalogOfferKind, _ values: [String: String], of product: String = "monthly"
    ) async throws -> FormAnswer {
        try await console.send(
            "products/\(product)/offers/new", values.merging(["kind": kind.rawValue]) { first, _ in first })
    }

    @Test func `an offer of each kind is made and deleted`() async throws {
        let console = try await SellerConsole()
        let trial = ["paymentMode": "freeTrial", "duration": "P1W", "numberOfPeriods": "1"]
        let offers: [(CatalogOfferKind, [String: String])] = [
            (.introductory, trial), (.promotional, Self.terms.merging(["offerId": "half"]) { $1 }),
            (.code, Self.terms.merging(["name": "radio", "new": "on"]) { $1 }),
            (.winBack, Self.terms.merging(["offerId": "back", "paidMonths": "2"]) { $1 }),
        ]
        for (kind, values) in offers {
            let answer = try await new(console, kind, values)
            #expect(answer.redirect != nil, "\(kind): \(String(describing: answer.page?.errors))")
        }
        let rows = try await console.page("products/monthly/offers").tables[0].rows
        #expect(rows.map { $0.cells[0].text } == CatalogOfferKind.allCases.map { .phrase($0.phrase) })
        for (kind, values) in offers {
            try await console.send(
                "products/monthly/offers/delete",
                ["kind": kind.rawValue, "offer": values["offerId"] ?? values["name"] ?? ""])
        }
        let subscription = try await console.product("monthly")?.product.subscription
        #expect(subscription?.introductoryOffers.isEmpty == true && subscription?.winBackOffers.isEmpty == true)
        #expect(subscription?.promotionalOffers.isEmpty == true)
        #expect(try await console.product("monthly")?.isCodeOfferActive("radio") == false)
    }

    @Test func `an introductory offer of all storefronts is deleted as one`() async throws {
        let console = try await SellerConsole()
        #expect(try await new(console, .introductory, Self.terms).redirect != nil)
        let rows = try await console.page("products/monthly/offers").tables[0].rows
        #expect(rows.count == 1)
        guard case .post(_, _, let fields, _, _)? = rows[0].actions.first else {
            throw TestStore.Missing(what: "action")
        }
        try await console.send("products/monthly/offers/delete", fields)
        #expect(try await console.product("monthly")?.listedIntroductoryOffers.isEmpty == true)
    }

    // MARK: - Changes

    /// Returns the values of the form that changes the first listed offer, with others in their places.
    private func change(
        _ console: SellerConsole, _ values: [String: String], of product: String = "monthly"
    ) async throws -> FormAnswer {
        let row = try await console.page("products/\(product)/offers").tables[0].rows[0]
        let query = try #require(row.cells[0].path?.split(separator: "?").last)
        let parameters = try URLEncodedForm.fields(query.utf8).compactMapValues(\.last)
        let page = try await console.page("products/\(product)/offers/edit", parameters)
        let known = try console.values(of: page, path: "offers/edit")
        return try await console.send("products/\(product)/offers/edit", known.merging(values) { $1 })
    }

    @Test func `an introductory offer of all storefronts ends in all of them`() async throws {
        let console = try await SellerConsole()
        _ = try await new(console, .introductory, Self.terms)
        let before = try #require(try await console.product("monthly"))
        #expect(try await change(console, ["endDate": "2094-03-01"]).redirect != nil)
        let product = try #require(try await console.product("monthly"))
        #expect(product.listedIntroductoryOffers.count == before.listedIntroductoryOffers.count)
        #expect(product.listedIntroductoryOffers.allSatisfy { $0.ends == PacificDay("2094-03-01") })
        #expect(
            product.product.subscription?.introductoryOffers.count
                == before.product.subscription?.introductoryOffers.count, "it isn't split")
        let refused = try #require(try await change(console, ["endDate": "2001-01-01"]).page)
        #expect(refused.status == 422 && refused.errors.keys.sorted() == ["endDate"])
        #expect(refused.field("endDate")?.value == "2001-01-01")
    }

    @Test func `a promotional offer's price is changed in all of its storefronts`() async throws {
        let console = try await SellerConsole()
        _ = try await new(console, .promotional, Self.terms.merging(["offerId": "half"]) { $1 })
        #expect(try await change(console, ["price": "2.49"]).redirect != nil)
        let offer = try await console.product("monthly")?.product.subscription?.promotionalOffers.first
        #expect(offer?.price(in: .usa)?.decimal == "2.49" && offer?.periodCount == 3)
        for price in ["", "half"] {
            let refused = try #require(try await change(console, ["price": price]).page)
            #expect(refused.errors.keys.sorted() == ["price"])
        }
        let changed = try #require(
            try await change(console, ["price": "2.99", "revision": "0"]).page, "another writer was first")
        #expect(changed.status == 409)
    }

    @Test func `a win-back offer is changed until it starts; then its priority is`() async throws {
        let console = try await SellerConsole()
        let back = Self.terms.merging(["offerId": "back", "startDate": "2094-03-01"]) { $1 }
        #expect(try await new(console, .winBack, back).redirect != nil)
        let rules = ["startDate": "2094-03-02", "endDate": "2094-04-01", "paidMonths": "4", "monthsBetweenOffers": "6"]
        #expect(try await change(console, rules).redirect != nil)
        var offer = try await console.product("monthly")?.product.subscription?.winBackOffers.first
        #expect(offer?.winBackRules?.paidMonths == 4 && offer?.winBackRules?.monthsBetweenOffers == 6)
        #expect(offer?.availability?.starts == PacificDay("2094-03-02")?.start)
        let refused = try #require(try await change(console, ["monthsBetweenOffers": "1"]).page)
        #expect(refused.errors.keys.sorted() == ["monthsBetweenOffers"])
        let later = try #require(Instant(rfc3339: "2094-03-10T00:00:00Z"))
        console.shop.clock.advance(by: later - console.shop.clock.now)
        #expect(try await change(console, ["highPriority": "on", "paidMonths": "9"]).redirect != nil)
        let product = try await console.product("monthly")
        offer = product?.product.subscription?.winBackOffers.first
        #expect(product?.listing.offers.winBack["back"]?.priority == .high && offer?.winBackRules?.paidMonths == 4)
    }

    @Test func `an offer that isn't there has no page`() async throws {
        let console = try await SellerConsole()
        for query in [["kind": "promotional", "offer": "none"], ["kind": "none"], ["kind": "introductory"]] {
            await #expect(throws: ConsoleError.self) {
                _ = try await console.page("products/monthly/offers/edit", query)
            }
        }
    }

    @Test(arguments: [
        ("offerId", "a b"), ("numberOfPeriods", "13"), ("duration", "P1W"), ("price", "half"), ("price", ""),
        ("name", String(repeating: "n", count: 65)),
    ])
    func `a bad offer is refused at its field`(field: String, value: String) async throws {
        let console = try await SellerConsole()
        var values = Self.terms.merging(["offerId": "half", "name": "Half"]) { $1 }
        values[field] = value
        let page = try #require(try await new(console, .promotional, values).page)
        #expect(page.status == 422 && page.errors.keys.sorted() == [field])
        #expect(page.field(field)?.value == value)
    }

    @Test func `one-time codes are downloaded and redeemed`() async throws {
        let console = try await SellerConsole()
        _ = try await new(console, .code, ["name": "gift", "nonSpender": "on"], of: "film.roll")
        let path = "products/film.roll/codes"
        #expect(try await console.send(path, ["offer": "gift", "kind": "oneTime", "count": "3"]).redirect != nil)
        let made = try await console.product("film.roll")?.appleID ?? 0
        let batch = try #require(
            try await console.catalog.read { try $0.codeBatches(ofOffer: "gift", product: made) }.first)
        let file = try await console.file("\(path)/\(batch.id)/file")
        let codes = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(codes.count == 3)
        let sold = try await console.shop.store.purchases.redeem(
            codes[0], idempotencyKey: nil, by: try await console.shop.customer("ann"))
        #expect(sold.price == .zero(.usd))
        let custom = ["offer": "gift", "kind": "custom", "code": "SPRING"]
        #expect(try await console.send(path, custom).redirect != nil)
        #expect(try await console.send(path, custom).page?.errors.keys.sorted() == ["code"])
        let none = try await console.send(path, ["offer": "gift", "kind": "oneTime", "count": "0"])
        #expect(none.page?.errors.keys.sorted() == ["count"])
    }

    @Test func `batches of codes have pages, the newest first`() async throws {
        let console = try await SellerConsole()
        _ = try await new(console, .code, ["name": "gift", "nonSpender": "on"], of: "film.roll")
        let product = try await console.product("film.roll")?.appleID ?? 0
        let (here, elsewhere) = (console.shop.store.environment.id, StoreEnvironment.ID(rawValue: 99))
        try await console.shop.database.write { connection in
            for number in Int64(101)...212 {
                let batch = OfferCodeBatchesTable.Record(
                    id: 4_000_000_000 + number, environment: number.isMultiple(of: 2) ? here : elsewhere,
                    app: TestCatalog.magazine().appleID, product: product, offerID: "gift", kind: .custom,
                    code: "CODE\(number)", count: nil, expires: nil, created: TestStore.opening, createdBy: "a test")
                try OfferCodeBatchesTable.insert(batch, on: connection)
            }
        }
        let path = "products/film.roll/codes"
        let first = try #require(try await console.page(path, ["offer": "gift"]).tables.first)
        let place = try #require(first.next.flatMap { URLComponents(string: $0)?.queryItems?.last })
        let second = try #require(
            try await console.page(path, ["offer": "gift", place.name: place.value ?? ""]).tables.first)
        #expect(first.rows.count == 50 && first.first == nil)
        #expect(second.rows.count == 6 && second.first != nil && second.next == nil)
        let shown = (first.rows + second.rows).map { $0.cells[1].text }
        #expect(shown == stride(from: 212, to: 100, by: -2).map { .data("CODE\($0)") })
    }

    @Test func `content replaces a file that the catalog doesn't list`() async throws {
        let folder = try TemporaryFolder.make()
        let console = try await SellerConsole(content: folder)
        let place = "\(folder)/uploads/\(TestCatalog.bundleID)/filter.amber/1.0"
        // A crash between the file and its entry in the catalog leaves this.
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try Data("another".utf8).write(to: URL(filePath: "\(place)/pack.zip"))
        let path = "products/filter.amber/content"
        let file = UploadedFile(name: "pack.zip", bytes: Array("one".utf8))
        #expect(try await console.send(path, ["version": "1.0"], files: ["file": file]).redirect != nil)
        #expect(try Data(contentsOf: URL(filePath: "\(place)/pack.zip")) == Data("one".utf8))
        #expect(try await console.product("filter.amber")?.listing.content?.versions.map(\.size) == [3])
        let twice = UploadedFile(name: "pack.zip", bytes: Array("two".utf8))
        let refused = try await console.send(path, ["version": "1.0"], files: ["file": twice])
        #expect(refused.page?.errors.keys.sorted() == ["version"])
        #expect(try Data(contentsOf: URL(filePath: "\(place)/pack.zip")) == Data("one".utf8))
    }

    @Test func `content is uploaded by form and by script, chosen and removed`() async throws {
        let console = try await SellerConsole(content: try TemporaryFolder.make())
        let path = "products/filter.amber/content"
        let file = UploadedFile(name: "pack.zip", bytes: Array("one".utf8))
        #expect(try await console.send(path, ["version": "1.0"], files: ["file": file]).redirect != nil)
        let found = try await console.find(path, .upload, query: ["version": "1.1", "name": "pack.zip"])
        guard case .upload(_, let upload) = found.route.handler else { throw TestStore.Missing(what: "upload") }
        #expect(try await upload(found.request, RequestBody(buffer: ByteBuffer(string: "two"))).redirect != nil)
        func versions() async throws -> [String] {
            try await console.product("filter.amber")?.listing.content?.versions.map(\.version) ?? []
        }
        #expect(try await versions() == ["1.0", "1.1"])
        let digest = try await console.page(path).tables[0].rows[1].cells[3].text
        #expect(digest == .data("7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"))
        let twice = try #require(try await console.send(path, ["version": "1.1"], files: ["file": file]).page)
        #expect(twice.errors.keys.sorted() == ["version"])
        try await console.send("\(path)/use", ["version": "1.0"])
        #expect(try await versions() == ["1.1", "1.0"])
        try await console.send("\(path)/remove", ["version": "1.0"])
        #expect(try await versions() == ["1.1"])
        // The file of the removed version is gone, so that the version can come again.
        #expect(try await console.send(path, ["version": "1.0"], files: ["file": file]).redirect != nil)
    }

    @Test(arguments: ["yaml", "storekit"])
    func `an exported catalog shows its changes before it is imported`(format: String) async throws {
        let console = try await SellerConsole()
        let exported = try await console.file("catalog/\(format)")
        let text = String(decoding: exported.bytes, as: UTF8.self).replacing("Reference film.roll", with: "From a file")
        let file = UploadedFile(name: exported.name, bytes: Array(text.utf8))
        let preview = try #require(try await console.send("catalog/compare", files: ["file": file]).page)
        #expect(preview.tables.contains { $0.rows.contains { $0.cells[0].text == .data("film.roll") } })
        #expect(try await console.product("film.roll")?.product.referenceName == "Reference film.roll")
        let values = try console.values(of: preview, path: "catalog/import")
        #expect(try await console.send("catalog/import", values).redirect != nil)
        #expect(try await console.product("film.roll")?.product.referenceName == "From a file")
        let history = try await console.page("products/film.roll/history")
        #expect("\(history.blocks)".contains(exported.name), "the journal names the file")
        // A StoreKit file can't say free subscriptions, which stay.
        #expect(try await console.product("newsletter") != nil)
    }

    @Test func `an app is made once`() async throws {
        let console = try await SellerConsole()
        let values = ["name": "Garden", "bundleId": "com.example.garden", "storefront": "DEU"]
        #expect(try await console.send("apps", values).redirect?.contains("com.example.garden") == true)
        #expect(try await console.send("apps", values).page?.errors.keys.sorted() == ["bundleId"])
        let apps = try await console.page("apps").tables[0].rows.map { $0.cells[0].text }
        #expect(apps.contains(.data("Garden")))
    }
}
