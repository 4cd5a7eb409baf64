import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import Synchronization
import TestSupport
import Testing

/// The order of sending.
struct SendingOrderTests {
    /// Holds callers until a number of them has arrived.
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

    @Test func `notifications of different subscriptions are sent in parallel`() async throws {
        let barrier = Barrier(8)
        let fixture = try await NotifyingShop.make(
            receiver: RecordingReceiver { _, _ in
                await barrier.pass()
                return NotificationOutcome(.success, httpStatus: 200)
            })
        for number in 0..<8 { try await fixture.shop.buy("film.roll", as: "customer \(number)") }
        // Returns only if eight of them are in flight at once.
        try await fixture.deliver()
        #expect(await barrier.most == 8)
    }

    @Test func `at most thirty-two notifications are in flight`() async throws {
        let (waiting, atOnce) = (600, 32)
        let barrier = Barrier(atOnce)
        let flying = Mutex((now: 0, most: 0))
        let fixture = try await NotifyingShop.make(
            receiver: RecordingReceiver { _, _ in
                flying.withLock { flying in
                    flying.now += 1
                    flying.most = max(flying.most, flying.now)
                }
                await barrier.pass()
                flying.withLock { $0.now -= 1 }
                return NotificationOutcome(.success, httpStatus: 200)
            })
        for number in 0..<waiting { try await fixture.shop.buyAndFinish("film.roll", as: "customer\(number % 10)") }
        // Returns only if all of them are in flight at once.
        try await fixture.deliver()
        #expect(flying.withLock { $0.most } == atOnce)
        #expect(fixture.receiver.deliveries.count == waiting)
    }

    @Test func `one subscription's notifications keep their order while others fail`() async throws {
        let flying = Mutex<[String: Int]>([:])
        let overlaps = Mutex(0)
        let fixture = try await NotifyingShop.make()
        fixture.receiver.answers { delivery, number in
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
            let sold = try await fixture.shop.buy("monthly", as: "customer \(number)")
            for isOn in [false, true, false, true] {
                _ = try await fixture.store.subscriptions.perform(.setAutoRenew(isOn), on: sold.id)
            }
        }
        try await fixture.deliver()
        #expect(overlaps.withLock { $0 } == 0)
        #expect(fixture.receiver.deliveries.count == 30)
        let bySubscription = Dictionary(grouping: fixture.receiver.deliveries) {
            (try? $0.transaction?.originalTransactionId).flatMap { $0 } ?? ""
        }
        for deliveries in bySubscription.values {
            let signed = try deliveries.map { try $0.payload.signedDate }
            #expect(signed == signed.sorted() && Set(signed).count == 5)
        }
    }

    @Test func `the summary of a mass extension comes last`() async throws {
        let fixture = try await NotifyingShop.make()
        for number in 0..<5 { try await fixture.shop.buy("monthly", as: "customer \(number)") }
        let extended = try await fixture.shop.buy("monthly", as: "customer 5")
        for _ in 0..<2 {
            _ = try await fixture.store.extensions.extend(
                extended.id,
                RenewalExtension(
                    days: 1, reason: .other, requestID: try await fixture.store.extensions.freshRequestIdentifier()))
        }
        let request = RenewalExtension(days: 10, reason: .other, requestID: "all")
        _ = try await fixture.store.extensions.extendAll(
            MassExtension(productID: Product.ID(rawValue: "monthly"), request: request), bundleID: TestCatalog.bundleID)
        try await fixture.deliver()
        let told = try fixture.receiver.names
        #expect(told.count == 15)
        #expect(told.filter { $0 == "RENEWAL_EXTENSION/FAILURE" }.count == 1)
        #expect(told.last == "RENEWAL_EXTENSION/SUMMARY")
        #expect(try await fixture.records.allSatisfy { $0.attempts == ["SUCCESS"] })
    }

    @Test func `outcomes are written while another attempt is unanswered`() async throws {
        let barrier = Barrier(2)
        let fixture = try await NotifyingShop.make(
            receiver: RecordingReceiver { _, number in
                if number == 1 { await barrier.pass() }
                return NotificationOutcome(.success, httpStatus: 200)
            })
        for product in ["filter.amber", "film.roll"] { try await fixture.shop.buy(product, as: "buyer of \(product)") }
        async let delivered: Void = fixture.deliver()
        while try await !fixture.records.contains(where: { $0.attempts == ["SUCCESS"] }) { await Task.yield() }
        #expect(try await fixture.records.filter { $0.attempts.isEmpty }.count == 1)
        await barrier.open()
        try await delivered
        #expect(try await fixture.records.allSatisfy { $0.attempts == ["SUCCESS"] })
    }

    @Test func `a dead receiver delays no other receiver`() async throws {
        let barrier = Barrier(1000)
        let fixture = try await NotifyingShop.make(
            receiver: RecordingReceiver { delivery, _ in
                if delivery.url == "https://example.com/dead" { await barrier.pass() }
                return NotificationOutcome(.success, httpStatus: 200)
            })
        try await fixture.store.notifications.configure(
            NotificationSettings(url: "https://example.com/dead"), of: TestCatalog.otherBundleID)
        try await fixture.shop.buy("lens", as: "ann", app: TestCatalog.otherBundleID)
        try await fixture.shop.buy("film.roll", as: "ann")
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self)
        let clock = NotificationScheduler(
            registry: fixture.shop.registry,
            pause: {
                for await _ in ticks { return }
                throw CancellationError()
            }, logger: TestStore.quiet)
        let running = Task { await clock.run() }
        while try await fixture.records.first?.attempts != ["SUCCESS"] { await Task.yield() }
        #expect(fixture.receiver.deliveries.filter { $0.url == "https://example.com/dead" }.count <= 1)
        await barrier.open()
        tick.finish()
        await running.value
    }

    @Test func `notifications are sent right after the commit`() async throws {
        let fixture = try await NotifyingShop.make()
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self)
        let clock = NotificationScheduler(
            registry: fixture.shop.registry,
            pause: {
                for await _ in ticks { return }
                throw CancellationError()
            }, logger: TestStore.quiet)
        let running = Task { await clock.run() }
        try await fixture.shop.buy("film.roll", as: "ann")
        while fixture.receiver.deliveries.isEmpty { await Task.yield() }
        tick.finish()
        await running.value
        #expect(try fixture.receiver.names == ["ONE_TIME_CHARGE"])
    }

    /// The number of waiting notifications: several pages; ten thousand in `make test-long`.
    private static let waiting = ProcessInfo.processInfo.environment["PERENNIAL_LONG"] == nil ? 2_000 : 10_000

    @Test func `thousands of pending notifications survive a restart`() async throws {
        let database = try Engine.sqlite.makeDatabase()
        let first = try await TestStore.open(database)
        try await first.store.notifications.configure(
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
        try await second.store.notifications.sendDue()
        #expect(receiver.deliveries.count == Self.waiting)
        let waiting = try await second.database.read {
            try $0.first("SELECT COUNT(*) FROM notifications WHERE next_attempt IS NOT NULL") { try $0.integer(0) }
        }
        #expect(waiting == 0)
    }
}
