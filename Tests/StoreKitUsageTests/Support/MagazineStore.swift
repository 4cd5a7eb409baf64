import StoreKit
import StoreKitTest
import Testing

/// The products of the configuration file.
enum Magazine {
    static let film = "com.example.photomag.film.roll"
    static let silver = "com.example.photomag.filter.silver"
    static let amber = "com.example.photomag.filter.amber"
    static let archive = "com.example.photomag.archive.1week"
    static let weekly = "com.example.photomag.magazine.weekly"
    static let monthly = "com.example.photomag.magazine.monthly"
    static let yearly = "com.example.photomag.magazine.yearly"
    static let group = "5E0A71C2"

    static let configuration = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/Magazine.storekit")
}

/// Runs the body in a store of its own, which other tests don't see.
func withMagazineStore(
    isolation: isolated (any Actor)? = #isolation, _ body: (SKTestSession) async throws -> Void
) async throws {
    let session = try SKTestSession(contentsOf: Magazine.configuration)
    session.disableDialogs = true
    session.clearTransactions()
    try await session.withSession {
        try await body(session)
    }
}

/// Loads one product with StoreKit 2.
func product(_ id: String) async throws -> Product {
    try #require(try await Product.products(for: [id]).first)
}

extension SKTestSession {
    /// Returns the identifier of the one transaction of a product.
    func identifier(of productID: String) throws -> UInt {
        try #require(allTransactions().last { $0.productIdentifier == productID }).identifier
    }
}
