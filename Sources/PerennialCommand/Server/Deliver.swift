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

/// `perennial deliver`: runs the seller's content server.
struct Deliver: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "deliver", "Run the seller's content server: products, content against receipts, non-renewing terms.",
        """
        It verifies receipts with the Perennial store of --store, or with Apple's App Store if there is none: Production first,
        then Sandbox if Production says so. The shared secret of each app is in the catalog, or in PERENNIAL_SHARED_SECRET for a
        single app. PERENNIAL_TOKEN is the token for requests of reminders. A catalog that changes on disk is read again. Have
        the store send its server notifications (version 2) to /delivery/v1/notifications: then a refund removes access, whatever
        receipt is shown.
        """,
        examples: [
            "deliver --catalog Examples/Magazine/catalog.yaml --content Examples/Magazine/content --store http://127.0.0.1:8080"
        ])

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port = 8090

    @Option(help: ArgumentHelp("A Perennial store's URL; Apple's App Store if omitted.", valueName: "url"))
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

    @Option(
        help: ArgumentHelp("The lifetime of a positive answer of the store; 0 asks each time.", valueName: "seconds"))
    var cacheTime = 10

    @Option(
        name: .customLong("ready-file"),
        help: ArgumentHelp("The file for the URL as JSON; it appears when the server is ready.", valueName: "file"),
        completion: .file())
    var readyFile: String?

    @OptionGroup var reminders: ReminderOptions

    @Option(help: "trace, debug, info, notice, warning, error or critical.")
    var logLevel: Logger.Level = .warning

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port is 0 to 65535.") }
        try network.validate()
        guard (0...3600).contains(cacheTime) else { throw ValidationError("--cache-time is 0 to 3600.") }
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
        // A file that a killed server left would announce this one too early.
        ready.remove()
        defer { ready.remove() }
        let loaded = try catalog.load(warn: Terminal.warn)
        try DataDirectory.make(data)
        let location = try database.map { try DatabaseLocation(url: $0) } ?? .sqlite(path: data + "/delivery.sqlite")
        try DatabaseCheck.run(location)
        let database = try Database(location, logger: logger)
        defer { database.close() }
        try database.migrate()
        let target = receipts.welcome(store.map { .perennial(baseURL: $0) } ?? .apple)
        let current = ReloadingCatalog(loaded, from: catalog, secrets: secrets(loaded.apps), warn: Terminal.warn)
        let trust = try trust(asking: client)
        let routes = try DeliveryComposition.routes(
            database: database, catalog: current.current, content: content,
            verification: DeliveryComposition.verification(
                target, endpoint: VerifyReceiptClient(client: client), logger: logger),
            trust: trust, environments: receipts.environments, time: store == nil ? .wallClock : .answers,
            cacheSeconds: cacheTime, digests: data + "/content-digests",
            operatorToken: ProcessInfo.processInfo.environment["PERENNIAL_TOKEN"], logger: logger)
        for finding in await routes.delivery.startupDiagnostics() { Terminal.warn(finding) }
        let readiness = ReadinessService { port in
            try writeStartupInfo(
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
                seconds: network.shutdownTimeout, connections: connections, abandon: { ready.remove() }))
    }

    private func writeStartupInfo(
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

    /// Returns the roots of the options, or the store's own.
    private func trust(asking client: HTTPClient) throws -> NotificationTrust? {
        if let named = try roots.trust() { return named }
        guard let store else { return nil }
        return NotificationTrust(fetchingRoot: RootCertificateClient(client: client, baseURL: store).root)
    }

    private func secrets(_ apps: [App]) -> [App.BundleID: String] {
        guard apps.count == 1, let app = apps.first,
            let secret = ProcessInfo.processInfo.environment["PERENNIAL_SHARED_SECRET"]
        else { return [:] }
        return [app.bundleID: secret]
    }
}
