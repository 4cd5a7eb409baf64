import AppStoreFormats
import AsyncHTTPClient
import Dispatch
import Foundation
import Logging
import Perennial
import PerennialConnect
import PerennialDelivery
import PerennialHTTP
import PerennialStorage
import PerennialStore

/// Joins the parts: the only place that knows all of them.
struct Wiring: Sendable {
    let database: Database
    let registry: StoreRegistry
    let apps: Apps
    let keys: APIKeys
    let rootCertificate: [UInt8]
    let authority: CertificateAuthority

    /// Opens and migrates the database, registers the catalog's apps and makes the stores ready.
    ///
    /// - Parameter outbound: What notifications are sent with: made with `NotificationClient.clientConfiguration`.
    /// - Throws: `ExitCode` 65 after saying which app's number is another's.
    init(home: DataHome, catalog: Catalog, digest: ReceiptDigest, outbound: HTTPClient, logger: Logger) async throws {
        database = try Database(home.location, logger: logger)
        try database.migrate()
        let signing = try Signing(home.identities, digest: digest)
        authority = CertificateAuthority(
            folder: home.signingFolder, signing: signing, wallClock: WallClock.now)
        registry = StoreRegistry(
            database: database, signing: signing, wallClock: WallClock.now,
            randomBytes: SecureRandom.bytes, notificationSender: NotificationClient(client: outbound), logger: logger)
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
        rootCertificate = home.identities.rootCertificate
    }
}

/// The seam at which the world's time enters.
enum WallClock {
    @Sendable static func now() -> Instant { Instant(Date()) }

    /// Since the machine's start; it only ever goes forward.
    @Sendable static func nanoseconds() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}
