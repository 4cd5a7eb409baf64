import AppStoreFormats
import Foundation
import Logging
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore

/// A store as `perennial serve` keeps it, with the catalog of ``BenchmarkCatalog``.
struct BenchmarkStore: Sendable {
    static let quiet = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }

    let database: Database
    let registry: StoreRegistry
    /// Sandbox, where accounts sign in by name.
    let store: Store
    let identities: SigningIdentities

    /// Opens a store on a SQLite file.
    init(
        _ path: String, app: App = BenchmarkCatalog.app, identities: SigningIdentities,
        sender: (any NotificationSender)? = nil
    ) async throws {
        try await self.init(.sqlite(path: path), app: app, identities: identities, sender: sender)
    }

    /// Opens a store on either engine.
    init(
        _ location: DatabaseLocation, app: App = BenchmarkCatalog.app, identities: SigningIdentities,
        sender: (any NotificationSender)? = nil
    ) async throws {
        database = try Database(location, logger: Self.quiet)
        try database.migrate()
        registry = StoreRegistry(
            StoreDependencies(
                database: database, signing: Signing(identities), wallClock: { Instant(Date()) },
                randomBytes: Self.randomBytes, notificationSender: sender, logger: Self.quiet))
        try await registry.prepare()
        try await Apps(database: database, wallClock: { Instant(Date()) }, randomBytes: Self.randomBytes)
            .register(app, sharedSecret: BenchmarkCatalog.sharedSecret)
        guard let store = try await registry.store(named: StoreEnvironment.sandbox.name) else {
            throw BenchmarkError("there is no sandbox")
        }
        self.store = store
        self.identities = identities
    }

    /// Signs so many new customers in, each on a device.
    /// - Returns: Their devices' tokens.
    func signIn(_ count: Int) async throws -> [String] {
        try await concurrently(count) { number in
            try await store.accounts.signIn(
                account: "customer\(number)@example.com", password: nil, deviceID: UUID().uuidString,
                bundleID: BenchmarkCatalog.bundleID, applicationVersion: nil
            ).token
        }
    }

    @Sendable static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

/// Runs a piece of work for each number below a count, many at a time.
/// - Returns: The results in the order of the numbers.
func concurrently<Value: Sendable>(
    _ count: Int, tasks width: Int = 128, _ work: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: [(Int, Value)].self) { tasks in
        for first in 0..<min(width, count) {
            tasks.addTask {
                var made: [(Int, Value)] = []
                for number in stride(from: first, to: count, by: width) {
                    made.append((number, try await work(number)))
                }
                return made
            }
        }
        let all = try await tasks.reduce(into: [(Int, Value)]()) { $0 += $1 }
        return all.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
