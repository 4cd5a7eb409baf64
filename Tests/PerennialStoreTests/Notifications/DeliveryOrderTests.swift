import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import Synchronization
import TestSupport
import Testing

/// Who waits for whom.
struct DeliveryOrderTests {
    /// Counts those who are inside, and lets them go when so many are there.
    private actor Barrier {
        private let size: Int
        private var waiting: [CheckedContinuation<Void, Never>] = []
        private(set) var most = 0
        private var isOpen = false

        init(_ size: Int) { self.size = size }

        func pass() async {
            most = max(most, waiting.count + 1)
            if isOpen || waiting.count + 1 >= size { return open() }
            await withCheckedContinuation { waiting.append($0) }
        }

        func open() {
            isOpen = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
    }

    @Test func `different subscriptions go at once`() async throws {
        let barrier = Barrier(8)
        let world = try await NotifyingShop.make(
            receiver: RecordingReceiver { _, _ in
                await barrier.pass()
                return NotificationOutcome(.success, httpStatus: 200)
            })
        for number in 0..<8 { try await world.shop.buy("film.roll", as: "customer \(number)") }
        // Returns only if eight of them are on their way at once.
        try await world.deliver()
        #expect(await barrier.most == 8)
    }

    @Test func `thirty-two are on their way at once and no more, however many wait`() async throws {
        let (waiting, atOnce) = (600, 32)
        let barrier = Barrier(atOnce)
        let flying = Mutex((now: 0, most: 0))
        let world = try await NotifyingShop.make(
            receiver: RecordingReceiver { _, _ in
                flying.withLock { flying in
                    flying.now += 1
                    flying.most = max(flying.most, flying.now)
                }
                await barrier.pass()
                flying.withLock { $0.now -= 1 }
                return NotificationOutcome(.success, httpStatus: 200)
            })
        for number in 0..<waiting { try await world.shop.buyAndFinish("film.roll", as: "customer\(number % 10)") }
        // Returns only if all of them may be on their way at once.
        try await world.deliver()
        #expect(flying.withLock { $0.most } == atOnce)
        #expect(world.receiver.deliveries.count == waiting)
    }

    @Test func `one subscription's go one after the other, in order, while others' fail`() async throws {
        let flying = Mutex<[String: Int]>([:])
        let overlaps = Mutex(0)
        let world = try await NotifyingShop.make()
        world.receiver.answers { delivery, number in
            let id = (try? delivery.transaction?.originalTransactionId).flatMap { $0 } ?? ""
            flying.withLock { flying in
                flying[id, default: 0] += 1
                if flying[id, default: 0] > 1 { overlaps.withLock { $0 += 1 } }
            }
            await Task.yield()
            flying.withLock { $0[id, default: 0] -= 1 }
            return NotificationOutcome(number % 3 == 0 ? .timedOut : .success)
        }
        for number in 0..<6 {
            let sold = try await world.shop.buy("monthly", as: "customer \(number)")
            for isOn in [false, true, false, true] {
                _ = try await world.store.act(.setAutoRenew(isOn), on: sold.id)
            }
        }
        try await world.deliver()
        #expect(overlaps.withLock { $0 } == 0)
        #expect(world.receiver.deliveries.count == 30)
        let bySubscription = Dictionary(grouping: world.receiver.deliveries) {
            (try? $0.transaction?.originalTransactionId).flatMap { $0 } ?? ""
        }
        for deliveries in bySubscription.values {
            let signed = try deliveries.map { try $0.payload.signedDate }
            #expect(signed == signed.sorted() && Set(signed).count == 5)
        }
    }

    @Test func `the summary of a mass extension comes behind all that it sums up`() async throws {
        let world = try await NotifyingShop.make()
        for number in 0..<5 { try await world.shop.buy("monthly", as: "customer \(number)") }
        let extended = try await world.shop.buy("monthly", as: "customer 5")
        for _ in 0..<2 {
            _ = try await world.store.extendRenewal(
                extended.id,
                RenewalExtension(days: 1, reason: .other, requestID: try await world.store.freshRequestIdentifier()))
        }
        let request = RenewalExtension(days: 10, reason: .other, requestID: "all")
        _ = try await world.store.extendAll(
            MassExtension(productID: Product.ID(rawValue: "monthly"), request: request), bundleID: TestCatalog.bundleID)
        try await world.deliver()
        let told = try world.receiver.names
        #expect(told.count == 15)
        #expect(told.filter { $0 == "RENEWAL_EXTENSION/FAILURE" }.count == 1)
        #expect(told.last == "RENEWAL_EXTENSION/SUMMARY")
        #expect(try await world.records.allSatisfy { $0.attempts == ["SUCCESS"] })
    }

    @Test func `what has arrived is known while another attempt goes unanswered`() async throws {
        let barrier = Barrier(2)
        let world = try await NotifyingShop.make(
            receiver: RecordingReceiver { _, number in
                if number == 1 { await barrier.pass() }
                return NotificationOutcome(.success, httpStatus: 200)
            })
        for product in ["filter.amber", "film.roll"] { try await world.shop.buy(product, as: "buyer of \(product)") }
        async let delivered: Void = world.deliver()
        while try await !world.records.contains(where: { $0.attempts == ["SUCCESS"] }) { await Task.yield() }
        #expect(try await world.records.filter { $0.attempts.isEmpty }.count == 1)
        await barrier.open()
        try await delivered
        #expect(try await world.records.allSatisfy { $0.attempts == ["SUCCESS"] })
    }

    @Test func `a dead receiver delays nobody else: others are told while it does not answer`() async throws {
        let barrier = Barrier(1000)
        let world = try await NotifyingShop.make(
            receiver: RecordingReceiver { delivery, _ in
                if delivery.url == "https://example.com/dead" { await barrier.pass() }
                return NotificationOutcome(.success, httpStatus: 200)
            })
        try await world.store.setNotifications(
            NotificationSettings(url: "https://example.com/dead"), of: TestCatalog.otherBundleID)
        try await world.shop.buy("lens", as: "ann", app: TestCatalog.otherBundleID)
        try await world.shop.buy("film.roll", as: "ann")
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self)
        let clock = NotificationClock(
            registry: world.shop.registry,
            pause: {
                for await _ in ticks { return }
                throw CancellationError()
            }, logger: TestStore.quiet)
        let running = Task { await clock.run() }
        while try await world.records.first?.attempts != ["SUCCESS"] { await Task.yield() }
        #expect(world.receiver.deliveries.filter { $0.url == "https://example.com/dead" }.count <= 1)
        await barrier.open()
        tick.finish()
        await running.value
    }

