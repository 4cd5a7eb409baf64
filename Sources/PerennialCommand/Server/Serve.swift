import AppStoreFormats
import ArgumentParser
import Foundation
import Hummingbird
import Logging
import Perennial
import PerennialConnect
import PerennialConsole
import PerennialDelivery
import PerennialHTTP
import PerennialStorage
import PerennialStore
import ServiceLifecycle

/// `perennial serve`: runs the whole store in one process.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "serve", "Run the store: Production at /, Sandbox at /sandbox.",
        """
        Everything is kept in the folder of --data; --in-memory leaves nothing behind. When the banner appears, and the JSON
        of --ready-file exists, requests are answered and nothing needs to be set up first. Other commands of the same user
        find the store while it runs.
        """,
        examples: [
            "serve --catalog Examples/Magazine/catalog.yaml --in-memory",
            "serve --storekit Examples/Magazine/Magazine.storekit --app com.example.photomag --port 9090",
        ])

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
            "The URL under which verifiers reach this server, for its certificates; --host and the port if omitted.",
            valueName: "url"))
    var publicURL: String?

    @OptionGroup var place: DataOptions
    @OptionGroup var catalog: CatalogOptions

    @Option(
        help: ArgumentHelp(
            "Which side wins where the files and the store have changed the same field since the last start: store or file.",
            valueName: "side"))
    var keep: CatalogPreference?

    @Option(
        help: ArgumentHelp(
            "A folder with the files of the catalog's content: serves Delivery as well.", valueName: "folder"),
        completion: .directory)
    var content: String?

    @OptionGroup var receipts: SandboxReceiptOptions

    @Option(
        name: .customLong("ready-file"),
        help: ArgumentHelp(
            "The file for URL, token and secrets as JSON; it appears when the store is ready.", valueName: "file"),
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

    @Option(
        help: ArgumentHelp(
            "Who reviews submitted products: automatic, or the operator with perennial reviews; unchanged if omitted.",
            valueName: "mode"))
    var review: ReviewMode?

    @Flag(name: .customLong("no-console"), help: "Serve without the web console.")
    var noConsole = false

    @Option(help: "trace, debug, info, notice, warning, error or critical.")
    var logLevel: Logger.Level = .warning

    @Option(
        help: ArgumentHelp(
            "The receiver of server notifications: a URL for all apps, or BUNDLE_ID=URL; may be repeated.",
            valueName: "url"))
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

    func run() async throws { try await run(with: nil) }

    /// Runs the store until it is asked to stop.
    ///
    /// - Parameter command: A command that is started when the store is ready; its end stops the store.
    func run(with command: ChildCommand?) async throws {
        // First, because the rest of a start takes no longer than the search for an RSA key.
        let keys = place.startKeys()
        let logger = Log.make(level: logLevel)
        try await Outbound.withClients(outboundOptions.addresses(host: host), logger: logger) {
            try await serve(outbound: $0, keys, command, logger)
        }
    }

    private func serve(
        outbound: Outbound, _ keys: Task<SigningIdentities, any Error>?, _ command: ChildCommand?, _ logger: Logger
    ) async throws {
        let ready = ReadyFile(path: readyFile)
        // A file that a killed server left would announce this one too early.
        ready.remove()
        defer { ready.remove() }
        let loaded = try catalog.load(warn: Terminal.warn)
        let directory = try DataDirectory(place, keys: keys)
        defer { directory.removeIfTemporary() }
        let root = try await CompositionRoot(
            directory: directory, catalog: loaded, from: catalog.storekit + catalog.catalog, preferring: keep,
            digest: receiptDigest.digest, outbound: outbound, logger: logger)
        defer { root.database.close() }
        // Nothing is signed with certificates of another port if this one is known already.
        if publicURL != nil || port != 0 { publish(port, root.authority) }
        if let review {
            try await CatalogEditor(database: root.database, wallClock: WallClock.now)
                .edit(by: .control) { try $0.setReviewMode(review) }
        }
        if let changes = CatalogImportText(root.imported).changes { Terminal.error(changes) }
        try await root.send(root.imported.notifications)
        try await root.send(to: notifications.compactMap(NotificationTarget.init))
        let delivery = try await delivery(loaded, directory, root, logger)
        var router = PerennialRouter(
            registry: root.registry, controlToken: directory.controlToken, rootCertificate: root.rootCertificate,
            delivery: delivery, nanoseconds: WallClock.nanoseconds)
        router.keys = root.keys
        router.authority = root.authority
        router.rateLimits = rateLimits
        router.realtime = RealtimeClient(client: outbound.restricted)
        var info = try await startupInfo(loaded, directory, root)
        if !noConsole { info.console = try await addConsole(to: &router, root) }
        let announcement = StoreAnnouncement(
            info: info, directory: directory, ready: ready, command: command)
        defer { announcement.withdraw() }
        try await listen(
            HostNameResponder(router.make().buildResponder()), services(delivery, root, logger), root.identities,
            command,
            logger,
            whenOpen: { ports in
                publish(ports.plain, root.authority)
                try directory.writeReceiptRoot(of: root.identities)
                try announcement.publish(host: host, ports)
            },
            abandon: {
                announcement.withdraw()
                directory.removeIfTemporary()
            })
        if let command { throw ExitCode(command.exitCode ?? ChildCommand.prevented) }
    }

    /// Adds the console to the routes.
    ///
    /// - Returns: Its path. On loopback it has a code that signs in once, valid as long as a working day: banner and ready
    ///   file, which have it, hold the control token as well.
    private func addConsole(to router: inout PerennialRouter, _ root: CompositionRoot) async throws -> String {
        let services = ConsoleServices(
            registry: root.registry, catalog: router.catalog, keys: root.keys,
            rootCertificate: root.rootCertificate, authority: root.authority, delivery: router.delivery?.delivery,
            version: Version.current, wallClock: WallClock.now, randomBytes: SecureRandom.bytes)
        router.extensions.append(ConsoleRouter(services: services))
        router.browserPath = ConsoleRouter.entrance
        guard HostPolicy.isLoopback(host) else { return ConsoleRouter.entrance }
        return try await services.accounts.makeLink(lifetime: .hours(24)).path
    }

    /// The routes of Delivery, if there is a folder of content.
    private func delivery(
        _ loaded: Catalog, _ directory: DataDirectory, _ root: CompositionRoot, _ logger: Logger
    ) async throws -> DeliveryRoutes? {
        guard let content else { return nil }
        let secrets = Dictionary(try await root.apps.all().map { ($0.bundleID, $0.sharedSecret) }) { first, _ in first }
        let deliveries = DeliveryCatalog(loaded, secrets: secrets)
        let endpoint = LocalStoreEndpoint(registry: root.registry)
        let routes = try DeliveryComposition.routes(
            database: root.database, catalog: { deliveries },
            refresh: StoreDeliveryCatalog(database: root.database).refreshed, content: content,
            verification: DeliveryComposition.verification(
                receipts.welcome(LocalStoreEndpoint.target), endpoint: endpoint, logger: logger),
            trust: try NotificationTrust(roots: [root.rootCertificate]), environments: receipts.environments,
            time: .asking(endpoint.now), cacheSeconds: 0, digests: directory.digestsPath,
            operatorToken: directory.controlToken, passwords: root.registry.passwords, logger: logger)
        for finding in await routes.delivery.startupDiagnostics() { Terminal.warn(finding) }
        return routes
    }

    /// The information for clients, with the keys of each app.
    private func startupInfo(
        _ loaded: Catalog, _ directory: DataDirectory, _ root: CompositionRoot
    ) async throws -> StartupInfo {
        let apps = try await root.apps.all()
        let apiKeys = try await KeyFiles(directory: directory, keys: root.keys).load(for: apps.map(\.bundleID))
        let vendorNumber = try await root.database.read { try Vendor.vendorNumber(on: $0) }
        return StartupInfo(
            url: "", controlToken: directory.controlToken, rootCertificate: directory.rootCertificatePath,
            receiptRootCertificate: directory.receiptRootCertificatePath(root.identities), apps: apps, keys: apiKeys,
            vendorNumber: vendorNumber, examples: loaded.exampleProducts)
    }

    private func services(
        _ delivery: DeliveryRoutes?, _ root: CompositionRoot, _ logger: Logger
    ) -> [any Service] {
        var services: [any Service] = [
            NodeService(registry: root.registry, logger: logger),
            RenewalService(registry: root.registry, logger: logger),
            RollUpService(registry: root.registry, logger: logger),
            NotificationService(registry: root.registry, logger: logger),
            CertificateService(authority: root.authority, logger: logger),
        ]
        if let delivery { services.append(ContentDigestService(delivery: delivery.delivery)) }
        if let delivery, let milliseconds = reminders.milliseconds {
            services.append(ReminderService(delivery: delivery.delivery, milliseconds: milliseconds))
        }
        return services
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
