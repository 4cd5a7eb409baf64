import AppStoreFormats
import ArgumentParser
import Hummingbird
import Perennial
import PerennialHTTP
import PerennialStore
import ServiceLifecycle
import TestSupport

@testable import PerennialCommand

/// A whole store behind a real socket on a free port, with one environment, staging, whose clock is moved and
/// whose months are as long as in Production.
struct RunningStore: Sendable {
    static let token = "the-control-token"

    /// Sandbox.
    let shop: TestStore
    let url: String

    static func run(
        app: App = TestCatalog.magazine(), beside others: [App] = [],
        _ test: @escaping @Sendable (RunningStore) async throws -> Void
    ) async throws {
        let shop = try await TestStore.make(app: app, beside: others)
        _ = try await shop.registry.makeEnvironment(
            "staging", kind: .production, clock: .manual, now: Instant(rfc3339: "2026-01-31T10:00:00Z"))
        var router = PerennialRouter(
            registry: shop.registry, controlToken: token,
            rootCertificate: try TestSigning.identities.rootCertificate, delivery: nil, nanoseconds: { 0 })
        router.keys = shop.keys
        // Tests share their machine.
        router.requestMilliseconds = 120_000
        let worker = RollUpService(registry: shop.registry, logger: TestStore.quiet)
        try await serve(router.make(), beside: [worker]) { try await test(RunningStore(shop: shop, url: $0)) }
    }

    /// Starts a store that is served until the process ends, for tests that each act in an environment of their own.
    static func start(app: App) async throws -> RunningStore {
        let (stores, started) = AsyncStream.makeStream(of: RunningStore.self)
        let (end, never) = AsyncStream.makeStream(of: Never.self)
        Task {
            defer { started.finish() }
            try await run(app: app) { store in
                started.yield(store)
                for await _ in end {}
                never.finish()
            }
        }
        for await store in stores { return store }
        throw TestStore.Missing(what: "running store")
    }

    /// Serves a router on a free port, with further services, for as long as a test runs.
    static func serve(
        _ router: Router<BasicConnectionContext>, beside services: [any Service] = [],
        _ test: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) }, logger: TestStore.quiet)
        let group = ServiceGroup(configuration: .init(services: services + [application], logger: TestStore.quiet))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var iterator = ports.makeAsyncIterator()
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await test("http://127.0.0.1:\(await iterator.next() ?? 0)"))
            } catch {
                outcome = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try outcome.get()
        }
    }

    /// Runs a command line.
    func run(_ words: String..., environment: String? = nil) async throws -> Report {
        try await Self.run(words + access + (environment.map { ["--environment", $0] } ?? []))
    }

    /// Runs a command line that fails, and returns its error.
    func error(_ words: String...) async throws -> String {
        do {
            let report = try await Self.run(words + access)
            throw TestStore.Missing(what: "error: \(report.words)")
        } catch let error as StoreClientError {
            return error.description
        }
    }

    var access: [String] { ["--url", url, "--token", Self.token] }

    static func run(_ arguments: [String]) async throws -> Report {
        guard let command = try Words.parse(arguments) as? any StoreCommand else {
            throw TestStore.Missing(what: "command that speaks to a store: \(arguments)")
        }
        return try await report(of: command)
    }

    private static func report(of command: some StoreCommand) async throws -> Report {
        try await StoreClient.withClient(of: command.store.endpoint()) { try await command.report(suggestingFrom: $0) }
    }
}

extension RunningStore {
    /// Buys in an environment; the number of the transaction.
    func buy(_ product: String, environment: String = "Sandbox") async throws -> String {
        let report = try await run(
            "buy", product, "--account", "ann", "--app", "com.example.magazine", environment: environment)
        return String(report.words.split(separator: " ").last ?? "")
    }
}
