import Foundation
import Hummingbird
import NIOCore
import Perennial
import PerennialDelivery
import PerennialHTTP
import PerennialStorage

/// A large file to several clients at once: what memory it takes, and how fast it goes.
enum ContentMeasure: Measure {
    static let name = "content"
    private static let clients = 8
    private static let megabytes = 200
    private static let memoryMegabytes = 16.0
    private static let product = Product.ID(rawValue: "com.example.bench.book")
    private static let content = Content(id: .init(rawValue: "book"), unlockedBy: [product], file: "book.bin")

    static func measure(_ bench: Bench) async throws -> [Figure] {
        let megabytes = bench.count(megabytes)
        let delivery = try makeDelivery(bench, megabytes)
        let router = Router(context: BasicConnectionContext.self)
        router.add(middleware: ErrorMiddleware(answersAppleProtocols: false))
        DeliveryRoutes(delivery: delivery).add(to: router)
        // With it the file's digest is computed, which happens once for a file.
        let grant = try await delivery.grant(receipt: "receipt", bundleID: BenchmarkCatalog.bundleID)
        return try await BenchmarkServer.run(router) { server in
            let request = Requests.get(
                "/delivery/v1/content/\(content.id)", headers: ["Authorization: Bearer \(grant.token)"])
            ResidentMemory.forgetPeak()
            let before = ResidentMemory.current()
            let result = try await LoadGenerator(port: server.port)
                .run(Array(repeating: [request], count: clients))
            let grown = Double(ResidentMemory.peak() - before) / Double(1 << 20)
            let rate = Double(clients * megabytes) / result.seconds
            return [
                Figure(
                    "memory for \(megabytes) MB to \(clients) clients", "MiB", ours: grown, limit: memoryMegabytes,
                    .atMost(1.0),
                    notes: [
                        "resident: \(before >> 20) MiB before, at most \(ResidentMemory.peak() >> 20) MiB while, "
                            + "with the clients in the same process"
                    ]),
                Figure("content delivered to \(clients) clients", "MB/s", ours: rate),
            ]
        }
    }

    private static func makeDelivery(_ bench: Bench, _ megabytes: Int) throws -> Delivery {
        let folder = bench.folder.path("content")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        guard FileManager.default.createFile(atPath: "\(folder)/\(content.file)", contents: nil),
            let file = FileHandle(forWritingAtPath: "\(folder)/\(content.file)")
        else { throw BenchmarkError("the content can't be written") }
        defer { try? file.close() }
        let megabyte = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for _ in 0..<megabytes { try file.write(contentsOf: megabyte) }
        let database = try Database(.sqlite(path: bench.folder.path("delivery.sqlite")), logger: BenchmarkStore.quiet)
        try database.migrate()
        var app = BenchmarkCatalog.app
        app.products.append(
            Product(id: product, type: .nonConsumable, referenceName: "Book", basePrice: Money(milliunits: 990, .usd)))
        let catalog = DeliveryCatalog([.init(app: app, contents: [content])])
        return Delivery(
            database: database, catalog: { catalog }, library: try ContentLibrary(root: folder),
            verification: OneReceipt(product: product), clock: { Instant(Date()) },
            randomBytes: BenchmarkStore.randomBytes, logger: BenchmarkStore.quiet)
    }
}

/// A store that knows one authentic receipt: Delivery's own work is measured, not the store's.
private struct OneReceipt: ReceiptVerifying {
    let product: Product.ID

    func verify(receipt: String, password: String?) async throws -> AuthenticReceipt {
        AuthenticReceipt(
            environment: .sandbox, bundleID: BenchmarkCatalog.bundleID,
            purchases: [
                VerifiedPurchase(
                    productID: product, transactionID: TransactionID(rawValue: 1), purchaseDate: Instant(Date()))
            ])
    }
}
