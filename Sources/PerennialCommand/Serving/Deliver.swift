import ArgumentParser
import AsyncHTTPClient
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import Perennial
import PerennialConnect
import PerennialDelivery
import PerennialHTTP
import PerennialStorage
import ServiceLifecycle

/// `perennial deliver`: the seller's own content server, by itself.
struct Deliver: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the seller's content server: products, content against receipts, non-renewing terms.",
        discussion: """
            It verifies receipts with --store, a Perennial store's URL, or with Apple's App Store where none is given: production
            first, sandbox where production says so. The shared secret of each app is in the catalog, or in the environment
            variable PERENNIAL_SHARED_SECRET where there is one app. Who asks for reminders of terms that end proves himself with
            the token in PERENNIAL_TOKEN; without one there are none to ask for. A catalog that changes on disk is read again.
            Have the store send its server notifications (version 2) to /delivery/v1/notifications: a refund takes access away
            from then on, whatever receipt is shown.
            """)

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port = 8090

    @Option(help: ArgumentHelp("A Perennial store's URL; Apple's App Store where left out.", valueName: "url"))
    var store: String?

    @Option(help: ArgumentHelp("The folder with the content files.", valueName: "folder"), completion: .directory)
    var content: String

    @OptionGroup var network: NetworkOptions
    @OptionGroup var roots: RootCertificateOptions
    @OptionGroup var receipts: SandboxReceiptOptions
    @OptionGroup var catalog: CatalogOptions

    @Option(help: ArgumentHelp("The folder for the database.", valueName: "folder"), completion: .directory)
    var data = "perennial-delivery"

    @Option(help: ArgumentHelp("sqlite:PATH or postgres://…; SQLite in the data folder by default.", valueName: "url"))
    var database: String?

    @Option(help: "How long a positive answer of the store is believed, in seconds; 0 asks each time.")
    var cacheSeconds = 10

    @Option(
        name: .customLong("ready-file"),
        help: ArgumentHelp("Where to write, once ready, the URL as JSON.", valueName: "file"), completion: .file())
    var readyFile: String?

    @OptionGroup var reminders: ReminderOptions

    @Option(help: "trace, debug, info, notice, warning, error or critical.")
    var logLevel: Logger.Level = .warning

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port is 0 to 65535.") }
        try network.validate()
        guard (0...3600).contains(cacheSeconds) else { throw ValidationError("--cache-seconds is 0 to 3600.") }
        if let store { try StoreEndpoint.check(url: store, "--store") }
        if let database, (try? DatabaseLocation(url: database)) == nil {
            throw ValidationError("--database is sqlite:PATH or postgres://USER@HOST/NAME.")
        }
    }

    func run() async throws {
        try await Outbound.withClient(VerifyReceiptClient.clientConfiguration) { try await deliver(asking: $0) }
    }

    private func deliver(asking client: HTTPClient) async throws {
        let logger = Log.make(level: logLevel)
        let ready = ReadyFile(path: readyFile)
        // One that a killed server has left would say too early that this one is ready.
        ready.remove()
        defer { ready.remove() }
        let loaded = try catalog.load(warn: Terminal.warn)
        try DataHome.make(data)
        let location = try database.map { try DatabaseLocation(url: $0) } ?? .sqlite(path: data + "/delivery.sqlite")
        let database = try Database(location, logger: logger)
        defer { database.close() }
        try database.migrate()
        let target = receipts.welcome(store.map { .perennial(baseURL: $0) } ?? .apple)
        let current = ReloadingCatalog(loaded, from: catalog, secrets: secrets(loaded.apps), warn: Terminal.warn)
        let trust = try trust(asking: client)
        let routes = try DeliveryWiring.routes(
            database: database, catalog: current.current, content: content,
            verification: DeliveryWiring.verification(
                target, endpoint: VerifyReceiptClient(client: client), logger: logger),
            trust: trust, environments: receipts.environments, time: store == nil ? .world : .answers,
            cacheSeconds: cacheSeconds, digests: data + "/content-digests",
            operatorToken: ProcessInfo.processInfo.environment["PERENNIAL_TOKEN"], logger: logger)
        for finding in await routes.delivery.findings() { Terminal.warn(finding) }
        let readiness = Readiness { port in
            try announce(
                Listening.reachableURL(host: host, port: port), target, takesNotifications: trust != nil, ready)
        }
        let connections = OpenConnections()
        let policy = HostPolicy(listeningOn: host, names: [], allowed: network.allowedHosts)
        var application = Application(
            responder: HostPolicyResponder(policy, routes.makeRouter().buildResponder()),
            server: ConnectionLimits().http1(connections),
            configuration: network.configuration(host: host, port: port, logger: logger),
            services: [readiness], onServerRunning: { readiness.open($0.localAddress?.port ?? 0) }, logger: logger)
        application.addServices(ContentDigestService(delivery: routes.delivery))
        if let milliseconds = reminders.milliseconds {
            application.addServices(ReminderService(delivery: routes.delivery, milliseconds: milliseconds))
        }
        try await Listening.run(
            application, host: host, port: port,
            limit: ShutdownLimit(
                seconds: network.shutdownSeconds, connections: connections, abandon: { ready.remove() }))
    }

    private func announce(
        _ url: String, _ target: VerificationTarget, takesNotifications: Bool, _ ready: ReadyFile
    ) throws {
        try ready.write(["url": url])
        Terminal.out(
            """
            Perennial Delivery is ready.
              URL             \(url)/delivery/v1
              Verifies with   \(target.production)
              Sandbox         \(target.sandbox ?? "receipts are refused")
              Notifications   \(takesNotifications ? "\(url)/delivery/v1/notifications" : "none, without --root-certificate")
            """)
    }

    /// Roots that were named come before the store's own.
    private func trust(asking client: HTTPClient) throws -> NotificationTrust? {
        if let named = try roots.trust() { return named }
        guard let store else { return nil }
        return NotificationTrust(asking: RootCertificateClient(client: client, baseURL: store).root)
    }

    private func secrets(_ apps: [App]) -> [App.BundleID: String] {
        guard apps.count == 1, let app = apps.first,
            let secret = ProcessInfo.processInfo.environment["PERENNIAL_SHARED_SECRET"]
        else { return [:] }
        return [app.bundleID: secret]
    }
}
