import AppStoreFormats
import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// Nodes on one PostgreSQL database. Each has a clock of its own, which stands for the time that it sees pass.
struct NodeLeaseTests {
    private static let renewals = LeasesTable.Key(.renewals, .sandbox)

    /// Opens nodes that take part in background work.
    private static func nodes(
        _ count: Int, faults: (@Sendable (FaultPoint) throws -> Void)? = nil
    ) async throws -> [TestStore] {
        let location = try Engine.postgres.makeLocation()
        var nodes: [TestStore] = []
        for number in 0..<count {
            var options = DatabaseOptions.forTests
            if number == 0 { options.faults = faults }
            let database = try Database(location, options: options)
            try database.migrate()
            let node = try await TestStore.open(database, seed: UInt64(number + 1))
            node.registry.nodes.startWorking()
            nodes.append(node)
        }
        return nodes
    }

    /// Passes time on some nodes, which beat and divide the work twice a second.
    private static func pass(_ milliseconds: Int64, on nodes: [TestStore]) async throws {
        try await TestStore.pass(milliseconds, on: nodes)
    }

    private static func leases(_ node: TestStore) async throws -> [LeasesTable.Key: Int64] {
        let held = try await node.database.read { try LeasesTable.held(on: $0) }
        return Dictionary(uniqueKeysWithValues: held.map { ($0.key, $0.node) })
    }

    /// Returns the node with the lease on Sandbox's renewals, and another one.
    private static func renewing(
        _ nodes: [TestStore]
    ) throws -> (worker: TestStore, other: TestStore, lease: WorkLease) {
        let worker = try #require(nodes.first { $0.registry.nodes.lease(renewals) != nil })
        let other = try #require(nodes.first { $0.registry.nodes.lease(renewals) == nil })
        return (worker, other, try #require(worker.registry.nodes.lease(renewals)))
    }

    private static func renewalCount(_ node: TestStore) async throws -> Int64 {
        try await node.database.read { connection in
            try connection.first("SELECT COUNT(*) FROM journal WHERE kind = 'renewed'") { try $0.integer(0) } ?? 0
        }
    }

    @Test func `the background work is divided between live nodes`() async throws {
        let nodes = try await Self.nodes(3)
        try await nodes[0].buy("film.roll", as: "ann")
        try await Self.pass(3_000, on: nodes)
        let leases = try await Self.leases(nodes[0])
        // Three kinds of work in Production and in Sandbox, and the roll-ups of one app.
        #expect(leases.count == 7)
        let ids = nodes.compactMap(\.registry.nodes.id)
        #expect(Set(leases.values) == Set(ids))
        #expect(Dictionary(grouping: leases.values) { $0 }.values.map(\.count).sorted() == [2, 2, 3])
        let statuses = try await nodes[1].registry.nodeStatuses()
        #expect(statuses.map(\.node.id) == ids)
        #expect(statuses.map(\.isThis) == [false, true, false])
        #expect(statuses.flatMap(\.works).count == 7)
        #expect(statuses.flatMap(\.works).compactMap(\.bundleID) == [TestCatalog.bundleID])
    }

    @Test func `a dead node's work moves within five seconds`() async throws {
        let nodes = try await Self.nodes(3)
        try await Self.pass(3_000, on: nodes)
        let dead = try #require(nodes[2].registry.nodes.id)
        #expect(try await Self.leases(nodes[0]).values.contains(dead))
        try await Self.pass(4_500, on: [nodes[0], nodes[1]])
        let leases = try await Self.leases(nodes[0])
        #expect(leases.count == 6)
        #expect(!leases.values.contains(dead))
        #expect(try await nodes[0].registry.nodeStatuses().count == 2)
    }

    @Test func `a live node frees leases that it acquired without an answer`() async throws {
        let nodes = try await Self.nodes(2)
        try await Self.pass(1_000, on: nodes)
        let key = LeasesTable.Key(.notifications, .sandbox, app: 1)
        var lease: WorkLease?
        do {
            let (new, node) = try await nodes[0].registry.nodes.newLease(key)
            let isTaken = try await nodes[0].database.write { connection in
                try LeasesTable.acquire(key, node: node, token: try #require(new.token), on: connection)
            }
            #expect(isTaken)
            lease = new
        }
        try await Self.pass(1_000, on: nodes)
        #expect(try await Self.leases(nodes[1])[key] == nodes[0].registry.nodes.id)
        _ = lease
        // The task that held it ended with an error, and released nothing.
        lease = nil
        try await Self.pass(1_000, on: nodes)
        #expect(try await Self.leases(nodes[1])[key] == nil)
    }

    @Test func `a node that leaves frees its work at once`() async throws {
        let nodes = try await Self.nodes(2)
        try await Self.pass(2_000, on: nodes)
        try await nodes[1].registry.nodes.leave()
        #expect(nodes[1].registry.nodes.lease(Self.renewals) == nil)
        try await Self.pass(500, on: [nodes[0]])
        #expect(try await Set(Self.leases(nodes[0]).values) == [try #require(nodes[0].registry.nodes.id)])
    }

    @Test func `a paused node that comes back renews nothing`() async throws {
        let nodes = try await Self.nodes(2)
        try await Self.pass(2_000, on: nodes)
        let (paused, other, old) = try Self.renewing(nodes)
        for name in ["ann", "ben", "cem"] { try await paused.buy("monthly", as: name) }
        for node in nodes { node.clock.advance(by: .days(2)) }
        // The paused node sees no time pass; the other one takes over and renews.
        try await Self.pass(5_000, on: [other])
        let new = try #require(other.registry.nodes.lease(Self.renewals))
        let before = try await Self.renewalCount(other)
        paused.clock.advance(by: .seconds(5))
        await #expect(throws: LeaseLost(key: Self.renewals)) {
            try await paused.store.renewals.processDue(under: old)
        }
        #expect(try await Self.renewalCount(other) == before)
        try await other.store.renewals.processDue(under: new)
        let renewed = try await Self.renewalCount(other)
        #expect(renewed > before)
        // It learns that it was taken for dead, and begins anew under another number.
        let id = paused.registry.nodes.id
        try await paused.registry.nodes.beat()
        #expect(paused.registry.nodes.id != id)
        #expect(paused.registry.nodes.lease(Self.renewals) == nil)
        try await other.buy("monthly", as: "dan")
        for node in nodes { node.clock.advance(by: .days(2)) }
        await #expect(throws: LeaseLost(key: Self.renewals)) {
            try await paused.store.renewals.processDue(under: old)
        }
        #expect(try await Self.renewalCount(other) == renewed)
    }

