import AppStoreFormats
import Dispatch
import Foundation
import Logging
import Perennial
import PerennialConnect
import PerennialDelivery
import PerennialHTTP
import PerennialStorage
import PerennialStore

/// Creates the parts of a store and connects them.
struct CompositionRoot: Sendable {
    let database: Database
    let registry: StoreRegistry
    let apps: Apps
    /// The changes that the catalog's files made.
    let imported: CatalogImportReport
    let keys: APIKeys
    let rootCertificate: [UInt8]
    let authority: CertificateAuthority
    /// The keys at the start.
    let identities: SigningIdentities

    /// Opens and migrates the database, imports the catalog's files and makes the stores ready.
    ///
    /// - Parameters:
    ///   - files: The paths of the files, for the catalog's journal.
    ///   - preference: The side that wins where the files and the store have changed the same field.
    /// - Throws: `ExitCode` 65 after saying why the catalog can't be imported.
    init(
        directory: DataDirectory, catalog: Catalog, from files: [String], preferring preference: CatalogPreference?,
        digest: ReceiptDigest, outbound: Outbound, logger: Logger
    ) async throws {
        try DatabaseCheck.run(directory.location)
        database = try Database(directory.location, logger: logger)
        try await UpgradeCheck.removeDeadNodes(of: database, elapsed: WallClock.milliseconds) {
            try await Task.sleep(for: UpgradeCheck.interval)
        }
        try database.migrate()
        let keyFolder = try await directory.openKeys(for: database)
        identities = keyFolder.identities
        let signing = Signing(identities, digest: digest)
        authority = CertificateAuthority(
            folder: keyFolder, signing: signing, database: database, wallClock: WallClock.now)
        // Before anything is signed: the folder may be a copy of before a revocation.
        _ = try await authority.catchUp()
        var dependencies = StoreDependencies(
            database: database, signing: signing, wallClock: WallClock.now, randomBytes: SecureRandom.bytes,
            notificationSender: outbound.notifications, logger: logger)
        dependencies.elapsed = WallClock.milliseconds
        dependencies.nodeClock = WallClock.corrected
        dependencies.node = .thisProcess
        registry = StoreRegistry(dependencies)
        try await registry.prepare()
        // Before anything is dated: registering measures the clock.
        try await registry.nodes.register()
        apps = Apps(database: database, wallClock: WallClock.now, randomBytes: SecureRandom.bytes)
        let importer = CatalogImporter(
            editor: CatalogEditor(database: database, wallClock: WallClock.now), randomBytes: SecureRandom.bytes)
        do {
            imported = try await importer.import(
                catalog, by: .operatingSystemUser, from: files.isEmpty ? nil : files.joined(separator: ", "),
                preferring: preference)
        } catch let error where error is CatalogError || error is CatalogImportError || error is CatalogEditError {
            throw BadInput.exit(saying: error)
        }
        keys = APIKeys(database: database, wallClock: WallClock.now, randomBytes: SecureRandom.bytes)
        rootCertificate = identities.rootCertificate
    }
}

/// The source of real time.
enum WallClock {
    /// The machine's clock, corrected by the database server's where several nodes must agree.
    static let corrected = NodeClock { Instant(Date()) }

    @Sendable static func now() -> Instant { corrected.now() }

    /// Milliseconds since the machine's start; they never go back.
    @Sendable static func milliseconds() -> Int64 { Int64(nanoseconds() / 1_000_000) }

    /// The time since the machine's start; it never goes back.
    @Sendable static func nanoseconds() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}
