import BaseEncoding
import Foundation
import Perennial
import PerennialStorage

/// The seller's apps in a database, with Apple IDs and shared secrets given by the store.
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
    static let sharedSecretBytes = 16

    private let randomBytes: @Sendable (Int) -> [UInt8]
    private let database: Database
    private let wallClock: @Sendable () -> Instant

    /// Creates the apps of a database.
    /// - Parameters:
    ///   - wallClock: Returns the real time, which the catalog's journal records.
    ///   - randomBytes: A cryptographically secure source for shared secrets.
    package init(
        database: Database, wallClock: @escaping @Sendable () -> Instant,
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.randomBytes = randomBytes
        self.database = database
        self.wallClock = wallClock
    }

    /// Registers an app, or updates a registered one. Its Apple ID stays for good, since purchases are stored under
    /// it; its products' Apple IDs and its shared secret stay unless the catalog gives others. An equal definition
    /// changes nothing.
    ///
    /// - Parameters:
    ///   - groups: The subscription groups. One that the products name and that isn't among them gets its ID as its name.
    ///   - actor: The author of the changes.
    /// - Throws: ``CatalogError`` `.duplicateApp` if another app has the Apple ID.
    @discardableResult
    package func register(
        _ app: App, groups: [SubscriptionGroup] = [], sharedSecret: String?, by actor: CatalogActor = .file("catalog")
    ) async throws -> Registered {
        let now = wallClock()
        return try await database.write { [randomBytes] connection in
            // Nodes that start together register the same apps. The draft's lock orders them, so that Apple IDs and secrets
            // agree.
            try CatalogEditor.edit(by: actor, at: now, on: connection) { draft in
                let known = try draft.registered(app.bundleID)
                let number = try draft.number(for: app, known)
                let secret =
                    sharedSecret ?? known?.sharedSecret ?? Hexadecimal.encode(randomBytes(Self.sharedSecretBytes))
                try draft.register(app, number, secret, known)
                try draft.register(groups, of: app, number)
                try draft.register(app.products, of: number)
                try CatalogTree.record(
                    app, groups, number: number, sharedSecret: sharedSecret, on: draft.connection)
                return Registered(bundleID: app.bundleID, appleID: number, sharedSecret: secret)
            }
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

    /// Returns the Apple ID of a new app.
    fileprivate static func newNumber(after highest: Int64?) -> Int64 {
        max(firstNumber, (highest ?? 0).clampedAdding(1))
    }
}

extension CatalogDraft {
    func registered(_ bundleID: App.BundleID) throws -> AppsTable.Record? {
        try AppsTable.all(on: connection).first { $0.bundleID == bundleID }
    }

    /// Returns the Apple ID of an app: the one that it has, otherwise its file's, otherwise the next.
    func number(for app: App, _ known: AppsTable.Record?) throws -> Int64 {
        if let known { return known.id }
        let records = try AppsTable.all(on: connection)
        let number = app.appleID == 0 ? Apps.newNumber(after: records.map(\.id).max()) : app.appleID
        if let other = records.first(where: { $0.id == number }) {
            throw CatalogError(
                .duplicateApp, at: CatalogPlace(file: app.bundleID.rawValue, spot: .file),
                "its number \(number) is that of \(other.bundleID): give it another appleId")
        }
        return number
    }

    fileprivate func register(_ app: App, _ number: Int64, _ secret: String, _ known: AppsTable.Record?) throws {
        var numbered = app
        numbered.appleID = number
        numbered.products = []
        if known?.sharedSecret != secret {
            try put(numbered, sharedSecret: secret)
        } else {
            try update(app: number) { $0 = numbered }
        }
    }

    fileprivate func register(_ groups: [SubscriptionGroup], of app: App, _ number: Int64) throws {
        let named = Set(groups.map(\.id))
        let others = Set(app.products.compactMap(\.subscription?.groupID)).subtracting(named).sorted()
        for group in groups + others.map({ SubscriptionGroup(id: $0, referenceName: $0) }) {
            if let key = try groupKey(group.id, app: number) {
                guard named.contains(group.id) else { continue }
                try update(group: key) { known in
                    known.referenceName = group.referenceName
                    if !group.versions.isEmpty { known.versions = group.versions }
                }
            } else {
                try insert(group, app: number)
            }
        }
    }

    /// Applies what has changed in a file since its last import. Products that the file doesn't have any more are deleted.
    fileprivate func register(_ products: [Product], of app: Int64) throws {
        let imported = try CatalogImportsTable.definitions(.product, app: app, on: connection)
        var gone = Set(imported.keys)
        for product in products {
            var product = product
            let known = try number(of: product.id, app: app)
            product.appleID = try known?.id ?? freeNumber(product.appleID, app: app)
            let last = imported[product.id.rawValue].flatMap { try? CatalogDocument.decode(Product.self, from: $0) }
            gone.remove(product.id.rawValue)
            guard last != product else { continue }
            if let known, known.isDeleted {
                try revive(CatalogProduct(product), app: app)
            } else if let known {
                try update(known.id) { $0.product = product }
            } else {
                try insert(CatalogProduct(product), app: app)
            }
            try CatalogImportsTable.put(
                try CatalogDocument.encode(product), .product, product.id.rawValue, app: app, on: connection)
        }
        for id in gone.sorted() {
            if let product = try product(Product.ID(rawValue: id), app: app) { try delete(product.appleID) }
            try CatalogImportsTable.remove(.product, id, app: app, on: connection)
        }
    }

    /// Returns a product's Apple ID: the file's if no other product has it, otherwise the next of the app.
    package func freeNumber(_ wanted: Int64, app: Int64) throws -> Int64 {
        try prepareQuery()
        if wanted > 0, try !ProductsTable.isTaken(wanted, on: connection) { return wanted }
        // Each app has a range of a million IDs, so that products of different apps differ.
        let first = max(0, min(app, CatalogDraft.maximumAppNumber)) * CatalogDraft.productsPerApp + 1
        let last = first + CatalogDraft.productsPerApp - 2
        let highest = try ProductsTable.highest(app: app, first...last, on: connection)
        let next = highest.map { $0 + 1 } ?? first
        if next <= last, try !ProductsTable.isTaken(next, on: connection) { return next }
        return try nextNumber()
    }

    /// The largest Apple ID of an app whose products have a range: beyond those of Apple's apps, and far from an overflow.
    private static let maximumAppNumber: Int64 = 1_000_000_000_000
    private static let productsPerApp: Int64 = 1_000_000
}