    @Test func `a node that is paused inside a transaction keeps its lease until that ends`() async throws {
        let gate = CommitGate()
        let nodes = try await Self.nodes(2) { gate.reach($0) }
        // Alone, so that it has the lease.
        try await Self.pass(1_000, on: [nodes[0]])
        let old = try #require(nodes[0].registry.nodes.lease(Self.renewals))
        try await nodes[0].buy("monthly", as: "ann")
        for node in nodes { node.clock.advance(by: .days(2)) }
        gate.arm()
        let renewing = Task { try await nodes[0].store.renewals.processDue(under: old) }
        await gate.untilReached()
        // The other node frees the rest at once, and waits for nothing.
        try await Self.pass(6_000, on: [nodes[1]])
        let leases = try await Self.leases(nodes[1])
        let other = try #require(nodes[1].registry.nodes.id)
        #expect(leases.filter { $0.value != other }.map(\.key) == [Self.renewals])
        gate.open()
        _ = await renewing.result
        // None if the server ended the idle transaction before, on a slow machine.
        let renewed = try await Self.renewalCount(nodes[1])
        try await Self.pass(3_000, on: [nodes[1]])
        let new = try #require(nodes[1].registry.nodes.lease(Self.renewals))
        try await nodes[1].store.renewals.processDue(under: new)
        let all = try await Self.renewalCount(nodes[1])
        #expect(all > 0)
        if renewed > 0 { #expect(all == renewed) }
        try await nodes[1].buy("monthly", as: "ben")
        for node in nodes { node.clock.advance(by: .days(2)) }
        await #expect(throws: LeaseLost(key: Self.renewals)) {
            try await nodes[0].store.renewals.processDue(under: old)
        }
        #expect(try await Self.renewalCount(nodes[1]) == all)
    }

    @Test func `a lease that its node works under is given up later, and heartbeats go on`() async throws {
        let nodes = try await Self.nodes(2)
        try await Self.pass(1_000, on: [nodes[0]])
        let turn = HeldTurn()
        async let held: Void = turn.hold(nodes[0].database) { connection in
            for lease in try LeasesTable.held(on: connection) {
                _ = try LeasesTable.lock(lease.key, token: lease.token, on: connection)
            }
        }
        // Also if a heartbeat fails, which would otherwise wait for the turn's end.
        defer { turn.end() }
        await turn.hasBegun()
        // The second node wants its share.
        try await Self.pass(2_000, on: nodes)
        #expect(try await Set(Self.leases(nodes[1]).values) == [try #require(nodes[0].registry.nodes.id)])
        turn.end()
        try await held
        try await Self.pass(2_000, on: nodes)
        #expect(try await Set(Self.leases(nodes[1]).values) == Set(nodes.compactMap(\.registry.nodes.id)))
    }

