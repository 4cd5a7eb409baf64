import Foundation
import OpenStoreKit
import Synchronization
import TestRandomness
import Testing

/// Many short runs of an app with lost, delayed and garbled answers, crashes between any two steps, and files that are damaged or
/// can't be read for a while.
///
/// Each wanted purchase is paid once, delivered, and finished only after its delivery. A finished one isn't delivered again.
struct RandomFaultTests {
    /// Products that a customer wants, with their quantities.
    static let wishes = ["coins": 3, "filter": 1, "pass.1week": 1]
    static let types = ["coins": "consumable", "filter": "nonConsumable", "pass.1week": "nonRenewing"]

    private final class World {
        let device: Device
        let files = MemoryFiles()
        let store = FakeStore()
        let ledger = Ledger()
        let observers = Observers()
        var generator: SeededGenerator
        let seed: UInt64
        var recordsWereDamaged = false

        init(seed: UInt64) throws {
            self.device = try Device()
            self.seed = seed
            self.generator = SeededGenerator(seed: seed)
            store.set { $0.types = RandomFaultTests.types }
        }

        /// Returns the number of delivered pieces of a product.
        func has(_ product: String) -> Int {
            let delivered = Set(ledger.delivered)
            return store.state.withLock { state in
                state.sales.filter { delivered.contains($0.id) && $0.body["productId"] as? String == product }.count
            }
        }

        /// Returns the missing products in random order.
        func wanted() -> [String] {
            RandomFaultTests.wishes.keys.sorted().shuffled(using: &generator).filter {
                has($0) < RandomFaultTests.wishes[$0, default: 0]
            }
        }

        func damageRecords() throws {
            guard Int.random(in: 0..<4, using: &generator) == 0, let bytes = try files.read("vault") else { return }
            recordsWereDamaged = true
            var broken = bytes
            broken[Int.random(in: 0..<bytes.count, using: &generator)] ^= 1
            try files.write(broken, to: "vault")
        }

        func connection(_ transport: any Transport, files: any FileStore) -> StoreConnection {
            device.connection(transport, files: files, receiptChecking: StoreReading(store: store))
        }
    }

    /// Runs the app once: buys the missing products, and buys again after failed payments.
    private func live(_ world: World, isCalm: Bool) async throws {
        let lifeSeed = world.generator.next()
        let step = isCalm ? Int.max : Int.random(in: 1...120, using: &world.generator)
        let crash = CrashPoint(atStep: step)
        var failures: [String: Int] = [:]
        if !isCalm, Int.random(in: 0..<3, using: &world.generator) == 0 {
            let name =
                ["queue", "queue.number", "vault", "vault.number", "device.key"]
                .randomElement(using: &world.generator) ?? "queue"
            failures[name] = Int.random(in: 1...2, using: &world.generator)
        }
        world.store.set { $0.isDeclining = !isCalm && lifeSeed.isMultiple(of: 4) }
        let transport = RandomFaults(world.store, ledger: world.ledger, crash: crash, seed: lifeSeed, isCalm: isCalm)
        let files = StumblingFiles(CrashingFiles(files: world.files, crash: crash), failures: failures)
        let queue = SKPaymentQueue(connection: world.connection(transport, files: files))
        let app = DeliveringApp(world.ledger, crash, seed: isCalm ? 1 : lifeSeed)
        world.observers.hold(app)
        queue.add(app)
        await queue.settle()
        for _ in 0..<(isCalm ? 12 : 4) where !crash.hasCrashed {
            // Who sees that a purchase is under way waits for it.
            if queue.transactions.contains(where: { $0.transactionState == .purchasing }) || isCalm {
                await queue.synchronize()
            }
            for product in world.wanted() where !crash.hasCrashed {
                guard !queue.transactions.contains(where: { $0.payment.productIdentifier == product }) else { continue }
                let payment = SKMutablePayment()
                payment.productIdentifier = product
                queue.add(payment)
                if Bool.random(using: &world.generator) { await queue.settle() }
            }
            await queue.settle()
            if Bool.random(using: &world.generator) || isCalm { app.finishAll(queue) }
            if Int.random(in: 0..<3, using: &world.generator) == 0 { await queue.synchronize() }
        }
        await queue.settle()
        await queue.close()
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `each purchase is paid once, delivered, then finished, despite any fault`(seed: UInt64) async throws {
        let world = try World(seed: seed)
        for _ in 0..<5 {
            try await live(world, isCalm: false)
            try world.damageRecords()
        }
        for _ in 0..<2 { try await live(world, isCalm: true) }
        let sold = world.store.state.withLock { $0.sales.map(\.id) }
        #expect(world.ledger.violations == [])
        for (product, count) in Self.wishes {
            let charges = world.store.state.withLock { state in
                state.sales.filter { $0.body["productId"] as? String == product }.count
            }
            #expect(charges == count, "\(product) was paid \(charges) times")
        }
        #expect(Set(world.ledger.delivered) == Set(sold))
        #expect(Set(world.store.finished) == Set(sold))
        let queue = SKPaymentQueue(connection: world.connection(world.store, files: world.files))
        if !world.recordsWereDamaged {
            #expect(Set(queue.vault.records.map(\.transactionIdentifier)) == Set(sold))
        }
    }
}

/// Reads the receipts of the fake store: all purchases, consumables until they are finished.
struct StoreReading: ReceiptChecking {
    let store: FakeStore

    func check(_ receipt: Data, bundleID: String, deviceID: UUID) throws -> [PurchaseRecord] {
        store.state.withLock { state in
            state.sales.compactMap { sale in
                let product = sale.body["productId"] as? String ?? ""
                let type = state.types[product] ?? "consumable"
                guard type != "consumable" || !sale.isFinished else { return nil }
                return PurchaseRecord(
                    transactionIdentifier: sale.id, originalTransactionIdentifier: sale.id,
                    productIdentifier: product, productType: type, quantity: 1,
                    purchaseDate: Date(timeIntervalSince1970: 1_767_225_600))
            }
        }
    }
}
