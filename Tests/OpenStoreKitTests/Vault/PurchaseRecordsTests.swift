import Foundation
import OpenStoreKit
import Testing

struct PurchaseRecordsTests {
    let device: Device
    let store = FakeStore()

    init() throws {
        self.device = try Device()
    }

    /// Runs the app to buy and finish products, and returns its records.
    private func life(
        on device: Device? = nil, buying products: [String] = [], files: FolderStore? = nil,
        receiptChecking: (any ReceiptChecking)? = nil
    ) async -> (records: [String], condition: PurchaseVault.Condition) {
        let device = device ?? self.device
        let queue = SKPaymentQueue(
            connection: device.connection(store, files: files, receiptChecking: receiptChecking))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.settle()
        for product in products { await queue.buy(product) }
        await queue.close()
        return (queue.vault.records.map(\.productIdentifier), queue.vault.condition)
    }

    @Test func `finished purchases are recorded with their receipts`() async {
        _ = await life(buying: ["coins", "filter"])
        let queue = SKPaymentQueue(connection: device.connection(store))
        #expect(queue.vault.records.map(\.productIdentifier) == ["coins", "filter"])
        #expect(queue.vault.records.map(\.transactionReceipt).allSatisfy { $0 != nil })
        #expect(queue.vault.condition == .intact)
    }

    @Test func `the device's key has 32 bytes and mode 0600`() async throws {
        _ = await life(buying: ["coins"])
        for name in ["device.key", "vault", "queue"] {
            let path = device.files.folder.appendingPathComponent(name).path
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? NSNumber == 0o600, "\(name)")
        }
        #expect(try device.files.read("device.key")?.count == 32)
    }

    @Test func `a file with a flipped bit is refused and rebuilt from the store`() async throws {
        store.set { $0.types["filter"] = "nonConsumable" }
        _ = await life(buying: ["coins", "filter"])
        let intact = try #require(try device.files.read("vault"))
        for position in stride(from: 0, to: intact.count, by: max(1, intact.count / 24)) {
            var tampered = intact
            tampered[position] ^= 4
            try device.files.write(tampered, to: "vault")
            let queue = SKPaymentQueue(connection: device.connection(store))
            #expect(queue.vault.condition == .refused, "byte \(position)")
            #expect(queue.vault.records.isEmpty)
        }
        let (records, condition) = await life()
        // The store doesn't give consumables back.
        #expect(records == ["filter"])
        #expect(condition == .rebuilt)
        #expect(await life().condition == .intact)
    }

    @Test func `a rollback is refused`() async throws {
        _ = await life(buying: ["coins"])
        let old = try #require(try device.files.read("vault"))
        _ = await life(buying: ["coins"])
        try device.files.write(old, to: "vault")
        #expect(SKPaymentQueue(connection: device.connection(store)).vault.condition == .refused)
        try device.files.remove("vault.number")
        #expect(SKPaymentQueue(connection: device.connection(store)).vault.condition == .refused)
    }

    @Test func `a deleted file is detected`() async throws {
        _ = await life(buying: ["coins"])
        try device.files.remove("vault")
        #expect(SKPaymentQueue(connection: device.connection(store)).vault.condition == .refused)
    }

    @Test func `another device's files are refused, even with its key`() async throws {
        _ = await life(buying: ["coins"])
        let other = try Device()
        let queue = SKPaymentQueue(connection: other.connection(store, files: device.files))
        #expect(queue.vault.condition == .refused)
        #expect(queue.vault.records.isEmpty)
    }

    @Test func `a refused file is rebuilt once there is a network`() async throws {
        store.set { $0.types["filter"] = "nonConsumable" }
        _ = await life(buying: ["filter"])
        try device.files.remove("vault")
        store.set { $0.isOffline = true }
        #expect(await life().condition == .refused)
        store.set { $0.isOffline = false }
        #expect(await life().records == ["filter"])
    }

    @Test func `a journal that was edited grants nothing`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await queue.buy("coins")
        await queue.close()
        var journal = try #require(try device.files.read("queue"))
        #expect(journal.range(of: Data("coins".utf8)) == nil)
        journal[journal.count - 40] ^= 1
        try device.files.write(journal, to: "queue")
        let next = SKPaymentQueue(connection: device.connection(store))
        let second = Recorder()
        next.add(second)
        await next.settle()
        // What was paid comes from the store again, as it was.
        #expect(second.log == ["purchased coins"])
        #expect(second.last?.payment.quantity == 1)
    }

    @Test func `the app receipt is on disk when a purchase is reported`() async throws {
        final class Reader: NSObject, SKPaymentTransactionObserver, Sendable {
            let recorder = Recorder()
            func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
                guard transactions.contains(where: { $0.transactionState == .purchased }) else { return }
                let receipt = queue.connection.map { try? String(contentsOf: $0.appStoreReceiptURL, encoding: .utf8) }
                recorder.write((receipt ?? nil) ?? "none")
            }
        }
        let connection = StoreConnection(
            baseURL: try #require(URL(string: "http://store.test")), bundleID: "com.example.magazine",
            account: "ann@example.com", deviceID: device.identifier, storageFolder: device.folder, transport: store,
            dependencies: .test())
        let queue = SKPaymentQueue(connection: connection)
        let reader = Reader()
        queue.add(reader)
        await queue.buy("coins")
        #expect(reader.recorder.log == ["receipt 1"])
        try await connection.refreshReceipt()
        #expect(try String(contentsOf: connection.appStoreReceiptURL, encoding: .utf8) == "receipt 2")
    }

    @Test func `a receipt that fails the check doesn't replace the old one`() async throws {
        struct Checking: ReceiptChecking {
            func check(_ receipt: Data, bundleID: String, deviceID: UUID) throws -> [PurchaseRecord] {
                if receipt == Data("receipt 2".utf8) { throw SKError(.unknown) }
                return []
            }
        }
        let connection = device.connection(store, receiptChecking: Checking())
        try await connection.refreshReceipt()
        await #expect(throws: SKError.self) { try await connection.refreshReceipt() }
        #expect(try device.files.read("receipt") == Data("receipt 1".utf8))
    }
}
