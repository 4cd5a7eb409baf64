import AppStoreFormats
import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Perennial
import PerennialStore

/// Sessions of StoreKitTest in one process: a purchase through StoreKit beside the store's own, and what a session takes.
enum StoreKitMeasure: Measure {
    static let name = "storekit"
    private static let purchases = 400
    private static let sessions = 100
    private static let coins = "com.example.bench.coins"
    /// Milliseconds that a session may take to be there.
    private static let sessionLimit = 30.0
    /// Mebibytes that a session may take.
    private static let memoryLimit = 2.0

    static func measure(_ bench: Bench) async throws -> [Figure] {
        let file = URL(fileURLWithPath: bench.folder.path("Bench.storekit"))
        try Data(configuration.utf8).write(to: file)
        // Memory first, while no other measure has left any to take again.
        let (beside, live) = try await sideBySide(file)
        let others = try await sideBySide(files(bench), beside: live)
        return try await beside + [others, purchase(file, bench)]
    }

    // MARK: Purchases

    private static func purchase(_ file: URL, _ bench: Bench) async throws -> Figure {
        let session = try SKTestSession(contentsOf: file)
        session.disableDialogs = true
        let product = try await session.withSession {
            try await OpenStoreKit.Product.products(for: [coins]).first
        }
        guard let product else { throw BenchmarkError("the session sells nothing") }
        let store = session.store
        let customer = try await store.accounts.customer(
            account: "other@example.com", bundleID: App.BundleID(rawValue: session.connection.bundleID))
        let count = bench.count(purchases)
        var (ours, limit): ([Double], [Double]) = ([], [])
        for round in 0..<(bench.rounds + 1) {
            let own = try await Stopwatch.seconds {
                for _ in 0..<count {
                    let request = PurchaseRequest(
                        productID: Perennial.Product.ID(rawValue: coins), idempotencyKey: UUID().uuidString)
                    _ = try await store.purchases.buy(request, by: customer)
                }
            }
            var bought: [OpenStoreKit.Transaction] = []
            let through = try await Stopwatch.seconds {
                for _ in 0..<count { bought.append(try await buy(product)) }
            }
            for transaction in bought { await transaction.finish() }
            // The first round fills caches.
            guard round > 0 else { continue }
            limit.append(own * 1e6 / Double(count))
            ours.append(through * 1e6 / Double(count))
        }
        return Figure(
            "a purchase by Product.purchase() in a session", "µs", ours: ours.median, limit: limit.median, .atMost(3),
            notes: [
                "one after the other, each verified and in the vault; limit: the store's own purchases in the same process"
            ])
    }

    private static func buy(_ product: OpenStoreKit.Product) async throws -> OpenStoreKit.Transaction {
        guard case .success(.verified(let transaction)) = try await product.purchase() else {
            throw BenchmarkError("the purchase wasn't verified")
        }
        return transaction
    }

    // MARK: Sessions

    /// Measures sessions of one file, which share its catalog and a store.
    ///
    /// - Returns: The figures, and the sessions: the next measure must not take memory again that they leave.
    private static func sideBySide(_ file: URL) async throws -> ([Figure], [SKTestSession]) {
        // The first session starts what the process has once.
        var made: SKTestSession?
        let beginning = try Stopwatch.seconds { made = try SKTestSession(contentsOf: file) } * 1000
        guard let first = made else { throw BenchmarkError("there is no session") }
        try await useOnce(first)
        var live: [SKTestSession] = [first]
        var times: [Double] = []
        let before = ResidentMemory.current()
        for _ in 0..<sessions {
            var made: SKTestSession?
            times.append(try Stopwatch.seconds { made = try SKTestSession(contentsOf: file) } * 1000)
            guard let made else { throw BenchmarkError("there is no session") }
            try await useOnce(made)
            live.append(made)
        }
        let each = Double(ResidentMemory.current() - before) / Double(sessions) / 1_048_576
        let count = try await withThrowingTaskGroup(of: Int.self) { tasks in
            for session in live { tasks.addTask { try await transactions(of: session) } }
            return try await tasks.reduce(0, +)
        }
        guard count == live.count else { throw BenchmarkError("\(count) purchases in \(live.count) sessions") }
        let figures = [
            Figure(
                "a session is there", "ms", ours: times.median, limit: sessionLimit, .atMost(1),
                notes: [
                    "after the first of the process; the slowest of \(sessions) took "
                        + String(format: "%.1f ms; the first of the process ", times.max() ?? 0)
                        + String(format: "%.0f ms, with its keys and its schema", beginning)
                ]),
            Figure(
                "memory of each of \(sessions) sessions side by side", "MiB", ours: each, limit: memoryLimit,
                .atMost(1),
                notes: ["resident, each with its products and a purchase"]),
        ]
        return (figures, live)
    }

    /// Measures sessions of files that differ, each of which has a store of its own.
    private static func sideBySide(_ files: [URL], beside others: [SKTestSession]) async throws -> Figure {
        var live = others
        let before = ResidentMemory.current()
        for file in files {
            let session = try SKTestSession(contentsOf: file)
            try await useOnce(session)
            live.append(session)
        }
        let each = Double(ResidentMemory.current() - before) / Double(files.count) / 1_048_576
        for session in live.suffix(files.count) {
            let count = try await transactions(of: session)
            guard count == 1 else { throw BenchmarkError("\(count) purchases in a session") }
        }
        return withExtendedLifetime(live) {
            Figure(
                "memory of each of \(files.count) sessions of different files", "MiB", ours: each, limit: memoryLimit,
                .atMost(1), notes: ["resident, each with a store, its products and a purchase"])
        }
    }

    /// Writes as many files as sessions are made, none like another.
    private static func files(_ bench: Bench) throws -> [URL] {
        try (0..<sessions).map { number in
            let file = URL(fileURLWithPath: bench.folder.path("Bench-\(number).storekit"))
            let text = configuration.replacingOccurrences(of: "A product", with: "Product of file \(number)")
            try Data(text.utf8).write(to: file)
            return file
        }
    }

    private static func useOnce(_ session: SKTestSession) async throws {
        session.disableDialogs = true
        try await session.withSession {
            guard let product = try await OpenStoreKit.Product.products(for: [coins]).first else {
                throw BenchmarkError("the session sells nothing")
            }
            _ = try await buy(product)
        }
    }

    private static func transactions(of session: SKTestSession) async throws -> Int {
        await session.withSession {
            var count = 0
            for await _ in OpenStoreKit.Transaction.unfinished { count += 1 }
            return count
        }
    }

    /// A StoreKit configuration file with 20 products, as an app has.
    private static var configuration: String {
        let owned = (1...19).map { number in
            product("com.example.bench.chapter\(number)", "NonConsumable", "0000000\(number)")
        }
        let products = ([product(coins, "Consumable", "10000000")] + owned).joined(separator: ",\n")
        return """
            {
              "identifier" : "BE7C0001",
              "nonRenewingSubscriptions" : [],
              "products" : [\(products)],
              "settings" : {},
              "subscriptionGroups" : [],
              "version" : { "major" : 3, "minor" : 0 }
            }
            """
    }

    private static func product(_ id: String, _ type: String, _ internalID: String) -> String {
        """
        {
          "displayPrice" : "0.99",
          "familyShareable" : false,
          "internalID" : "\(internalID)",
          "localizations" : [
            { "description" : "What it is", "displayName" : "A product", "locale" : "en_US" }
          ],
          "productID" : "\(id)",
          "referenceName" : "\(id)",
          "type" : "\(type)"
        }
        """
    }
}
