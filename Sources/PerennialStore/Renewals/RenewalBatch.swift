import Perennial
import PerennialStorage

/// A batch of due subscriptions, decided on a snapshot of the database while another batch is written.
///
/// Deciding takes about as long as writing, and there is one writer. The batch holds the rows to write, and the versions
/// that the decision is based on: each customer's revision, which every change of their purchases raises, their billing
/// account, and the catalog's revision. If one has changed by then, nothing of the batch is written.
struct RenewalBatch: Sendable {
    /// A version that the decision is based on has changed.
    struct VersionConflict: Error {}

    /// A range of due subscriptions.
    struct DueRange: Sendable {
        /// The position before the first subscription of the range.
        var after: DuePosition?
        var until: Instant
    }

    /// One step of a subscription, such as a renewal.
    struct Step: Sendable {
        var key: CustomerKey
        var decision: SubscriptionDecision
        var entries: [JournalEntry]
        /// The revision of the customer's purchases after the step.
        var revision: Int64
        /// The rows of the step's transactions.
        var rows: [TransactionsTable.PendingRow]

        /// Returns the journal position of a row's transaction.
        ///
        /// - Parameter last: The position of the step's last entry.
        func position(ofRow row: Int, last: Int64) -> Int64 {
            let id = decision.transactions[row].id
            let index = entries.firstIndex { $0.transactionID == id } ?? entries.count - 1
            return last - Int64(entries.count - 1 - index)
        }
    }

    let steps: [Step]
    /// The customers in the order in which they are locked.
    let customers: [CustomerAdvance]
    /// The subscriptions after their last steps.
    let subscriptions: [SubscriptionsTable.Update]
    /// The subscriptions that can't be decided.
    let failures: [RenewalFailure]
    /// The era in which it was read (`Database.era`): in another one the versions may stand for other states, and the IDs are given
    /// again.
    let era: Int64
    let catalogRevision: Int64
    /// The instant up to which everything due is in the batch or done.
    let horizon: Instant
    /// The start of the next batch; `nil` if nothing more is due in the range.
    let end: DuePosition?

    var events: Int { steps.reduce(0) { $0 + $1.decision.events.count } }

    /// True if nothing can be done: the due subscriptions are of apps that are gone.
    var isEmpty: Bool { steps.isEmpty && failures.isEmpty }

    /// Returns the range that can be computed concurrently with writing this batch: later than everything in it, and before
    /// any of its subscriptions is due again.
    func concurrentRange(until target: Instant) -> DueRange? {
        guard let end else { return nil }
        let again = subscriptions.compactMap(\.subscription.nextDue).min()
        let until = min(target, again.map { $0 + -1 } ?? target)
        return until >= end.due ? DueRange(after: end, until: until) : nil
    }
}

extension Renewals {
    /// The result of building a batch.
    enum BuiltBatch: Sendable {
        case nothing
        case decided(RenewalBatch)
        /// The decision needs locks: other customers' purchases change too, or an account is gone.
        case requiresLocks
    }

    /// Builds the next batch. Allocates IDs, which are lost if the batch isn't written.
    func buildBatch(_ range: RenewalBatch.DueRange) async throws -> BuiltBatch {
        var refills = 0
        while true {
            do {
                return try await database.read { [self] in try buildBatch(range, on: $0) }
            } catch is IDAllocator.BlockExhausted {
                try Task.checkCancellation()
                refills += 1
                try await ids.refill(attempt: refills)
            }
        }
    }

    private func buildBatch(_ range: RenewalBatch.DueRange, on connection: any Connection) throws -> BuiltBatch {
        let era = connection.era
        let page = try SubscriptionsTable.dueSubscriptions(
            after: range.after, until: range.until, limit: limits.renewalBatch, environment.id, on: connection)
        guard let last = page.last else { return .nothing }
        let isAll = page.count < limits.renewalBatch
        var builder = try RenewalBatchBuilder(
            page, until: isAll ? range.until : last.due, subscriptions: subscriptions, on: connection)
        guard try builder.isIndependentOfOthers(on: connection) else { return .requiresLocks }
        try builder.run()
        return .decided(
            builder.result(
                era: era, catalogRevision: try CatalogHeadTable.revision(on: connection), end: isAll ? nil : last))
    }
}

