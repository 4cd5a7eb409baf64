import Perennial
import PerennialStorage

/// One batch of due subscriptions, decided on a snapshot of the database, beside the one who writes.
///
/// Deciding takes about as long as writing, and there is one writer. It finds in the batch what has to be written, and on what
/// that was decided: a customer's revision, which every change of what they have raises, how they pay, and the catalog.
/// Where any of it is something else by then, nothing of the batch is written.
struct DecidedRenewals: Sendable {
    /// What was decided on has changed.
    struct Stale: Error {}

    /// Which part of what is due a batch is taken from.
    struct Part: Sendable {
        /// The place in the order of due time behind which it begins.
        var after: DuePlace?
        var until: Instant
    }

    /// Something that befalls a subscription.
    struct Step: Sendable {
        var key: CustomerKey
        var decision: SubscriptionDecision
        var entries: [JournalEntry]
        /// Of the customer's purchases, after it.
        var revision: Int64
        /// Of its transactions.
        var rows: [TransactionsTable.NewRow]

        /// Where the journal tells of the transaction of a row.
        ///
        /// - Parameter last: The position of the step's last entry.
        func position(ofRow row: Int, last: Int64) -> Int64 {
            let id = decision.transactions[row].id
            let index = entries.firstIndex { $0.transactionID == id } ?? entries.count - 1
            return last - Int64(entries.count - 1 - index)
        }
    }

    /// A customer, as decided on.
    struct Customer: Sendable {
        var key: CustomerKey
        var payer: Payer
        var revision: Int64
        var nextRevision: Int64
    }

    /// A subscription as it is in the end.
    struct Written: Sendable {
        var subscription: Subscription
        var document: String
        var key: CustomerKey
    }

    let steps: [Step]
    /// In the order in which they are locked.
    let customers: [Customer]
    let subscriptions: [Written]
    /// What is due for these can't be decided.
    let failures: [RenewalFailure]
    let catalogRevision: Int64
    /// Everything due up to here is in it, or was done before.
    let horizon: Instant
    /// Where the next batch begins; `nil` where nothing more is due in the part.
    let end: DuePlace?

    var events: Int { steps.reduce(0) { $0 + $1.decision.facts.count } }

    /// Whether nothing can be done about what is due: it is of apps that are gone.
    var isEmpty: Bool { steps.isEmpty && failures.isEmpty }

    /// What can be decided while this is written: what is due later than anything in it, and before anything of it is due
    /// again.
    func following(until target: Instant) -> Part? {
        guard let end else { return nil }
        let again = subscriptions.compactMap(\.subscription.nextDue).min()
        let until = min(target, again.map { $0 + -1 } ?? target)
        return until >= end.due ? Part(after: end, until: until) : nil
    }
}

extension Store {
    /// What a look at what is due finds.
    enum DueBatch: Sendable {
        case nothing
        case decided(DecidedRenewals)
        /// Other customers' purchases change with these, or an account is gone: it takes locks to know what to write.
        case undecidable
    }

    /// Decides what becomes of what is due next. It takes numbers, which are lost where the decision isn't written.
    func decideDue(_ part: DecidedRenewals.Part) async throws -> DueBatch {
        var refills = 0
        while true {
            do {
                return try await database.read { [self] in try decideDue(part, on: $0) }
            } catch is NumberSource.Exhausted {
                try Task.checkCancellation()
                refills += 1
                try await numbers.refill(attempt: refills)
            }
        }
    }

    private func decideDue(_ part: DecidedRenewals.Part, on connection: any Connection) throws -> DueBatch {
        let page = try SubscriptionsTable.dueSubscriptions(
            after: part.after, until: part.until, limit: Self.renewalBatch, environment.id, on: connection)
        guard let last = page.last else { return .nothing }
        let isAll = page.count < Self.renewalBatch
        var deciding = try Deciding(page, until: isAll ? part.until : last.due, store: self, on: connection)
        guard try deciding.isPossible(on: connection) else { return .undecidable }
        try deciding.run()
        return .decided(
            deciding.result(catalogRevision: try AppsTable.revision(on: connection), end: isAll ? nil : last))
    }
}

