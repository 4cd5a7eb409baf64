import AppStoreFormats
import AsyncHTTPClient
import Foundation
import Perennial
import PerennialHTTP
import PerennialSimulation
import PerennialStorage
import PerennialStore
import Synchronization
import TestSupport

@testable import PerennialCommand

/// A real store behind real sockets, exercised for a few steps: one node on SQLite, or two on one PostgreSQL.
struct ExercisedStore {
    /// A defect of the store, for tests of the checker: statements that it changes, and changes of the schema.
    struct Defect: Sendable {
        var schema: [SQL] = []
        var replaceStatement: (@Sendable (String) -> String?)?

        init(_ trigger: SQL) { schema = [trigger] }

        init(_ schema: [SQL] = [], replacing: @escaping @Sendable (String) -> String?) {
            self.schema = schema
            replaceStatement = replacing
        }

        init(_ mutation: Mutation) {
            schema = mutation.trigger.map { [$0] } ?? []
            replaceStatement = { mutation.replacement(of: $0) }
        }
    }

    struct Recorded {
        var history: RecordedHistory
        var summary: HistoryRecorder.Summary

        var outcome: HistoryCheck.Outcome { HistoryCheck([history]).run() }
    }

    var engine = Engine.sqliteInMemory
    var nodes = 1
    var defect: Defect?
    var seed: UInt64 = 1
    var clients = 3
    var steps = 72
    var receives = true
    /// Limit on the steps, and then on the last readings.
    var settleSeconds = 60
    /// Microseconds of a pause of one millisecond. Readers and the clock ask as often as they may, which takes time from the clients.
    var pace = 100
    /// The nodes' background work on a real clock; `nil` for a manual one.
    var background: SteppedNodes?

    func run() async throws -> Recorded {
        let lines = Mutex(Data())
        let time = background?.time ?? .real(started: "2026-01-01T00:00:00Z", pace: pace)
        let recorder = HistoryRecorder(time) { line in lines.withLock { $0 += line } }
        let plan = plan
        let cleanup = Cleanup()
        defer { cleanup.clear() }
        let url = receives ? try await ExerciseReceiver.start(at: Self.receiver, recorder, cleanup) : nil
        let summary = try await serve { [plan] urls in
            var plan = plan
            plan.receiverURL = url
            let endpoints = urls.map { StoreEndpoint(url: $0, token: RunningStore.token) }
            return try await HTTPTransport.withTransport(to: endpoints, timeout: 20_000) { [plan] transport in
                try await Exercise(
                    plan, over: transport, recorder, time: time, control: ExerciseControl(plan, now: time.now)
                ).run()
            }
        }
        return Recorded(history: try RecordedHistory(lines.withLock { $0 }, name: "history"), summary: summary)
    }

    private static let receiver = ExerciseReceiver.Address("127.0.0.1:0") ?? .init(host: "127.0.0.1", port: 0)

    private var plan: ExercisePlan {
        var plan = ExercisePlan(seed: seed, app: TestCatalog.bundleID.rawValue)
        plan.clients = clients
        plan.length = .steps(steps)
        plan.settleSeconds = settleSeconds
        plan.clock = background == nil ? .manual : .real
        return plan
    }

    // MARK: - Nodes

    /// Serves the nodes on one database for as long as a body runs.
    private func serve(
        _ body: @escaping @Sendable ([String]) async throws -> HistoryRecorder.Summary
    ) async throws -> HistoryRecorder.Summary {
        var options = DatabaseOptions.forTests
        if let replace = defect?.replaceStatement { options.replaceStatement = { replace($0) ?? $0 } }
        let location = try engine.makeLocation()
        let databases = try (0..<nodes).map { _ in try Database(location, options: options) }
        defer { databases.forEach { $0.close() } }
        for database in databases { try database.migrate() }
        for change in defect?.schema ?? [] { try await databases[0].write { try $0.execute(change) } }
        let result = Mutex<HistoryRecorder.Summary?>(nil)
        try await Outbound.withClient { client in
            let sender = NotificationClient(client: client)
            var shops: [TestStore] = []
            for (index, database) in databases.enumerated() {
                shops.append(try await TestStore.open(database, sender: sender, seed: UInt64(index + 1)))
            }
            let working = background.map { background in
                Task { [shops] in try await background.work(shops) }
            }
            defer { working?.cancel() }
            try await Self.serve(shops[...], []) { urls in
                let summary = try await body(urls)
                result.withLock { $0 = summary }
            }
            working?.cancel()
            try await working?.value
        }
        guard let summary = result.withLock({ $0 }) else { throw TestStore.Missing(what: "summary") }
        return summary
    }

    private static func serve(
        _ shops: ArraySlice<TestStore>, _ urls: [String], _ body: @escaping @Sendable ([String]) async throws -> Void
    ) async throws {
        guard let shop = shops.first else { return try await body(urls) }
        var router = PerennialRouter(
            registry: shop.registry, controlToken: RunningStore.token,
            rootCertificate: try TestSigning.identities.rootCertificate, delivery: nil, nanoseconds: { 0 })
        router.keys = shop.keys
        let sending = NotificationService(registry: shop.registry, logger: TestStore.quiet)
        let rest = shops.dropFirst()
        try await RunningStore.serve(router.make(), beside: [sending]) { url in
            try await serve(rest, urls + [url], body)
        }
    }
}