/// A batch in the making.
private struct RenewalBatchBuilder {
    private let subscriptions: Subscriptions
    private let entries: [Int64: CatalogCache.Entry]
    private var due: [SubscriptionsTable.DueSubscription]
    private var places: [TransactionID: Int] = [:]
    private var queue: DueQueue
    private var customers: [CustomerKey: CustomerAdvance] = [:]
    private var steps: [RenewalBatch.Step] = []
    private var failures: [RenewalFailure]
    private var stallDetector = StallDetector()
    /// The last position if the batch ends early because a transaction has no more steps.
    private var stepLimit: DuePosition?

    init(
        _ page: SubscriptionsTable.DuePage, until horizon: Instant, subscriptions: Subscriptions,
        on connection: any Connection
    ) throws {
        self.subscriptions = subscriptions
        due = page.subscriptions
        failures = page.unreadable.map(RenewalFailure.init)
        queue = DueQueue(until: horizon)
        var entries: [Int64: CatalogCache.Entry] = [:]
        places.reserveCapacity(due.count)
        customers.reserveCapacity(due.count)
        for (place, item) in due.enumerated() {
            let app = item.customer.app
            if entries[app] == nil { entries[app] = try subscriptions.catalog.entry(number: app, on: connection) }
            places[item.subscription.id] = place
            queue.put(item.subscription)
            guard let payer = item.payer else { continue }
            customers[item.customer] = CustomerAdvance(
                key: item.customer, payer: payer, revision: item.revision, nextRevision: item.revision)
        }
        self.entries = entries
    }

    /// Returns true if no other customers' purchases depend on these.
    func isIndependentOfOthers(on connection: any Connection) throws -> Bool {
        for item in due {
            guard item.payer != nil else { return false }
            let next = entries[item.customer.app]?.products[item.subscription.renewal.productID]
            let isShared =
                try subscriptions.sharers(
                    of: item.subscription, orOf: next?.isFamilyShareable == true, item.customer, on: connection) != nil
            if isShared { return false }
        }
        return true
    }

    mutating func run() throws {
        while let id = queue.next(), let place = places[id] {
            guard let at = due[place].subscription.nextDue else { continue }
            do {
                try stallDetector.record(id, at)
                if let step = try step(at: place) { put(step, at: place) }
            } catch let error as IDAllocator.BlockExhausted {
                throw error
            } catch {
                failures.append(RenewalFailure(due[place].customer, id, due: at, error))
            }
            if steps.count >= subscriptions.limits.stepsInTransaction {
                stepLimit = (at, id)
                return
            }
        }
    }

    /// Decides a subscription's next step.
    ///
    /// - Returns: `nil` if nothing can be done, such as for an app that is gone.
    private func step(at place: Int) throws -> RenewalBatch.Step? {
        let key = due[place].customer
        guard let entry = entries[key.app], let customer = customers[key],
            let decision = try subscriptions.nextDecision(
                for: due[place].subscription, until: queue.horizon, entry, paying: customer.payer)
        else { return nil }
        let revision = customer.nextRevision + 1
        return RenewalBatch.Step(
            key: key, decision: decision, entries: decision.events.map { JournalEntry($0, of: decision.subscription) },
            revision: revision,
            rows: decision.transactions.map { TransactionsTable.PendingRow($0, revision: revision, key) })
    }

    private mutating func put(_ step: RenewalBatch.Step, at place: Int) {
        customers[step.key]?.nextRevision = step.revision
        due[place].subscription = step.decision.subscription
        queue.put(step.decision.subscription)
        steps.append(step)
    }

    func result(era: Int64, catalogRevision: Int64, end: DuePosition?) -> RenewalBatch {
        RenewalBatch(
            steps: steps,
            customers: customers.values.filter { $0.nextRevision > $0.revision }.sorted {
                CustomerKey.inOrderOfLocks($0.key, $1.key)
            },
            subscriptions: Set(steps.map(\.decision.subscription.id)).sorted().compactMap { id in
                places[id].map { place in
                    let item = due[place]
                    return SubscriptionsTable.Update(
                        item.subscription, document: item.subscription.document, item.customer)
                }
            }, failures: failures, era: era, catalogRevision: catalogRevision, horizon: stepLimit?.due ?? queue.horizon,
            end: stepLimit ?? end)
    }
}
