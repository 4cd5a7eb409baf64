import Pictures
import StoreKit
import StoreKitTest
import Testing

@testable import PhotoFilters

/// Each test has a store and a content server of its own.
struct PhotoFiltersTests {
    private static let silver = "com.example.photomag.filter.silver"
    private static let magazine = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Magazine")

    let session: SKTestSession
    let folder: URL

    init() throws {
        session = try SKTestSession(contentsOf: Self.magazine.appendingPathComponent("Magazine.storekit"))
        session.disableDialogs = true
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("filters-\(UUID())")
        try setSilver(version: "1.1")
    }

    private func setSilver(version: String) throws {
        let file = Self.magazine.appendingPathComponent("content/filters/silver.json")
        let text = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(
            of: "\"1.1\"", with: "\"\(version)\"")
        try session.setContent(
            "filter-silver", of: [Self.silver], file: Data(text.utf8), filename: "Silver.json", version: version)
    }

    private func openLibrary() throws -> FilterLibrary {
        try FilterLibrary(server: session.contentServer, folder: folder)
    }

    @Test func `a filter is bought, downloaded and applied`() async throws {
        try await session.withSession {
            let library = try openLibrary()
            let filter = try #require(try await library.buy(Self.silver))
            #expect(filter.name == "Silver")
            let picture = filter.apply(to: .landscape(width: 32, height: 20))
            #expect(picture.pixels.allSatisfy { $0.red == $0.green && $0.green == $0.blue })
            for await _ in Transaction.unfinished { Issue.record("the purchase is finished") }
        }
    }

    @Test func `filters work without a network, in the next run of the app`() async throws {
        try await session.withSession {
            _ = try await openLibrary().buy(Self.silver)
        }
        // No session is current here: nothing but the file is needed.
        #expect(try await openLibrary().filters[Self.silver]?.name == "Silver")
    }

    @Test func `a purchase whose file isn't there stays unfinished, and is delivered later`() async throws {
        try await session.withSession {
            let amber = "com.example.photomag.filter.amber"
            let library = try openLibrary()
            await #expect(throws: DeliveryError.self) { try await library.buy(amber) }
            var unfinished: [String] = []
            for await result in Transaction.unfinished { unfinished.append(result.unsafePayloadValue.productID) }
            #expect(unfinished == [amber])
            try session.setContent("filter-amber", of: [amber], file: Data(#"{"name": "Amber"}"#.utf8))
            try await library.deliverUnfinished()
            #expect(await library.filters[amber]?.name == "Amber")
        }
    }

    @Test func `a new device restores the filters`() async throws {
        try await session.withSession {
            _ = try await openLibrary().buy(Self.silver)
            try FileManager.default.removeItem(at: folder)
            let library = try openLibrary()
            #expect(await library.filters.isEmpty)
            try await library.restore()
            #expect(await library.filters.count == 1)
        }
    }

    @Test func `a refund removes the filter`() async throws {
        try await session.withSession {
            let library = try openLibrary()
            _ = try await library.buy(Self.silver)
            let transaction = try #require(session.allTransactions().first)
            try session.refundTransaction(identifier: transaction.identifier)
            try await library.refresh()
            #expect(await library.filters.isEmpty)
        }
    }

    @Test func `a new version of a filter replaces the old one`() async throws {
        try await session.withSession {
            let library = try openLibrary()
            #expect(try await library.buy(Self.silver)?.version == "1.1")
            try setSilver(version: "2.0")
            try await library.refresh()
            for await items in library.updates
            where items.first?.content.version == "2.0" && items.first?.state == .downloaded {
                break
            }
            #expect(await library.filters[Self.silver]?.version == "2.0")
        }
    }
}
