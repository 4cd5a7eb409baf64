import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore
import Synchronization
import TestSupport
import Testing

/// Nodes that share a database take turns with an app's notifications.
struct TwoNodeDeliveryTests {
    private struct Nodes {
        let one: TestStore
        let two: TestStore
        let first: RecordingReceiver
        let second: RecordingReceiver

        /// - Parameters:
        ///   - name: Where they serve: `Sandbox`, or one that is made, whose clock is moved.
        ///   - pause: What the second does while it waits for the first.
        init(
            on engine: Engine, _ name: String = "Sandbox",
            pause: @escaping @Sendable (TestClock) async throws -> Void = { _ in await Task.yield() }
        ) async throws {
            let database = try engine.makeDatabase()
            (first, second) = (RecordingReceiver(), RecordingReceiver())
            let node = try await TestStore.open(database, sender: first)
            let other = try await TestStore.open(database, sender: second, seed: 2, turnPause: pause)
            if name != "Sandbox" {
                _ = try await node.registry.makeEnvironment(
                    name, kind: .production, clock: .manual, now: NotifyingShop.start)
            }
            (one, two) = (try await node.environment(name), try await other.environment(name))
            try await one.store.setNotifications(
                NotificationSettings(url: "https://example.com/hook"), of: TestCatalog.bundleID)
        }

        /// Has the first node begin to deliver, and stand still before a door with what it has sent.
        ///
        /// - Parameter outcome: What becomes of the attempt when the door is opened.
        func begin(_ outcome: NotificationOutcome, behind door: Door) async throws -> Task<Bool, any Error> {
            let (came, arrival) = AsyncStream.makeStream(of: Void.self)
            first.answers { _, _ in
                arrival.yield()
                await door.pass()
                return outcome
            }
            try await one.buy("film.roll", as: "ann")
            let delivering = Task { try await one.store.deliverNotifications(app: TwoNodeDeliveryTests.app) }
            for await _ in came { break }
            return delivering
        }

        var uuids: [String] {
            get throws { try (first.deliveries + second.deliveries).map { try $0.payload.notificationUUID } }
        }
    }

    /// Lets those wait who come before it is opened.
    private actor Door {
        private var isOpen = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func pass() async {
            guard !isOpen else { return }
            await withCheckedContinuation { waiting.append($0) }
        }

        func open() {
            isOpen = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
    }

    private static let app = TestCatalog.magazine().appleID

    @Test(arguments: Engine.allCases)
    func `two nodes at once send each notification once, in its subscription's order`(engine: Engine) async throws {
        let nodes = try await Nodes(on: engine)
        for number in 0..<10 {
            let sold = try await nodes.one.buy("monthly", as: "customer \(number)")
            for isOn in [false, true, false] { _ = try await nodes.two.store.act(.setAutoRenew(isOn), on: sold.id) }
        }
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<3 {
                group.addTask { try await nodes.one.store.deliverNotifications() }
                group.addTask { try await nodes.two.store.deliverNotifications() }
            }
        }
        #expect(try nodes.uuids.count == 40)
        #expect(try Set(nodes.uuids).count == 40)
        let byCustomer = Dictionary(grouping: nodes.first.deliveries + nodes.second.deliveries) {
            (try? $0.transaction?.originalTransactionId).flatMap { $0 } ?? ""
        }
        #expect(byCustomer.count == 10)
        for deliveries in byCustomer.values {
            let signed = try deliveries.map { try $0.payload.signedDate }
            #expect(signed == signed.sorted())
        }
    }

    @Test(arguments: Engine.allCases)
    func `while one node delivers the other sends nothing, and says so`(engine: Engine) async throws {
        let (nodes, door) = (try await Nodes(on: engine), Door())
        let delivering = try await nodes.begin(.init(.success, httpStatus: 200), behind: door)
        #expect(try await nodes.two.store.deliverNotifications(app: Self.app) == false)
        #expect(nodes.second.deliveries.isEmpty)
        await door.open()
        #expect(try await delivering.value)
        #expect(try await nodes.two.store.deliverNotifications(app: Self.app))
        #expect(nodes.second.deliveries.isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func `a node that is gone leaves its turn to others, and is not listened to when it comes back`(engine: Engine)
        async throws
    {
        let (nodes, door) = (try await Nodes(on: engine), Door())
        let late = try await nodes.begin(.init(.timedOut), behind: door)
        nodes.two.clock.advance(by: NotificationSettings.defaultTimeout)
        #expect(try await nodes.two.store.deliverNotifications(app: Self.app) == false)
        nodes.two.clock.advance(by: .minutes(1))
        #expect(try await nodes.two.store.deliverNotifications(app: Self.app))
        #expect(try Set(nodes.uuids).count == 1)
        #expect(nodes.second.deliveries.count == 1)
        await door.open()
        #expect(try await late.value == false)
        let told = try await nodes.two.store.notifications(of: TestCatalog.bundleID, limit: 10)
        #expect(told.map { $0.attempts.map(\.result) } == [["SUCCESS"]])
    }

    /// A turn is as long as its longest attempt and no longer than a short while after it, so many attempts there may be.
    @Test(arguments: Engine.allCases)
    func `a node at work keeps its turn from one attempt to the next`(engine: Engine) async throws {
        let nodes = try await Nodes(on: engine)
        let taken = Mutex<[Bool]>([])
        let sold = try await nodes.one.buy("monthly", as: "ann")
        for isOn in [false, true, false] { _ = try await nodes.one.store.act(.setAutoRenew(isOn), on: sold.id) }
        // Each attempt takes nearly as long as it may; they go one after the other, being of one subscription.
        nodes.first.answers { _, _ in
            nodes.one.clock.advance(by: NotificationSettings.defaultTimeout - 1)
            nodes.two.clock.advance(by: NotificationSettings.defaultTimeout - 1)
            let isOurs = try? await nodes.two.store.deliverNotifications(app: Self.app)
            taken.withLock { $0.append(isOurs ?? true) }
            return NotificationOutcome(.success, httpStatus: 200)
        }
        #expect(try await nodes.one.store.deliverNotifications(app: Self.app))
        #expect(taken.withLock { $0 } == [false, false, false, false])
        #expect(nodes.second.deliveries.isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func `a clock that is moved waits until the other node has delivered`(engine: Engine) async throws {
        let door = Door()
        let nodes = try await Nodes(on: engine, "lab") { _ in await door.open() }
        let delivering = try await nodes.begin(.init(.success, httpStatus: 200), behind: door)
        _ = try await nodes.two.store.advanceClock(to: NotifyingShop.start + .hours(1))
        #expect(nodes.second.deliveries.isEmpty)
        #expect(try await delivering.value)
        let told = try await nodes.two.store.notifications(of: TestCatalog.bundleID, limit: 10)
        #expect(told.map { $0.attempts.map(\.at) } == [[NotifyingShop.start]])
    }

    @Test(arguments: Engine.allCases)
    func `a clock that is moved waits for a node that is gone until its claim ends`(engine: Engine) async throws {
        let door = Door()
        let nodes = try await Nodes(on: engine, "lab") { $0.advance(by: .seconds(1)) }
        let late = try await nodes.begin(.init(.timedOut), behind: door)
        let before = nodes.two.clock.now
        _ = try await nodes.two.store.advanceClock(to: NotifyingShop.start + .hours(1))
        #expect(nodes.second.deliveries.count == 1)
        #expect(nodes.two.clock.now - before == .seconds(25))
        await door.open()
        #expect(try await late.value == false)
    }
}
