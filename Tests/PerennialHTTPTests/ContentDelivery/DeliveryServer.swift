import AsyncHTTPClient
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import Perennial
import PerennialDelivery
import PerennialHTTP
import PerennialStorage
import ServiceLifecycle
import Synchronization
import TestSupport

/// A Delivery behind a real server on a free port, with one content that `"receipt"` opens.
struct DeliveryServer: Sendable {
    static let app = App.BundleID(rawValue: "com.example.photos")
    static let scope = DeliveryScope(environment: .sandbox, bundleID: app)
    static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    static let operatorToken = "the operator's token"

    let delivery: Delivery
    let base: String
    let client: HTTPClient

    /// Runs a test against a server; when this returns, every answer has ended and is on record.
    static func run<Value: Sendable>(
        file: [UInt8] = Array("0123456789".utf8), store: any ReceiptVerifying = OneReceipt(),
        _ test: @Sendable @escaping (DeliveryServer) async throws -> Value
    ) async throws -> (value: Value, deliveries: [DeliveriesTable.Record]) {
        try await run(try makeDelivery(file, store), test)
    }

    /// Runs a test against a server of any Delivery.
    static func run<Value: Sendable>(
        _ delivery: Delivery, _ test: @Sendable @escaping (DeliveryServer) async throws -> Value
    ) async throws -> (value: Value, deliveries: [DeliveriesTable.Record]) {
        let router = Router(context: BasicConnectionContext.self)
        DeliveryRoutes(delivery: delivery, operatorToken: operatorToken).add(to: router)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) }, logger: quiet)
        let group = ServiceGroup(configuration: .init(services: [application], logger: quiet))
        let value = try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var iterator = ports.makeAsyncIterator()
            let base = "http://127.0.0.1:\(await iterator.next() ?? 0)/delivery/v1"
            let client = HTTPClient()
            do {
                let value = try await test(DeliveryServer(delivery: delivery, base: base, client: client))
                try await client.shutdown()
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
                return value
            } catch {
                try await client.shutdown()
                await group.triggerGracefulShutdown()
                throw error
            }
        }
        return (value, try await delivery.deliveries(scope, from: Instant(seconds: 0)))
    }

    /// - Parameters:
    ///   - database: By default one of its own.
    ///   - drawn: The number of times that it has drawn random bytes before.
    static func makeDelivery(
        _ file: [UInt8] = Array("0123456789".utf8), _ store: any ReceiptVerifying = OneReceipt(),
        passwords: PasswordGate? = nil, trust: NotificationTrust? = nil, in database: Database? = nil,
        drawn: UInt8 = 0
    ) throws -> Delivery {
        let folder = try TemporaryFolder.make()
        try Data(file).write(to: URL(filePath: "\(folder)/pack"))
        let database = try database ?? Engine.sqliteInMemory.makeDatabase()
        let filter = Product.ID(rawValue: "filter")
        let products = [
            Product(id: filter, type: .nonConsumable, referenceName: "Filter", basePrice: Money(milliunits: 990, .usd)),
            Product(
                id: Product.ID(rawValue: "pass.1week"), type: .nonRenewing, referenceName: "Pass",
                basePrice: Money(milliunits: 990, .usd)),
        ]
        let contents = ["pack", "other"].map { id in
            Content(
                id: Content.ID(rawValue: id), unlockedBy: id == "pack" ? [filter] : [], version: "2.0", file: "pack",
                filename: "Löwe.zip")
        }
        let catalog = DeliveryCatalog([
            .init(app: App(bundleID: app, appleID: 1, name: "Photos", products: products), contents: contents)
        ])
        let number = Mutex(drawn)
        return Delivery(
            database: database, catalog: { catalog }, library: try ContentLibrary(root: folder), verification: store,
            notificationTrust: trust, clock: { Instant(seconds: 1_767_225_600) },
            randomBytes: { count in
                Array(
                    repeating: number.withLock {
                        $0 &+= 1; return $0
                    }, count: count)
            },
            passwordCost: .init(rounds: 16, blockSize: 1, parallelism: 1), passwords: passwords, logger: quiet)
    }
}

/// An answer, read to its end.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    subscript(_ name: String) -> String? { headers.first(name: name) }
}

extension DeliveryServer {
    func ask(
        _ path: String, _ method: HTTPMethod = .GET, headers: [String: String] = [:], bearer: String? = nil,
        json: String? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: "\(base)/\(path)")
        request.method = method
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let bearer { request.headers.add(name: "Authorization", value: "Bearer \(bearer)") }
        if let json { request.body = .bytes(ByteBuffer(string: json)) }
        let response = try await client.execute(request, timeout: .seconds(60))
        let body = try await response.body.collect(upTo: 1 << 30)
        return Answer(status: Int(response.status.code), headers: response.headers, body: Array(body.readableBytesView))
    }

    /// A grant for the content.
    func grant() async throws -> String {
        try await delivery.grant(receipt: "receipt", bundleID: Self.app).token
    }
}

/// A store that knows one authentic receipt.
struct OneReceipt: ReceiptVerifying {
    func verify(receipt: String, password: String?) async throws -> AuthenticReceipt {
        guard receipt == "receipt" else {
            throw DeliveryError(.receiptInvalid, "receipt", "refused with 21002", receiptStatus: 21002)
        }
        let bought = Instant(seconds: 1_767_000_000)
        let purchases = ["filter", "pass.1week"].enumerated().map { index, product in
            VerifiedPurchase(
                productID: Product.ID(rawValue: product), transactionID: TransactionID(rawValue: Int64(index + 1)),
                purchaseDate: bought)
        }
        return AuthenticReceipt(environment: .sandbox, bundleID: DeliveryServer.app, purchases: purchases)
    }
}
