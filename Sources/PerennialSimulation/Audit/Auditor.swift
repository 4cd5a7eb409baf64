import Perennial
import PerennialStorage
import PerennialStore

/// Looks at the world after every step. What it believes comes from the journal and from what customers were told; the
/// tables have to agree.
struct Auditor: Sendable {
    /// Entries that one query reads.
    private static let pageLength = 1000
    /// Steps between two looks at receipts: signing and verifying them costs as much as several steps.
    private static let stepsBetweenReceipts = 4

    private(set) var replay = Replay()
    private var snapshots: [Account.ID: Snapshot] = [:]
    private var latest = World.opening
    private let environment: StoreEnvironment
    private let known = KnownRows()
    private var steps = 0

    /// A customer as the auditor last saw them.
    private struct Snapshot {
        var method: Account.PaymentMethod
        var transactions: Set<TransactionID>
        var renewing: [TransactionID: Bool]
    }

    init(_ environment: StoreEnvironment) {
        self.environment = environment
    }

    /// Checks what a step may have changed.
    ///
    /// - Throws: ``Violation``.
    mutating func check(after step: Step, in world: isolated World) async throws {
        let people = step.people.compactMap { $0.flatMap { world.memory.customers[$0]?.key.account } }
        let seen = try await look(at: people, in: world)
        guard seen.now >= latest else {
            throw Violation(.clock, "\(seen.now.rfc3339(fraction: true)) after \(latest.rfc3339(fraction: true))")
        }
        latest = seen.now
        for (position, entry) in seen.entries { try replay.append(position, entry) }
        for (account, books) in seen.books {
            try check(account, books, after: step, at: seen.now, in: world)
        }
        steps += 1
        guard steps % Self.stepsBetweenReceipts == 0 else { return }
        for (account, books) in seen.books where people.contains(account) {
            // The node that did nothing knows only what the database says.
            try await checkReceipts(of: account, books, on: step.node + 1, in: world)
        }
    }

    /// What one look finds.
    private struct Seen: Sendable {
        var now: Instant
        /// What the journal tells of since the last time.
        var entries: [(position: Int64, entry: JournalEntry)] = []
        /// Of those the entries are about, and of those asked for; `nil` where an account is gone.
        var books: [(account: Account.ID, books: Books?)] = []
    }

    /// Reads what there is to know, in one transaction.
    private func look(at accounts: [Account.ID], in world: isolated World) async throws -> Seen {
        let (environment, clock, known, last) = (environment, world.clock, known, replay.digest.last)
        return try await world.database.read { connection in
            let isManual = environment.clock == .manual
            let manual = isManual ? try EnvironmentsTable.manualNow(environment.id, on: connection) : nil
            var seen = Seen(now: manual ?? clock.now)
            seen.entries = try Self.entries(after: last, environment, on: connection)
            let concerned = Set(accounts).union(seen.entries.map(\.entry.accountID))
            var look = Look(environment.id, at: seen.now, known, on: connection)
            seen.books = try concerned.sorted { $0.rawValue < $1.rawValue }.map { ($0, try look.books(of: $0)) }
            return seen
        }
    }

