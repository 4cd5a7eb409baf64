import Foundation
import Perennial
import PerennialStorage

/// The seller's apps in a database: what the catalog says, with the numbers and secrets the store gives.
package struct Apps: Sendable {
    /// An app as it is registered.
    package struct Registered: Sendable, Equatable {
        package var bundleID: App.BundleID
        /// `appAppleId`.
        package var appleID: Int64
        /// 32 hexadecimal digits: what verifyReceipt asks for.
        package var sharedSecret: String
    }

    /// Where the store's own numbers for apps and products begin.
    private static let firstNumber: Int64 = 1_000_000_001
    private static let sharedSecretBytes = 16
    /// Beyond any number that Apple's apps have, and far from where products' numbers would overflow.
    private static let maximumNumber: Int64 = 1_000_000_000_000
    private static let productsPerApp: Int64 = 1_000_000

    private let database: Database
    private let randomBytes: @Sendable (Int) -> [UInt8]

    /// - Parameter randomBytes: Where shared secrets come from: a cryptographically secure source.
    package init(database: Database, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.database = database
        self.randomBytes = randomBytes
    }

    /// Registers an app, or brings a registered one up to date: its number stays for good, since purchases are kept under it;
    /// its products' numbers and its shared secret stay unless the catalog names others. A definition that says nothing new
    /// changes nothing.
    ///
    /// - Throws: ``CatalogError`` `.duplicateApp` where another app has the number.
    @discardableResult
    package func register(_ app: App, sharedSecret: String?) async throws -> Registered {
        try await database.write { [randomBytes] connection in
            // Nodes that start together register the same apps: one after the other, so that numbers and secrets agree.
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
                ?? randomBytes(Self.sharedSecretBytes).map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
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

    /// All apps, in the order of their numbers.
    package func all() async throws -> [Registered] {
        try await database.read { connection in
            try AppsTable.all(on: connection).map {
                Registered(bundleID: $0.bundleID, appleID: $0.id, sharedSecret: $0.sharedSecret)
            }
        }
    }

    /// Gives products the numbers they had, and new ones the next.
    private static func number(_ products: inout [Product], like before: [Product], app: Int64) {
        let known = Dictionary(before.map { ($0.id, $0.appleID) }) { first, _ in first }
        // Products of different apps get different numbers: each app has a thousand times a thousand of its own.
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
