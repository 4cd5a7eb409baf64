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
    let keys: APIKeys
    let rootCertificate: [UInt8]
    let authority: CertificateAuthority
    /// The keys at the start.
    let identities: SigningIdentities

    /// Opens and migrates the database, registers the catalog's apps and makes the stores ready.
    ///
    /// - Throws: `ExitCode` 65 after saying which app's number is another's.
    init(
        directory: DataDirectory, catalog: Catalog, digest: ReceiptDigest, outbound: Outbound, logger: Logger
    ) async throws {
        database = try Database(directory.location, logger: logger)
        try database.migrate()
        let keyFolder = try await directory.openKeys(for: database)
        identities = keyFolder.identities
        let signing = Signing(identities, digest: digest)
        authority = CertificateAuthority(
            folder: keyFolder, signing: signing, wallClock: WallClock.now)
        registry = StoreRegistry(
            StoreDependencies(
                database: database, signing: signing, wallClock: WallClock.now,
                randomBytes: SecureRandom.bytes, notificationSender: outbound.notifications, logger: logger))
        try await registry.prepare()
        apps = Apps(database: database, randomBytes: SecureRandom.bytes)
        for var app in catalog.apps {
            if let terms = catalog.saleTerms[app.bundleID] { app.saleTerms = terms }
            do {
                try await apps.register(app, sharedSecret: catalog.sharedSecrets[app.bundleID])
            } catch let error as CatalogError {
                throw BadInput.exit(saying: error)
            }
        }
        keys = APIKeys(database: database, wallClock: WallClock.now, randomBytes: SecureRandom.bytes)
        rootCertificate = identities.rootCertificate
    }
}

/// The source of real time.
enum WallClock {
    @Sendable static func now() -> Instant { Instant(Date()) }

    /// The time since the machine's start; it never goes back.
    @Sendable static func nanoseconds() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}
