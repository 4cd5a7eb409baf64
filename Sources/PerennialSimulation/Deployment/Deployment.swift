import Foundation
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import Synchronization

/// The simulated deployment: two nodes on one database, and the customers' own view of it.
actor Deployment {
    static let environmentName = "Simulation"
    /// Start of every simulation. The last days of January exercise months without a 31st; the fraction of a second exercises
    /// rounding.
    static let startTime = Instant(milliseconds: 1_769_817_599_789)
    /// Attempts at an action before a fault that doesn't end is a violation.
    static let maximumAttempts = 4

    let setting: SimulationPlan.Setting
    let clock: SimulatedClock
    var clients = ClientModel()
    /// The customer whose subscription has an unreadable row; `nil` in plans without one.
    private(set) var unreadable: UnreadableSubscription?
    private let databases: SimulationDatabases
    private let location: DatabaseLocation
    private let signing: Signing
    private let bytes: SeededBytes
    private let mutation: Mutation?
    private let budget: StepBudget
    private let injectors: [FaultInjector]
    private var nodes: [Node] = []
    /// Index of the node that runs the action being prepared; the other one may be blocked.
    private var acting = 0
    /// True while the step is an edit of the catalog.
    private var isEditing = false

    init(
        _ setting: SimulationPlan.Setting, seed: UInt64, databases: SimulationDatabases, signing: Signing,
        mutation: Mutation?
    ) async throws {
        self.setting = setting
        self.mutation = mutation
        self.databases = databases
        location = try databases.make()
        self.signing = signing
        clock = SimulatedClock(Self.startTime)
        bytes = SeededBytes(seed: seed)
        let budget = StepBudget()
        self.budget = budget
        injectors = [FaultInjector(budget), FaultInjector(budget)]
        nodes = try (0..<injectors.count).map { try open($0) }
        try await nodes[0].registry.prepare()
        try await nodes[0].apps.register(
            SimulatedCatalog.app(overlap: setting.overlap), sharedSecret: SimulatedCatalog.sharedSecret)
        _ = try await nodes[0].registry.makeEnvironment(
            Self.environmentName, kind: setting.kind, clock: setting.clock,
            now: setting.clock == .manual ? Self.startTime : nil,
            billing: BillingSettings(gracePeriodDays: setting.graceDays))
        try await nodes[0].store().finance.setSettings(SimulatedFinance.settings)
        // Jumps to boundaries search all transactions for the next end, as the store never does.
        try await nodes[0].database.write {
            try $0.execute("CREATE INDEX simulated_ends ON transactions (environment, expires)")
        }
        if setting.hasUnreadableRow { unreadable = try await UnreadableSubscription.make(on: nodes[0]) }
        if let trigger = mutation?.trigger { try await nodes[0].database.write { try $0.execute(trigger) } }
    }

    private func open(_ index: Int) throws -> Node {
        let lag = index == 0 ? 0 : setting.lag
        return try Node(
            location, signing: signing, clock: { [clock] in clock.now + -lag }, bytes: bytes, faults: injectors[index],
            limits: setting.limits, mutation: mutation,
            leasePollInterval: { [clock, budget] in
                try budget.spendWait()
                clock.move(to: clock.now + .seconds(1))
            })
    }

    /// The database as the auditor reads it.
    var database: Database { nodes[0].database }

    func node(_ index: Int) -> Node { nodes[index % nodes.count] }

    var actingNode: Node { nodes[acting] }

    func environment() async throws -> StoreEnvironment { try await nodes[0].store().environment }

    func now() async throws -> Instant { try await nodes[0].store().now() }

    /// Restarts a node, which loses everything it held in memory, such as its block of IDs.
    func restart(_ index: Int) throws {
        let index = index % nodes.count
        nodes[index].database.close()
        nodes[index] = try open(index)
    }

    func close() {
        nodes.forEach { $0.database.close() }
        databases.remove(location)
    }

    // MARK: - Steps

    /// Performs a step, retrying until it is answered.
    ///
    /// - Throws: ``Violation`` for any result but success or a refusal.
    func perform(_ step: SimulatedStep) async throws {
        let index = step.node % nodes.count
        acting = index
        isEditing = step.action.isEdit
        budget.reset()
        guard let operation = try await operation(of: step.action) else { return }
        var pending = step.fault
        for _ in 0..<Self.maximumAttempts {
            let fault = pending
            pending = nil
            if let fault {
                injectors[index].arm(fault, interleaved: interleaved(by: fault, against: index))
            }
            defer { injectors[index].disarm() }
            do {
                try await attempt(operation, on: index)
                injectors[index].disarm()
                return try await finishInterleaving(of: fault, against: index)
            } catch is InjectedFault {
                if fault?.kind == .crash { try restart(index) }
            }
        }
        throw Violation(.unexpectedError, "\(step.action) was not answered in \(Self.maximumAttempts) attempts")
    }

    private func attempt(_ operation: Operation, on index: Int, expectsLock: Bool = false) async throws {
        do {
            clients.record(try await operation.run(nodes[index]), of: operation)
        } catch let error where Self.isRefusal(error, operation.action) {
            clients.recordRefusal(of: operation)
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

    /// True if the rules may refuse an action with this error. Everything else is a violation; time is never refused.
    private static func isRefusal(_ error: any Error, _ action: SimulatedAction) -> Bool {
        switch action {
        case .buy, .repeatRequest, .ask, .answer: error is PurchaseRefusal
        case .refund, .reverseRefund:
            error is RefundError || (error as? SubscriptionError)?.code == .familyShared
        case .edit(let edit): (error as? CatalogEditError).map { edit.mayBeRefused($0.code) } ?? false
        case .finance(let step): step.mayBeRefused(error)
        case .setAutoRenew, .change, .expire, .renew, .consent: error is SubscriptionError || error is PurchaseRefusal
        case .foundFamily, .joinFamily, .leaveFamily:
            error is FamilyError || (error as? StoreError)?.code == .familyNotFound
        case .advance, .advanceTo, .finish, .restore, .pay, .payFor, .move, .restrict, .signIn, .uninstall,
            .workOff, .restart:
            false
        }
    }

    // MARK: - Interleaving

    private func interleaved(by fault: Fault, against index: Int) -> @Sendable () async -> Void {
        guard case .interleave(let action) = fault.kind else { return {} }
        return { await self.interleave(action, on: index + 1, expectsLock: fault.point == .beforeCommit) }
    }

    private func interleave(_ action: SimulatedAction, on index: Int, expectsLock: Bool) async {
        // The blocked node can't restart. Two edits at a time have no order that the seller knows.
        guard action != .restart, !(isEditing && action.isEdit) else { return }
        let index = index % nodes.count
        let before = acting
        acting = index
        defer { acting = before }
        do {
            guard let operation = try await operation(of: action) else { return }
            try await attempt(operation, on: index, expectsLock: expectsLock)
        } catch let error as StorageError where error.code == .busy && expectsLock {
            clients.postponed = action
        } catch let violation as Violation {
            clients.failures.append(violation)
        } catch {
            clients.failures.append(Violation(.unexpectedError, "\(action): \(error)", person: action.person))
        }
    }

    /// Repeats an interleaved action that met the lock, now that the lock is gone.
    private func finishInterleaving(of fault: Fault?, against index: Int) async throws {
        if let failure = clients.failures.first { throw failure }
        guard let action = clients.postponed else { return }
        clients.postponed = nil
        guard let operation = try await operation(of: action) else { return }
        try await attempt(operation, on: (index + 1) % nodes.count)
    }
}

/// The wall clock of the simulated nodes.
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