/// A batch while it is decided.
private struct Deciding {
    private let store: Store
    private let entries: [Int64: CatalogCache.Entry]
    private var due: [SubscriptionsTable.DueSubscription]
    private var places: [TransactionID: Int] = [:]
    private var queue: DueQueue
    private var customers: [CustomerKey: DecidedRenewals.Customer] = [:]
    private var steps: [DecidedRenewals.Step] = []
    private var failures: [RenewalFailure]
    private var progress = DueProgress()
    /// Where it ends before the horizon, for it has as many steps as a transaction writes.
    private var cut: DuePlace?

    init(
        _ page: SubscriptionsTable.DuePage, until horizon: Instant, store: Store, on connection: any Connection
    ) throws {
        self.store = store
        due = page.subscriptions
        failures = page.unreadable.map(RenewalFailure.init)
        queue = DueQueue(until: horizon)
        var entries: [Int64: CatalogCache.Entry] = [:]
        places.reserveCapacity(due.count)
        customers.reserveCapacity(due.count)
        for (place, item) in due.enumerated() {
            let app = item.customer.app
            if entries[app] == nil { entries[app] = try store.catalog.entry(number: app, on: connection) }
            places[item.subscription.id] = place
            queue.put(item.subscription)
            guard let payer = item.payer else { continue }
            customers[item.customer] = DecidedRenewals.Customer(
                key: item.customer, payer: payer, revision: item.revision, nextRevision: item.revision)
        }
        self.entries = entries
    }

    /// Whether nobody else's purchases hang on these.
    func isPossible(on connection: any Connection) throws -> Bool {
        for item in due {
            guard item.payer != nil else { return false }
            let next = entries[item.customer.app]?.products[item.subscription.renewal.productID]
            let isShared =
                try store.sharers(
                    of: item.subscription, orOf: next?.isFamilyShareable == true, item.customer, on: connection) != nil
            if isShared { return false }
        }
        return true
    }

    mutating func run() throws {
        while let id = queue.next(), let place = places[id] {
            guard let at = due[place].subscription.nextDue else { continue }
            do {
                try progress.note(id, at)
                if let step = try step(at: place) { put(step, at: place) }
            } catch let error as NumberSource.Exhausted {
                throw error
            } catch {
                failures.append(RenewalFailure(due[place].customer, id, due: at, error))
            }
            if steps.count >= Store.maximumStepsInTransaction {
                cut = (at, id)
                return
            }
        }
    }

    /// - Returns: `nil` where nothing can be done, such as for an app that is gone.
    private func step(at place: Int) throws -> DecidedRenewals.Step? {
        let key = due[place].customer
        guard let entry = entries[key.app], let customer = customers[key],
            let decision = try store.nextDecision(
                for: due[place].subscription, until: queue.horizon, entry, paying: customer.payer)
        else { return nil }
        let revision = customer.nextRevision + 1
        return DecidedRenewals.Step(
            key: key, decision: decision, entries: decision.facts.map { JournalEntry($0, of: decision.subscription) },
            revision: revision,
            rows: decision.transactions.map { TransactionsTable.NewRow($0, revision: revision, key) })
    }

    private mutating func put(_ step: DecidedRenewals.Step, at place: Int) {
        customers[step.key]?.nextRevision = step.revision
        due[place].subscription = step.decision.subscription
        queue.put(step.decision.subscription)
        steps.append(step)
    }

    func result(catalogRevision: Int64, end: DuePlace?) -> DecidedRenewals {
        DecidedRenewals(
            steps: steps,
            customers: customers.values.filter { $0.nextRevision > $0.revision }.sorted {
                CustomerKey.inOrderOfLocks($0.key, $1.key)
            },
            subscriptions: Set(steps.map(\.decision.subscription.id)).sorted().compactMap { id in
                places[id].map { place in
                    let item = due[place]
                    return DecidedRenewals.Written(
                        subscription: item.subscription, document: item.subscription.document, key: item.customer)
                }
            }, failures: failures, catalogRevision: catalogRevision, horizon: cut?.due ?? queue.horizon,
            end: cut ?? end)
    }
}
