import Foundation
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import Synchronization

/// The simulated world: two processes on one database, the customers, and what they were told.
actor World {
    static let environmentName = "Simulation"
    /// When every simulation begins: in the last days of January, for the months that have no 31st, with a fraction of a
    /// second.
    static let opening = Instant(milliseconds: 1_769_817_599_789)
    /// Times that an action is done again before a fault that won't end is an error of the simulation.
    static let attemptsMax = 4

    let setting: SimulationPlan.Setting
    let clock: SimulatedClock
    var memory = Memory()
    private let databases: SimulationDatabases
    private let location: DatabaseLocation
    private let signing: Signing
    private let bytes: SeededBytes
    private let sabotage: Sabotage?
    private let injectors = [FaultInjector(), FaultInjector()]
    private var nodes: [Node] = []
    /// The node that does what is being prepared: the other one may stand still.
    private var acting = 0

    init(
        _ setting: SimulationPlan.Setting, seed: UInt64, databases: SimulationDatabases, signing: Signing,
        sabotage: Sabotage?
    ) async throws {
        self.setting = setting
        self.sabotage = sabotage
        self.databases = databases
        location = try databases.make()
        self.signing = signing
        clock = SimulatedClock(Self.opening)
        bytes = SeededBytes(seed: seed)
        nodes = try (0..<injectors.count).map { try open($0) }
        try await nodes[0].registry.prepare()
        try await nodes[0].apps.register(
            SimulatedCatalog.app(overlap: setting.overlap), sharedSecret: SimulatedCatalog.sharedSecret)
        _ = try await nodes[0].registry.makeEnvironment(
            Self.environmentName, kind: setting.kind, clock: setting.clock,
            now: setting.clock == .manual ? Self.opening : nil,
            billing: BillingSettings(gracePeriodDays: setting.graceDays))
        // Hops look for the next end among all transactions; the store has no use for that.
        try await nodes[0].database.write {
            try $0.execute("CREATE INDEX simulated_ends ON transactions (environment, expires)")
        }
        if let trigger = sabotage?.trigger { try await nodes[0].database.write { try $0.execute(trigger) } }
    }

    private func open(_ index: Int) throws -> Node {
        let lag = index == 0 ? 0 : setting.lag
        return try Node(
            location, signing: signing, clock: { [clock] in clock.now + -lag }, bytes: bytes, faults: injectors[index],
            sabotage: sabotage, turnPause: { [clock] in clock.move(to: clock.now + .seconds(1)) })
    }

    /// For looking, not for doing.
    var database: Database { nodes[0].database }

    func node(_ index: Int) -> Node { nodes[index % nodes.count] }

    var actingNode: Node { nodes[acting] }

    func environment() async throws -> StoreEnvironment { try await nodes[0].store().environment }

    func now() async throws -> Instant { try await nodes[0].store().now() }

    /// A process starts again: whatever it held in memory is gone, numbers it had taken included.
    func restart(_ index: Int) throws {
        let index = index % nodes.count
        nodes[index].database.close()
        nodes[index] = try open(index)
    }

    func close() {
        nodes.forEach { $0.database.close() }
        databases.remove(location)
    }

    // MARK: - Doing

    /// Does what a step says, as often as it takes to be answered.
    ///
    /// - Throws: ``Violation`` where anything but success or a refusal came of it.
    func perform(_ step: Step) async throws {
        let index = step.node % nodes.count
        acting = index
        guard let operation = try await operation(of: step.action) else { return }
        var pending = step.fault
        for _ in 0..<Self.attemptsMax {
            let fault = pending
            pending = nil
            if let fault {
                injectors[index].arm(fault, rival: rival(of: fault, against: index))
            }
            defer { injectors[index].disarm() }
            do {
                try await attempt(operation, on: index)
                injectors[index].disarm()
                return try await settleRival(of: fault, against: index)
            } catch is InjectedFault {
                if fault?.kind == .crash { try restart(index) }
            }
        }
        throw Violation(.unexpectedError, "\(step.action) was not answered in \(Self.attemptsMax) attempts")
    }

    private func attempt(_ operation: Operation, on index: Int, expectsLock: Bool = false) async throws {
        do {
            memory.note(try await operation.run(nodes[index]), of: operation)
        } catch let error where Self.isRefusal(error, operation.action) {
            memory.noteRefusal(of: operation)
        } catch let error as InjectedFault {
            throw error
        } catch let error as Violation {
            throw error
        } catch let error as StorageError where error.code == .busy && expectsLock {
            throw error
        } catch {
            throw Violation(.unexpectedError, "\(operation.action): \(error)", person: operation.action.person)
        }
    }

    /// What the rules may say no with. Everything else is a mistake: time, for one, is never refused.
    private static func isRefusal(_ error: any Error, _ action: Action) -> Bool {
        switch action {
        case .buy, .repeatRequest, .ask, .answer: error is PurchaseRefusal
        case .refund, .reverseRefund:
            error is RefundError || (error as? SubscriptionError)?.code == .familyShared
        case .setAutoRenew, .change, .expire, .renew: error is SubscriptionError || error is PurchaseRefusal
        case .foundFamily, .joinFamily, .leaveFamily:
            error is FamilyError || (error as? StoreError)?.code == .familyNotFound
        case .advance, .advanceTo: (error as? StoreError)?.code == .timeInThePast
        case .finish, .restore, .pay, .payFor, .move, .restrict, .signIn, .uninstall, .setForSale, .workOff, .restart:
            false
        }
    }

    // MARK: - The other node

    private func rival(of fault: Fault, against index: Int) -> @Sendable () async -> Void {
        guard case .rival(let action) = fault.kind else { return {} }
        return { await self.interfere(action, on: index + 1, expectsLock: fault.point == .beforeCommit) }
    }

    private func interfere(_ action: Action, on index: Int, expectsLock: Bool) async {
        // The node that stands still can't start again.
        guard action != .restart else { return }
        let index = index % nodes.count
        let before = acting
        acting = index
        defer { acting = before }
        do {
            guard let operation = try await operation(of: action) else { return }
            try await attempt(operation, on: index, expectsLock: expectsLock)
        } catch let error as StorageError where error.code == .busy && expectsLock {
            memory.postponed = action
        } catch let violation as Violation {
            memory.failures.append(violation)
        } catch {
            memory.failures.append(Violation(.unexpectedError, "\(action): \(error)", person: action.person))
        }
    }

    /// Whoever met the lock comes again when it is gone.
    private func settleRival(of fault: Fault?, against index: Int) async throws {
        if let failure = memory.failures.first { throw failure }
        guard let action = memory.postponed else { return }
        memory.postponed = nil
        guard let operation = try await operation(of: action) else { return }
        try await attempt(operation, on: (index + 1) % nodes.count)
    }
}

/// The world's time, for stores that run on it.
final class SimulatedClock: Sendable {
    private let instant: Mutex<Instant>

    init(_ instant: Instant) {
        self.instant = Mutex(instant)
    }

    var now: Instant { instant.withLock { $0 } }

    func move(to time: Instant) {
        instant.withLock { $0 = max($0, time) }
    }
}