    /// The other kinds of work under leases.
    enum Work: CaseIterable {
        case extensions, priceChanges, rollUps, rebuild

        var key: LeasesTable.Key {
            switch self {
            case .extensions: LeasesTable.Key(.extensions, .sandbox)
            case .priceChanges: LeasesTable.Key(.priceChanges, .sandbox)
            case .rollUps, .rebuild: LeasesTable.Key(.rollUps, .sandbox, app: TestCatalog.magazine().appleID)
            }
        }

        func prepare(_ node: TestStore) async throws {
            try await node.buy("monthly", as: "ann")
            switch self {
            case .extensions:
                try await node.store.extensions.requestMassExtension(
                    MassExtension(
                        productID: Product.ID(rawValue: "monthly"),
                        request: RenewalExtension(days: 10, reason: .serviceIssue, requestID: "outage")),
                    bundleID: TestCatalog.bundleID)
            case .priceChanges:
                _ = try await node.store.products.changePrice(
                    PriceChange(Product.ID(rawValue: "monthly"), milliunits: 12_990),
                    bundleID: TestCatalog.bundleID)
                // Also those that were told at once are told again.
                try await node.database.write { connection in
                    var settings = try EnvironmentSettingsTable.settings(
                        app: TestCatalog.magazine().appleID, .sandbox, on: connection)
                    settings.following = [
                        .init(productID: Product.ID(rawValue: "monthly"), needsConsent: nil)
                    ]
                    try EnvironmentSettingsTable.put(
                        settings, app: TestCatalog.magazine().appleID, .sandbox, on: connection)
                }
            case .rollUps: break
            case .rebuild:
                _ = try await node.store.rollUps.bringUpToDate(TestCatalog.magazine())
                try await node.store.rollUps.startRebuild(TestCatalog.bundleID)
            }
        }

        func run(on node: TestStore, under lease: WorkLease) async throws {
            switch self {
            case .extensions: try await node.store.extensions.processMassExtensions(under: lease)
            case .priceChanges: try await node.store.products.applyPriceChanges(under: lease)
            case .rollUps, .rebuild:
                while try await node.store.rollUps.work(on: TestCatalog.magazine().appleID, under: lease) {}
            }
        }
    }

    @Test(arguments: Work.allCases)
    func `late work of every kind is refused under a lost lease`(work: Work) async throws {
        let node = try await Self.nodes(1)[0]
        try await work.prepare(node)
        try await Self.pass(1_000, on: [node])
        let old = try #require(node.registry.nodes.lease(work.key))
        try await node.database.write { try LeasesTable.revoke(work.key, on: $0) }
        await #expect(throws: LeaseLost(key: work.key)) { try await work.run(on: node, under: old) }
        try await Self.pass(500, on: [node])
        try await work.run(on: node, under: try #require(node.registry.nodes.lease(work.key)))
    }

    @Test func `a node that can't beat stops relying on its leases before others take over`() async throws {
        let node = try await Self.nodes(1)[0]
        try await Self.pass(1_000, on: [node])
        var lost = 0
        #expect(node.registry.nodes.lease(Self.renewals) != nil)
        let (losses, tell) = AsyncStream.makeStream(of: Void.self)
        _ = node.registry.nodes.addObserver { tell.yield() }
        node.registry.nodes.checkValidity()
        node.clock.advance(by: FailureDetector.deadline - 1)
        #expect(node.registry.nodes.lease(Self.renewals) == nil)
        node.registry.nodes.checkValidity()
        tell.finish()
        for await _ in losses { lost += 1 }
        #expect(lost == 1)
        // The others never saw it silent: its next heartbeat is enough.
        try await Self.pass(500, on: [node])
        #expect(node.registry.nodes.lease(Self.renewals) != nil)
    }

    @Test func `a removed environment's work ends`() async throws {
        let node = try await Self.nodes(1)[0]
        let made = try await node.registry.makeEnvironment("rehearsal", kind: .production, clock: .real, now: nil)
        try await Self.pass(1_000, on: [node])
        let key = LeasesTable.Key(.renewals, made.id)
        let lease = try #require(node.registry.nodes.lease(key))
        try await node.registry.removeEnvironment("rehearsal")
        await #expect(throws: LeaseLost(key: key)) { try await node.database.write { try lease.check(on: $0) } }
        try await Self.pass(1_000, on: [node])
        #expect(node.registry.nodes.lease(key) == nil)
        #expect(try await Self.leases(node).keys.allSatisfy { $0.environment != made.id })
    }
}
