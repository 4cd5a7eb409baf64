import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore
import Synchronization
import TestSupport
import Testing

/// Nodes on one database that send an app's notifications.
struct TwoNodeSendingTests {
    private struct Nodes {
        let one: TestStore
        let two: TestStore
        let first: RecordingReceiver
        let second: RecordingReceiver

        /// - Parameters:
        ///   - name: The environment: `Sandbox`, or a new one with a manual clock.
        ///   - pause: Runs while the second node waits for the first.
        init(
            on engine: Engine, _ name: String = "Sandbox",
            pause: @escaping @Sendable (TestClock) async throws -> Void = { _ in await Task.yield() }
        ) async throws {
            let database = try engine.makeDatabase()
            (first, second) = (RecordingReceiver(), RecordingReceiver())
            let node = try await TestStore.open(database, sender: first)
            let other = try await TestStore.open(database, sender: second, seed: 2, leasePollInterval: pause)
            if name != "Sandbox" {
                _ = try await node.registry.makeEnvironment(
                    name, kind: .production, clock: .manual, now: NotifyingShop.start)
            }
            (one, two) = (try await node.environment(name), try await other.environment(name))
            // On SQLite, the second node's start removes the registration of an earlier process.
            try await one.registry.nodes.beat()
            try await one.store.notifications.configure(
                NotificationSettings(url: "https://example.com/hook"), of: TestCatalog.bundleID)
        }

        /// Starts sending on the first node and stops it at a door.
        ///
        /// - Parameter outcome: The attempt's outcome when the door opens.
        func begin(_ outcome: NotificationOutcome, behind door: Door) async throws -> Task<Bool, any Error> {
            let (came, arrival) = AsyncStream.makeStream(of: Void.self)
            first.answers { _, _ in
                arrival.yield()
                await door.pass()
                return outcome
            }
            try await one.buy("film.roll", as: "ann")
            let delivering = Task { try await one.store.notifications.sendDue(app: TwoNodeSendingTests.app) }
            for await _ in came { break }
            return delivering
        }

        var uuids: [String] {
            get throws { try (first.deliveries + second.deliveries).map { try $0.payload.notificationUUID } }
        }
    }

    /// Holds callers until it is opened.
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
    func `two nodes send each notification once and in order`(engine: Engine) async throws {
        let nodes = try await Nodes(on: engine)
        for number in 0..<10 {
            let sold = try await nodes.one.buy("monthly", as: "customer \(number)")
            for isOn in [false, true, false] {
                _ = try await nodes.two.store.subscriptions.perform(.setAutoRenew(isOn), on: sold.id)
            }
        }
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<3 {
                group.addTask { try await nodes.one.store.notifications.sendDue() }
                group.addTask { try await nodes.two.store.notifications.sendDue() }
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
    func `a node doesn't send while another one does`(engine: Engine) async throws {
        let (nodes, door) = (try await Nodes(on: engine), Door())
        let delivering = try await nodes.begin(.init(.success, httpStatus: 200), behind: door)
        #expect(try await nodes.two.store.notifications.sendDue(app: Self.app) == false)
        #expect(nodes.second.deliveries.isEmpty)
        await door.open()
        #expect(try await delivering.value)
        #expect(try await nodes.two.store.notifications.sendDue(app: Self.app))
        #expect(nodes.second.deliveries.isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func `a dead node's sending lease is freed and can't be used again`(engine: Engine)
        async throws
    {
        let (nodes, door) = (try await Nodes(on: engine), Door())
        let late = try await nodes.begin(.init(.timedOut), behind: door)
        for _ in 0..<5 {
            try await nodes.two.registry.nodes.observe()
            nodes.two.clock.advance(by: 500)
        }
        #expect(try await nodes.two.store.notifications.sendDue(app: Self.app) == false)
        nodes.two.clock.advance(by: .seconds(1))
        try await nodes.two.registry.nodes.observe()
        #expect(try await nodes.two.store.notifications.sendDue(app: Self.app))
        #expect(try Set(nodes.uuids).count == 1)
        #expect(nodes.second.deliveries.count == 1)
        await door.open()
        #expect(try await late.value == false)
        let told = try await nodes.two.store.notifications.newest(of: TestCatalog.bundleID, limit: 10)
        #expect(told.map { $0.attempts.map(\.result) } == [["SUCCESS"]])
    }

    /// A node relies on its lease for a few seconds only, so it beats between attempts.
    @Test(arguments: Engine.allCases)
    func `a sending node keeps its lease between attempts`(engine: Engine) async throws {
        let nodes = try await Nodes(on: engine)
        let taken = Mutex<[Bool]>([])
        let sold = try await nodes.one.buy("monthly", as: "ann")
        for isOn in [false, true, false] {
            _ = try await nodes.one.store.subscriptions.perform(.setAutoRenew(isOn), on: sold.id)
        }
        // Each attempt takes nearly its whole time-out. They follow each other, because they are of one subscription.
        nodes.first.answers { _, _ in
            nodes.one.clock.advance(by: NotificationSettings.defaultTimeout - 1)
            nodes.two.clock.advance(by: NotificationSettings.defaultTimeout - 1)
            let isOurs = try? await nodes.two.store.notifications.sendDue(app: Self.app)
            taken.withLock { $0.append(isOurs ?? true) }
            return NotificationOutcome(.success, httpStatus: 200)
        }
        #expect(try await nodes.one.store.notifications.sendDue(app: Self.app))
        #expect(taken.withLock { $0 } == [false, false, false, false])
        #expect(nodes.second.deliveries.isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func `a clock advance waits until another node has sent`(engine: Engine) async throws {
        let door = Door()
        let nodes = try await Nodes(on: engine, "lab") { _ in await door.open() }
        let delivering = try await nodes.begin(.init(.success, httpStatus: 200), behind: door)
        _ = try await nodes.two.store.clock.advance(to: NotifyingShop.start + .hours(1))
        #expect(nodes.second.deliveries.isEmpty)
        #expect(try await delivering.value)
        let told = try await nodes.two.store.notifications.newest(of: TestCatalog.bundleID, limit: 10)
        #expect(told.map { $0.attempts.map(\.at) } == [[NotifyingShop.start]])
    }

    @Test(arguments: Engine.allCases)
    func `a clock advance waits until another node is dead`(engine: Engine) async throws {
        let door = Door()
        let nodes = try await Nodes(on: engine, "lab") { $0.advance(by: .seconds(1)) }
        let late = try await nodes.begin(.init(.timedOut), behind: door)
        let before = nodes.two.clock.now
        _ = try await nodes.two.store.clock.advance(to: NotifyingShop.start + .hours(1))
        #expect(nodes.second.deliveries.count == 1)
        #expect((.seconds(3)...(.seconds(5))).contains(nodes.two.clock.now - before))
        await door.open()
        #expect(try await late.value == false)
    }
}
