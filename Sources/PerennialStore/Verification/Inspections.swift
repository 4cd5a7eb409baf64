import AppStoreFormats
import BaseEncoding
import Foundation
import Perennial
import PerennialStorage

/// A document to inspect, and the app to compare it with.
package struct InspectionRequest: Sendable {
    package var bytes: [UInt8]
    /// The app that it should be of; `nil` for any of the store.
    package var bundleID: App.BundleID?
    /// The device that a receipt should be of: a UUID, or a MAC address in hexadecimal digits.
    package var device: [UInt8]?

    package init(_ bytes: [UInt8], bundleID: App.BundleID? = nil, device: [UInt8]? = nil) {
        self.bytes = bytes
        self.bundleID = bundleID
        self.device = device
    }
}

/// Inspection of pasted data with the knowledge of this store: its roots, revocations, keys, apps and transactions.
package struct Inspections: StoreChapter {
    let context: StoreContext
    let signing: Signing

    /// Recognises, decodes and verifies data.
    ///
    /// - Parameter authority: Knows the revoked certificates; `nil` where certificates aren't managed.
    package func inspect(_ request: InspectionRequest, authority: CertificateAuthority?) async throws -> Inspection {
        var knowledge = try await knowledge(for: request)
        knowledge.revocations = try authority?.revocations()
        var inspection = Inspector(knowledge).inspect(request.bytes)
        let keys = inspection.references.filter { $0.kind == .key }.map(\.id)
        let isKey = inspection.kind == .privateKey
        if !keys.isEmpty || isKey {
            knowledge.keys = try await database.read { try self.keys(keys, all: isKey, on: $0) }
            inspection = Inspector(knowledge).inspect(request.bytes)
        }
        return try await database.read { [self, inspection, knowledge] connection in
            try resolved(inspection, request, knowledge, on: connection)
        }
    }

    private func knowledge(for request: InspectionRequest) async throws -> InspectionContext {
        let (now, apps) = try await database.read { [self] connection in
            (try clock.now(on: connection), try catalog.all(on: connection).map(\.app.bundleID.rawValue))
        }
        var knowledge = InspectionContext(now: now.milliseconds, wallClock: clock.wallClockNow.milliseconds)
        knowledge.roots = signing.roots
        knowledge.intermediates = signing.intermediates
        knowledge.environment = environment.kind.rawValue
        knowledge.bundleID = request.bundleID?.rawValue
        knowledge.apps = Set(apps)
        knowledge.device = request.device
        // No key, until those that the data names are looked up.
        knowledge.keys = [:]
        return knowledge
    }

    /// Returns the keys with these IDs, or all of the store's apps and of the team.
    private func keys(
        _ ids: [String], all: Bool, on connection: any Connection
    ) throws -> [String: InspectionContext.Key] {
        var found: [APIKey] = []
        if all {
            // A limit on the apps whose keys are compared.
            for entry in try catalog.all(on: connection).prefix(100) {
                found += try APIKeysTable.all(of: entry.app.appleID, on: connection)
            }
            found += try APIKeysTable.all(of: APIKey.team, on: connection)
        } else {
            found = try ids.filter(APIKey.isID).compactMap { try APIKeysTable.key($0, on: connection) }
        }
        var keys: [String: InspectionContext.Key] = [:]
        for key in found {
            let purpose: InspectionContext.Key.Purpose =
                switch key.kind {
                case .serverAPI: .serverAPI
                case .connectAPI: .connectAPI
                case .promotionalOffer: .promotionalOffer
                }
            let app = key.app == APIKey.team ? nil : try catalog.entry(number: key.app, on: connection)?.app.bundleID
            keys[key.id] = InspectionContext.Key(
                purpose, issuerID: key.issuerID, publicKey: key.publicKey, revoked: key.revoked?.rfc3339(),
                bundleID: app?.rawValue)
        }
        return keys
    }

    // MARK: - IDs

    /// The most IDs that are looked up.
    private static let maximumLookedUp = 50

    /// Looks the IDs up, and says for pasted IDs whether this environment has them.
    private func resolved(
        _ inspection: Inspection, _ request: InspectionRequest, _ knowledge: InspectionContext,
        on connection: any Connection
    ) throws -> Inspection {
        var inspection = inspection
        let entries = try apps(request, on: connection)
        for index in inspection.references.indices.prefix(Self.maximumLookedUp) {
            inspection.references[index].isKnown = try isKnown(
                inspection.references[index], entries, knowledge, environment.id, on: connection)
        }
        if let place = inspection.checks.firstIndex(where: { $0.name == .known }),
            let reference = inspection.references.first
        {
            inspection.checks[place] = try known(reference, entries, knowledge, on: connection)
        } else if [.appReceipt, .transactionReceipt, .signedTransaction].contains(inspection.kind),
            inspection[.environment]?.outcome == .passed, inspection.succeeded,
            let reference = inspection.references.first(where: { $0.kind == .transaction })
        {
            inspection.checks.append(try known(reference, entries, knowledge, on: connection))
        }
        if let place = inspection.checks.firstIndex(where: { $0.name == .sharedSecret }),
            inspection.kind == .sharedSecret
        {
            inspection.checks[place] = secret(request.bytes, entries)
        }
        return inspection
    }

    /// The app of a request, or all of the store.
    private func apps(
        _ request: InspectionRequest, on connection: any Connection
    ) throws -> [CatalogCache.Entry] {
        if let bundleID = request.bundleID { return try catalog.entry(bundleID, on: connection).map { [$0] } ?? [] }
        // A limit on the apps in which an ID is looked for.
        return Array(try catalog.all(on: connection).prefix(100))
    }

    private func known(
        _ reference: InspectionReference, _ apps: [CatalogCache.Entry], _ knowledge: InspectionContext,
        on connection: any Connection
    ) throws -> Inspection.Check {
        if try isKnown(reference, apps, knowledge, environment.id, on: connection) == true {
            return .init(.known, .passed, .init(.found, reference.id))
        }
        for other in try EnvironmentsTable.all(on: connection).prefix(100) where other.id != environment.id {
            if try isKnown(reference, apps, knowledge, other.id, on: connection) == true {
                return .init(.known, .failed, .init(.foundElsewhere, reference.id, other.name))
            }
        }
        return .init(.known, .failed, .init(.notFound, reference.id))
    }

    /// - Returns: `nil` for an ID that isn't looked up.
    private func isKnown(
        _ reference: InspectionReference, _ apps: [CatalogCache.Entry], _ knowledge: InspectionContext,
        _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Bool? {
        switch reference.kind {
        case .transaction, .order:
            let id = reference.kind == .order ? OrderID(reference.id)?.transactionID : TransactionID(reference.id)
            guard let id else { return false }
            return try apps.contains {
                try TransactionsTable.transaction(id, app: $0.app.appleID, environment, on: connection) != nil
            }
        case .notification, .uuid:
            return try apps.contains {
                try NotificationsTable.record(
                    uuid: reference.id.lowercased(), app: $0.app.appleID, environment, on: connection) != nil
            }
        case .app: return knowledge.apps?.contains(reference.id)
        case .product: return apps.contains { $0.product(Product.ID(rawValue: reference.id), at: .endOfTime) != nil }
        case .key: return knowledge.keys?[reference.id] != nil
        case .accountToken: return nil
        }
    }

    /// Compares a pasted secret with those of the apps, in constant time.
    private func secret(_ bytes: [UInt8], _ apps: [CatalogCache.Entry]) -> Inspection.Check {
        let text = String(decoding: bytes, as: UTF8.self).lowercased().filter(\.isHexDigit)
        let matches = apps.contains { entry in
            entry.sharedSecret.utf8.count == text.utf8.count
                && zip(entry.sharedSecret.utf8, text.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
        }
        return .init(
            .sharedSecret, matches ? .passed : .failed, .init(matches ? .secretRight : .secretWrong))
    }
}

extension Signing {
    /// The roots that the store signs under; waits for the receipts' key.
    var roots: [InspectionContext.Root] {
        let (signedData, receipts) = rootCertificates
        guard signedData != receipts else { return [.init(.both, signedData)] }
        return [.init(.signedData, signedData), .init(.receipts, receipts)]
    }
}

extension InspectionRequest {
    /// Returns the raw bytes of a device's identifier: a UUID, or six bytes of a MAC address.
    package static func deviceIdentifier(_ text: String) -> [UInt8]? {
        if let uuid = UUID(uuidString: text) { return withUnsafeBytes(of: uuid.uuid) { Array($0) } }
        let digits = text.filter { $0 != ":" && $0 != "-" }
        guard digits.utf8.count == 12 else { return nil }
        return Hexadecimal.decode(digits)
    }
}