    @Test func `what happens is told at once, not when the clock next looks`() async throws {
        let world = try await NotifyingShop.make()
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self)
        let clock = NotificationClock(
            registry: world.shop.registry,
            pause: {
                for await _ in ticks { return }
                throw CancellationError()
            }, logger: TestStore.quiet)
        let running = Task { await clock.run() }
        try await world.shop.buy("film.roll", as: "ann")
        while world.receiver.deliveries.isEmpty { await Task.yield() }
        tick.finish()
        await running.value
        #expect(try world.receiver.names == ["ONE_TIME_CHARGE"])
    }

    /// Several pages of what is due; ten thousand where there is time: `make test-long`.
    private static let waiting = ProcessInfo.processInfo.environment["PERENNIAL_LONG"] == nil ? 2_000 : 10_000

    @Test func `thousands that wait survive, and are sent by whoever comes next`() async throws {
        let database = try Engine.sqlite.makeDatabase()
        let first = try await TestStore.open(database)
        try await first.store.setNotifications(
            NotificationSettings(url: "https://example.com/hook"), of: TestCatalog.bundleID)
        try await first.database.write { connection in
            let records = (1...Self.waiting).map { number in
                NotificationRecord(
                    key: .init(position: Int64(number), part: 0), uuid: "\(number)", version: 2,
                    type: NotificationType.oneTimeCharge.rawValue, subtype: nil, account: Account.ID(rawValue: 1),
                    originalID: TransactionID(rawValue: Int64(number)),
                    transactionID: TransactionID(rawValue: Int64(number)), signed: TestStore.opening,
                    nextAttempt: TestStore.opening)
            }
            try NotificationsTable.insert(
                records, app: TestCatalog.magazine().appleID, first.store.environment.id, on: connection)
        }
        let receiver = RecordingReceiver()
        let second = try await TestStore.open(database, sender: receiver, seed: 2)
        try await second.store.deliverNotifications()
        #expect(receiver.deliveries.count == Self.waiting)
        let waiting = try await second.database.read {
            try $0.first("SELECT COUNT(*) FROM notifications WHERE next_attempt IS NOT NULL") { try $0.integer(0) }
        }
        #expect(waiting == 0)
    }
}
