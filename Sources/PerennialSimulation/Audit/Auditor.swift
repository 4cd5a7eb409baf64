import Perennial
import PerennialStorage
import PerennialStore

/// Audits the deployment after every step. The journal and the answers to customers are the truth; the tables have to agree.
struct Auditor: Sendable {
    /// Entries that one query reads.
    private static let pageLength = 1000
    /// Steps between two audits of receipts: signing and verifying them costs as much as several steps.
    private static let stepsBetweenReceipts = 4
    private static let stepsBetweenExports = 16

    private(set) var replay = Replay()
    private var baselines: [Account.ID: Baseline] = [:]
    private var latest = Deployment.startTime
    let environment: StoreEnvironment
    private let cache = RowCache()
    var steps = 0
    /// The seller's knowledge before the step.
    private var sellerBefore = SellerModel()
    private(set) var financeBefore = FinanceModel()
    /// The closings of months as of the last audit.
    var closings: [ClosedMonthsTable.Record] = []

    /// A customer as of the last audit.
    private struct Baseline {
        var method: Account.PaymentMethod
        var transactions: Set<TransactionID>
        var renewing: [TransactionID: Bool]
    }

    init(_ environment: StoreEnvironment) {
        self.environment = environment
    }

    /// Checks everything that a step may have changed.
    ///
    /// - Throws: ``Violation``.
    mutating func check(after step: SimulatedStep, in deployment: isolated Deployment) async throws {
        let people = step.people.compactMap { $0.flatMap { deployment.clients.customers[$0]?.key.account } }
        let changes = try await readChanges(of: people, in: deployment)
        guard changes.now >= latest else {
            throw Violation(.clock, "\(changes.now.rfc3339(fraction: true)) after \(latest.rfc3339(fraction: true))")
        }
        latest = changes.now
        for (position, entry) in changes.entries { try replay.append(position, entry) }
        for (account, state) in changes.customers {
            try check(account, state, after: step, at: changes.now, in: deployment)
        }
        sellerBefore = deployment.clients.seller
        if step.isFinance { try await checkClosings(in: deployment) }
        financeBefore = deployment.clients.finance
        if step.isEdit { try await checkCatalog(exports: steps % Self.stepsBetweenExports == 0, in: deployment) }
        steps += 1
        guard steps % Self.stepsBetweenReceipts == 0 else { return }
        // Any node may add the next batch to the roll-ups.
        let worker = try await deployment.node(steps / Self.stepsBetweenReceipts).store()
        _ = try await worker.rollUps.work(on: SimulatedCatalog.appleID)
        for (account, state) in changes.customers where people.contains(account) {
            // The other node knows only what the database says.
            try await checkReceipts(of: account, state, on: step.node + 1, in: deployment)
        }
    }

    /// Changes since the last audit.
    private struct Changes: Sendable {
        var now: Instant
        var entries: [(position: Int64, entry: JournalEntry)] = []
        /// Customers of the entries, and those that were asked for; `nil` for an account that is gone.
        var customers: [(account: Account.ID, state: CustomerState?)] = []
    }

    /// Reads the changes in one transaction.
    private func readChanges(
        of accounts: [Account.ID], in deployment: isolated Deployment
    ) async throws -> Changes {
        let (environment, clock, cache, last) = (environment, deployment.clock, cache, replay.digest.last)
        let unreadable = deployment.unreadable?.account
        return try await deployment.database.read { connection in
            let isManual = environment.clock == .manual
            let manual = isManual ? try EnvironmentsTable.manualNow(environment.id, on: connection) : nil
            var changes = Changes(now: manual ?? clock.now)
            changes.entries = try Self.entries(after: last, environment, on: connection)
            let changed = Set(accounts).union(changes.entries.map(\.entry.accountID)).filter { $0 != unreadable }
            var snapshot = Snapshot(environment.id, at: changes.now, cache, on: connection)
            changes.customers = try changed.sorted { $0.rawValue < $1.rawValue }.map {
                ($0, try snapshot.customer($0))
            }
            return changes
        }
    }

    /// Reads all entries after a position.
    private static func entries(
        after position: Int64, _ environment: StoreEnvironment, on connection: any Connection
    ) throws -> [(position: Int64, entry: JournalEntry)] {
        var entries: [(position: Int64, entry: JournalEntry)] = []
        while true {
            let found = try page(after: entries.last?.position ?? position, environment, on: connection)
            entries += found
            if found.count < pageLength { return entries }
        }
    }

    private static func page(
        after position: Int64, _ environment: StoreEnvironment, on connection: any Connection
    ) throws -> [(position: Int64, entry: JournalEntry)] {
        try JournalTable.entries(
            after: position, limit: pageLength, app: SimulatedCatalog.appleID, environment.id, on: connection)
    }

    // MARK: - A customer

    private mutating func check(
        _ account: Account.ID, _ state: CustomerState?, after step: SimulatedStep?, at now: Instant,
        in deployment: isolated Deployment
    ) throws {
        let person = deployment.clients.people[account]
        do {
            guard let state else { throw Violation(.journalAndTables, "the account \(account.rawValue) is gone") }
            try state.check(at: now, in: environment, deployment.clients.seller)
            try compare(state, account)
            if let person { try state.check(against: deployment.clients, of: person) }
            if let step {
                try checkCharges(state, person, after: step)
                let known = baselines[account]?.transactions ?? []
                try SalesAudit(
                    sellers: [sellerBefore, deployment.clients.seller], lag: deployment.setting.lag
                ).check(state.rows.map(\.transaction).filter { !known.contains($0.id) })
            }
            baselines[account] = Baseline(
                method: state.account.paymentMethod, transactions: Set(state.rows.map(\.transaction.id)),
                renewing: Dictionary(state.subscriptions.map { ($0.id, $0.renewal.isOn) }) { first, _ in first })
        } catch var violation as Violation {
            violation.person = violation.person ?? person
            throw violation
        }
    }