    /// All entries after a position.
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
        _ account: Account.ID, _ books: Books?, after step: Step?, at now: Instant, in world: isolated World
    ) throws {
        let person = world.memory.people[account]
        do {
            guard let books else { throw Violation(.journalAndTables, "the account \(account.rawValue) is gone") }
            try books.check(at: now, in: environment)
            try compare(books, account)
            if let person { try books.check(against: world.memory, of: person) }
            if let step { try checkCharges(books, person, after: step) }
            snapshots[account] = Snapshot(
                method: books.account.paymentMethod, transactions: Set(books.rows.map(\.transaction.id)),
                renewing: Dictionary(books.subscriptions.map { ($0.id, $0.renewal.isOn) }) { first, _ in first })
        } catch var violation as Violation {
            violation.person = violation.person ?? person
            throw violation
        }
    }

    private func checkReceipts(
        of account: Account.ID, _ books: Books?, on node: Int, in world: isolated World
    ) async throws {
        guard let books, let person = world.memory.people[account], let customer = world.memory.customers[person]
        else { return }
        let store = try await world.node(node).store()
        do {
            try await ReceiptAudit(
                store: store, environment: environment, customer: customer, books: books, now: try await store.now(),
                deliveryNow: latest
            ).check()
        } catch var violation as Violation {
            violation.person = person
            throw violation
        }
    }

    /// The tables say what the journal says.
    private func compare(_ books: Books, _ account: Account.ID) throws(Violation) {
        let told = replay.transactions[account] ?? []
        guard Set(told) == Set(books.rows.map(\.transaction.id)) else {
            let difference = Set(told).symmetricDifference(books.rows.map(\.transaction.id)).sorted()
            throw Violation(.journalAndTables, "journal and table don't both have \(difference)")
        }
        for row in books.rows {
            guard let told = replay.told[row.transaction.id] else { continue }
            try row.compare(with: told)
        }
        try books.checkContinuity(replay)
        // A member's copy is compared with what it is a copy of: the journal tells of the purchaser's decisions once.
        for subscription in books.subscriptions where subscription.ownership == .purchased {
            guard let standing = replay.standings[subscription.id] else {
                throw Violation(.journalAndTables, "the journal knows no subscription \(subscription.id)")
            }
            try standing.compare(with: subscription)
        }
    }

    /// Nobody is charged on a card that is declined, or for a renewal they turned off.
    private func checkCharges(_ books: Books, _ person: Action.Person?, after step: Step) throws(Violation) {
        // Two who act for one customer at once may have changed card or mind in between.
        guard let before = snapshots[books.account.id], step.people.count(where: { $0 == person }) < 2 else { return }
        for transaction in books.rows.map(\.transaction) where !before.transactions.contains(transaction.id) {
            let isDeclined = before.method == .declined && books.account.paymentMethod == .declined
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

    // MARK: - All of it

    /// Checks everything, and that the journal read from its beginning is still the same.
    ///
    /// - Throws: ``Violation``.
    mutating func checkEverything(in world: isolated World) async throws {
        known.forget()
        for account in world.memory.people.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            let seen = try await look(at: [account], in: world)
            for (position, entry) in seen.entries { try replay.append(position, entry) }
            for (account, books) in seen.books {
                try check(account, books, after: nil, at: seen.now, in: world)
                try await checkReceipts(of: account, books, on: 1, in: world)
            }
        }
        try await compareWhole(in: world)
        var again = Replay()
        while true {
            let (environment, last) = (environment, again.digest.last)
            let entries = try await world.database.read { try Self.page(after: last, environment, on: $0) }
            for (position, entry) in entries { try again.append(position, entry) }
            if entries.count < Self.pageLength { break }
        }
        guard again.digest.text == replay.digest.text, again.money == replay.money, again.standings == replay.standings
        else {
            throw Violation(.journalOrder, "the journal says something else than when it was written")
        }
    }

    private func compareWhole(in world: isolated World) async throws {
        let environment = SQLValue.integer(environment.id.rawValue)
        let (sums, counts) = try await world.database.read { connection in
            let sums = try connection.query(
                """
                SELECT account, currency, CAST(SUM(amount) AS BIGINT) FROM postings WHERE environment = $1
                GROUP BY account, currency
                """, [environment]
            ) { ("\(try $0.text(0)) \(try $0.text(1))", try $0.integer(2)) }
            let counts = try connection.query(
                """
                SELECT (SELECT COUNT(*) FROM transactions WHERE environment = $1),
                (SELECT COALESCE(MAX(position), 0) FROM journal_heads WHERE environment = $1),
                (SELECT COUNT(*) FROM journal WHERE environment = $1)
                """, [environment]
            ) { [try $0.integer(0), try $0.integer(1), try $0.integer(2)] }
            return (Dictionary(sums) { first, _ in first }, counts[0])
        }
        guard sums.filter({ $0.value != 0 }) == replay.money.filter({ $0.value != 0 }) else {
            throw Violation(.unbalanced, "the ledger has \(sums), the journal says \(replay.money)")
        }
        let totals = Dictionary(grouping: sums) { $0.key.split(separator: " ").last }.mapValues { $0.map(\.value) }
        guard totals.values.allSatisfy({ $0.reduce(0, +) == 0 }) else {
            throw Violation(.unbalanced, "the ledger doesn't sum to zero: \(totals)")
        }
        guard counts == [Int64(replay.told.count), replay.digest.last, replay.digest.last] else {
            throw Violation(.journalAndTables, "transactions, head and entries are \(counts)")
        }
    }
}

extension Step {
    /// Whose the action and the rival's are.
    var people: [Action.Person?] {
        if case .rival(let rival) = fault?.kind { return [action.person, rival.person] }
        return [action.person]
    }
}
