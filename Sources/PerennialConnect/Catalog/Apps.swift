import BaseEncoding
import Foundation
import Perennial
import PerennialStorage

/// The seller's apps in a database: their catalog definitions, with Apple IDs and shared secrets given by the store.
package struct Apps: Sendable {
    /// A registered app.
    package struct Registered: Sendable, Equatable {
        package var bundleID: App.BundleID
        /// `appAppleId`.
        package var appleID: Int64
        /// The shared secret for verifyReceipt: 32 hexadecimal digits.
        package var sharedSecret: String
    }

    /// The first Apple ID that the store gives.
    private static let firstNumber: Int64 = 1_000_000_001
    private static let sharedSecretBytes = 16
    /// The largest Apple ID considered: beyond those of Apple's apps, and far from an overflow of the products' IDs.
    private static let maximumNumber: Int64 = 1_000_000_000_000
    private static let productsPerApp: Int64 = 1_000_000

    private let database: Database
    private let randomBytes: @Sendable (Int) -> [UInt8]

    /// Creates the apps of a database.
    /// - Parameter randomBytes: A cryptographically secure source for shared secrets.
    package init(database: Database, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.database = database
        self.randomBytes = randomBytes
    }

    /// Registers an app, or updates a registered one. Its Apple ID stays for good, since purchases are stored under
    /// it; its products' Apple IDs and its shared secret stay unless the catalog gives others. An equal definition
    /// changes nothing.
    ///
    /// - Throws: ``CatalogError`` `.duplicateApp` if another app has the Apple ID.
    @discardableResult
    package func register(_ app: App, sharedSecret: String?) async throws -> Registered {
        try await database.write { [randomBytes] connection in
            // Nodes that start together register the same apps. The lock orders them, so that Apple IDs and secrets
            // agree.
            try EnvironmentsTable.lock(.production, on: connection)
            let records = try AppsTable.all(on: connection)
            let known = records.first { $0.bundleID == app.bundleID }
            var numbered = app
            if let known { numbered.appleID = known.id }
            if numbered.appleID == 0 { numbered.appleID = max(Self.firstNumber, (records.map(\.id).max() ?? 0) + 1) }
            if let other = records.first(where: { $0.id == numbered.appleID && $0.bundleID != app.bundleID }) {
                throw CatalogError(
                    .duplicateApp, at: CatalogPlace(file: app.bundleID.rawValue, spot: .file),
                    "its number \(numbered.appleID) is that of \(other.bundleID): give it another appleId")
            }
            let before = try known.map { try JSONDecoder().decode(App.self, from: Data($0.definition.utf8)) }
            Self.number(&numbered.products, like: before?.products ?? [], app: numbered.appleID)
            let secret =
                sharedSecret ?? known?.sharedSecret
                ?? Hexadecimal.encode(randomBytes(Self.sharedSecretBytes))
            if before != numbered || known?.sharedSecret != secret {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                try AppsTable.upsert(
                    AppsTable.Record(
                        id: numbered.appleID, bundleID: app.bundleID, revision: (known?.revision ?? 0) + 1,
                        sharedSecret: secret, definition: String(decoding: try encoder.encode(numbered), as: UTF8.self)),
                    on: connection)
            }
            return Registered(bundleID: app.bundleID, appleID: numbered.appleID, sharedSecret: secret)
        }
    }

    /// Returns all apps, ordered by Apple ID.
    package func all() async throws -> [Registered] {
        try await database.read { connection in
            try AppsTable.all(on: connection).map {
                Registered(bundleID: $0.bundleID, appleID: $0.id, sharedSecret: $0.sharedSecret)
            }
        }
    }

    /// Gives products their earlier Apple IDs, and new ones the next.
    private static func number(_ products: inout [Product], like before: [Product], app: Int64) {
        let known = Dictionary(before.map { ($0.id, $0.appleID) }) { first, _ in first }
        // Each app has a range of a million IDs, so that products of different apps differ.
        let ceiling = maximumNumber * productsPerApp
        var next = max(min(app, maximumNumber) * productsPerApp, min(before.map(\.appleID).max() ?? 0, ceiling)) + 1
        for index in products.indices where products[index].appleID == 0 {
            if let number = known[products[index].id] {
                products[index].appleID = number
            } else {
                products[index].appleID = next
                next += 1
            }
        }
    }
}