    private func checkReceipts(
        of account: Account.ID, _ state: CustomerState?, on node: Int, in deployment: isolated Deployment
    ) async throws {
        let clients = deployment.clients
        guard let state, let person = clients.people[account], let customer = clients.customers[person] else { return }
        let store = try await deployment.node(node).store()
        do {
            try await ReceiptAudit(
                store: store, environment: environment, customer: customer, state: state, now: try await store.now(),
                deliveryNow: latest
            ).check()
        } catch var violation as Violation {
            violation.person = person
            throw violation
        }
    }

    /// Checks that the tables say what the journal says.
    private func compare(_ state: CustomerState, _ account: Account.ID) throws(Violation) {
        let sold = replay.transactions[account] ?? []
        guard Set(sold) == Set(state.rows.map(\.transaction.id)) else {
            let difference = Set(sold).symmetricDifference(state.rows.map(\.transaction.id)).sorted()
            throw Violation(.journalAndTables, "journal and table don't both have \(difference)")
        }
        for row in state.rows {
            guard let sale = replay.sales[row.transaction.id] else { continue }
            try row.compare(with: sale)
        }
        try state.checkContinuity(replay)
        // A member subscription is compared with its purchase instead, since the journal records the purchaser's events once.
        for subscription in state.subscriptions where subscription.ownership == .purchased {
            guard let replayed = replay.subscriptions[subscription.id] else {
                throw Violation(.journalAndTables, "the journal knows no subscription \(subscription.id)")
            }
            try replayed.compare(with: subscription)
        }
    }

    /// Checks that declined cards and subscriptions with auto-renew turned off weren't charged.
    private func checkCharges(
        _ state: CustomerState, _ person: SimulatedAction.Person?, after step: SimulatedStep
    ) throws(Violation) {
        // With two actions for one customer, card or auto-renew may have changed in between.
        guard let before = baselines[state.account.id], step.people.count(where: { $0 == person }) < 2 else { return }
        for transaction in state.rows.map(\.transaction) where !before.transactions.contains(transaction.id) {
            let isDeclined = before.method == .declined && state.account.paymentMethod == .declined
            guard transaction.price.milliunits == 0 || !isDeclined else {
                throw Violation(.wrongCharge, "\(transaction.id) was charged to a card that is declined")
            }
            guard transaction.ownership == .purchased else { continue }
            let isUnwanted = before.renewing[transaction.originalID] == false && !step.people.contains(person)
            guard transaction.reason == .purchase || !isUnwanted else {
                throw Violation(.wrongCharge, "\(transaction.id) was renewed, but auto-renew is off")
            }
        }
    }

    private func checkCatalog(exports: Bool, in deployment: isolated Deployment) async throws {
        // The other node knows only what the database says.
        let node = deployment.node(steps)
        try await CatalogAudit(node: node, seller: deployment.clients.seller, now: latest).check(exports: exports)
    }

    // MARK: - All customers

    /// Checks all customers, and that the journal read from its beginning is still the same.
    ///
    /// - Throws: ``Violation``.
    mutating func checkEverything(in deployment: isolated Deployment) async throws {
        cache.removeAll()
        for account in deployment.clients.people.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            let changes = try await readChanges(of: [account], in: deployment)
            for (position, entry) in changes.entries { try replay.append(position, entry) }
            for (account, state) in changes.customers {
                try check(account, state, after: nil, at: changes.now, in: deployment)
                try await checkReceipts(of: account, state, on: 1, in: deployment)
            }
        }
        try await checkTotals(in: deployment)
        try await checkCatalog(exports: true, in: deployment)
        try await checkQuarantine(in: deployment)
        let sales = try await RollUpAudit(
            store: try await deployment.node(1).store(), database: deployment.database
        ).check()
        try await checkClosings(in: deployment)
        try await financeAudit(on: 0, in: deployment).check(closings, against: sales)
        var again = Replay()
        while true {
            let (environment, last) = (environment, again.digest.last)
            let entries = try await deployment.database.read { try Self.page(after: last, environment, on: $0) }
            for (position, entry) in entries { try again.append(position, entry) }
            if entries.count < Self.pageLength { break }
        }
        guard again.digest.text == replay.digest.text, again.money == replay.money,
            again.subscriptions == replay.subscriptions
        else {
            throw Violation(.journalOrder, "the journal says something else than when it was written")
        }
    }

    /// Checks that the unreadable subscription, once it was due, is quarantined, and no other.
    private func checkQuarantine(in deployment: isolated Deployment) async throws {
        let store = try await deployment.node(0).store()
        let found = try await store.renewals.quarantined().map(\.id)
        let unreadable = deployment.unreadable
        guard found.allSatisfy({ $0 == unreadable?.id }) else {
            throw Violation(.due, "\(found) are quarantined")
        }
        guard let unreadable, environment.clock == .manual, unreadable.expires <= latest else { return }
        guard found == [unreadable.id] else {
            throw Violation(.due, "the unreadable \(unreadable.id) was due, and isn't quarantined")
        }
    }
}

extension SimulatedStep {
    /// True if the step, or the action that interleaves with it, is an edit of the catalog.
    var isEdit: Bool {
        if case .interleave(let other) = fault?.kind { return action.isEdit || other.isEdit }
        return action.isEdit
    }

    /// The customers of the action and of the interleaved one; `nil` for actions without a customer.
    var people: [SimulatedAction.Person?] {
        if case .interleave(let other) = fault?.kind { return [action.person, other.person] }
        return [action.person]
    }
}
