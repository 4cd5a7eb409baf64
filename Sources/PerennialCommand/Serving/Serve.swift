import ArgumentParser
import Foundation
import Hummingbird
import Logging
import Perennial
import PerennialConnect
import PerennialDelivery
import PerennialHTTP
import PerennialStorage
import PerennialStore
import ServiceLifecycle

/// `perennial serve`: the whole store in one process.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the store: Production at /, Sandbox at /sandbox.",
        discussion: """
            Everything is kept in the folder of --data; --in-memory leaves nothing behind. Ready means ready: when the banner
            appears, and the JSON of --ready-file is there, requests are answered and nothing needs to be set up first.
            """)

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port = 8080

    @OptionGroup var secure: TLSOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var outboundOptions: OutboundOptions

    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp(
            "Where verifiers reach this server: stated in its certificates. --host and the port where left out.",
            valueName: "url"))
    var publicURL: String?

    @OptionGroup var place: DataOptions
    @OptionGroup var catalog: CatalogOptions

    @Option(
        help: ArgumentHelp(
            "A folder with the files of the catalog's content: serves Delivery as well.", valueName: "folder"),
        completion: .directory)
    var content: String?

    @OptionGroup var receipts: SandboxReceiptOptions

    @Option(
        name: .customLong("ready-file"),
        help: ArgumentHelp("Where to write, once ready, what clients need to know, as JSON.", valueName: "file"),
        completion: .file())
    var readyFile: String?

    @Option(help: "SHA-256, or SHA-1 for validators from before 2023.")
    var receiptDigest: ReceiptDigestOption = .sha256

    @Option(
        help: ArgumentHelp(
            "Limits of the App Store Server API: off, apple, or so many requests an hour for each endpoint.",
            valueName: "limits"))
    var rateLimits = RateLimits()

    @OptionGroup var reminders: ReminderOptions

    @Option(help: "trace, debug, info, notice, warning, error or critical.")
    var logLevel: Logger.Level = .warning

    @Option(
        help: ArgumentHelp(
            "Where server notifications go: a URL for all apps, or BUNDLE_ID=URL; may be repeated.", valueName: "url"))
    var notifications: [String] = []

    func validate() throws {
        for target in notifications where NotificationTarget(target) == nil {
            throw ValidationError("--notifications is a URL, or BUNDLE_ID=URL: “\(target)” is neither.")
        }
        guard (0...65_535).contains(port) else { throw ValidationError("--port is 0 to 65535.") }
        if let publicURL { try StoreEndpoint.check(url: publicURL, "--public-url") }
        try secure.validate()
        try network.validate()
        try place.validate()
    }

    func run() async throws {
        let logger = Log.make(level: logLevel)
        try await Outbound.withClients(outboundOptions.addresses(host: host), logger: logger) {
            try await serve(outbound: $0, logger)
        }
    }

    private func serve(outbound: Outbound, _ logger: Logger) async throws {
        let ready = ReadyFile(path: readyFile)
        // One that a killed server has left would say too early that this one is ready.
        ready.remove()
        defer { ready.remove() }
        let loaded = try catalog.load(warn: Terminal.warn)
        let home = try DataHome(place)
        defer { home.leave() }
        let wiring = try await Wiring(
            home: home, catalog: loaded, digest: receiptDigest.digest, outbound: outbound, logger: logger)
        defer { wiring.database.close() }
        // Where the port is known already, nothing is signed with certificates that say another one.
        if publicURL != nil || port != 0 { publish(port, wiring.authority) }
        try await wiring.send(as: loaded)
        try await wiring.send(to: notifications.compactMap(NotificationTarget.init))
        let secrets = Dictionary(try await wiring.apps.all().map { ($0.bundleID, $0.sharedSecret) }) { first, _ in first
        }
        let deliveries = DeliveryCatalog(loaded, secrets: secrets)
        let endpoint = LocalStoreEndpoint(registry: wiring.registry)
        let delivery = try content.map { folder in
            try DeliveryWiring.routes(
                database: wiring.database, catalog: { deliveries }, content: folder,
                verification: DeliveryWiring.verification(
                    receipts.welcome(LocalStoreEndpoint.target), endpoint: endpoint, logger: logger),
                trust: try NotificationTrust(roots: [wiring.rootCertificate]), environments: receipts.environments,
                time: .asking(endpoint.now), cacheSeconds: 0, digests: home.digestsPath,
                operatorToken: home.controlToken, passwords: wiring.registry.passwords, logger: logger)
        }
        for finding in await delivery?.delivery.findings() ?? [] { Terminal.warn(finding) }
        var router = PerennialRouter(
            registry: wiring.registry, controlToken: home.controlToken, rootCertificate: wiring.rootCertificate,
            delivery: delivery, nanoseconds: WallClock.nanoseconds)
        router.keys = wiring.keys
        router.authority = wiring.authority
        router.rateLimits = rateLimits
        router.realtime = RealtimeClient(client: outbound.restricted)
        let apps = try await wiring.apps.all()
        let keyFiles = KeyFiles(home: home, keys: wiring.keys)
        var apiKeys: [App.BundleID: KeyFiles.OfApp] = [:]
        for app in apps { apiKeys[app.bundleID] = try await keyFiles.load(for: app.bundleID) }
        var services: [any Service] = [
            RenewalService(registry: wiring.registry, logger: logger),
            NotificationService(registry: wiring.registry, logger: logger),
            CertificateService(authority: wiring.authority, logger: logger),
        ]
        if let delivery { services.append(ContentDigestService(delivery: delivery.delivery)) }
        if let delivery, let milliseconds = reminders.milliseconds {
            services.append(ReminderService(delivery: delivery.delivery, milliseconds: milliseconds))
        }
        let announcement = Announcement(
            url: "", controlToken: home.controlToken, rootCertificate: home.rootCertificatePath,
            receiptRootCertificate: home.receiptRootCertificatePath(wiring.identities), apps: apps, keys: apiKeys,
            examples: loaded.exampleProducts)
        try await listen(
            HostNameResponder(router.make().buildResponder()), services, wiring.identities, logger,
            whenOpen: opened(announcement, home, wiring.authority, ready),
            abandon: {
                ready.remove()
                home.leave()
            })
    }
}

extension RateLimits: ExpressibleByArgument {
    package init?(argument: String) {
        switch argument {
        case "off": self.init(.off)
        case "apple": self.init(.apple)
        default:
            guard let count = Int64(argument), count >= 0 else { return nil }
            self.init(.hourly(count))
        }
    }

    package var defaultValueDescription: String { "off" }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
