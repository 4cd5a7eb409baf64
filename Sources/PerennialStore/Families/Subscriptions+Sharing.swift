import Perennial
import PerennialStorage

/// Family Sharing.
///
/// Every member has transactions of their own for what another member bought. They are written in the commit that changes
/// the purchaser's, so that neither is visible without the other.
extension Subscriptions {
    /// Returns the other members of a customer's family; empty if there is none.
    func family(of key: CustomerKey, on connection: any Connection) throws -> [Account.ID] {
        try family(of: key.account, on: connection)?.others(than: key.account) ?? []
    }

    private func family(of account: Account.ID, on connection: any Connection) throws -> Family? {
        guard let number = try FamiliesTable.number(of: account, environment.id, on: connection) else { return nil }
        return try FamiliesTable.family(number, environment.id, on: connection)
    }

    /// Returns the members who share a purchaser's subscription; `nil` if it is not shared, which is the usual case.
    ///
    /// - Parameter isShareable: True if it can be shared for another reason than its products.
    func sharers(
        of subscription: Subscription, orOf isShareable: Bool = false, _ key: CustomerKey,
        on connection: any Connection
    ) throws -> [Account.ID]? {
        guard isShareable || subscription.isShareable, subscription.ownership == .purchased else { return nil }
        let others = try family(of: key, on: connection)
        return others.isEmpty ? nil : others
    }

    /// Returns the members whom an unwritten decision affects, and the subscription before it; `nil` if it affects no one else.
    func sharers(
        of decision: SubscriptionDecision, _ key: CustomerKey, on connection: any Connection
    ) throws -> (members: [Account.ID], before: Subscription?)? {
        let subscription = decision.subscription
        guard let members = try sharers(of: subscription, orOf: decision.concernsEarlierPeriods, key, on: connection)
        else { return nil }
        let before = try SubscriptionsTable.subscription(
            subscription.id, app: key.app, environment.id, on: connection)
        // The running period, or the one that members wait for, may have been shared although the next one isn't.
        guard subscription.isShareable || before?.isShareable == true else { return nil }
        return (members, before)
    }

    /// Applies a decision about a purchaser's subscription to the members' subscriptions.
    ///
    /// - Parameter before: The subscription before the decision; `nil` for a new one.
    func share(
        _ decision: SubscriptionDecision, from before: Subscription?, with members: [Account.ID], _ key: CustomerKey,
        on connection: any Connection
    ) throws {
        guard let now = decision.events.first?.at else { return }
        let source = decision.subscription
        let shares = try SharedPurchasesTable.shares(of: source.id, app: key.app, environment.id, on: connection)
        for member in members {
            let shared = try shares.first { $0.account == member }.flatMap {
                try SubscriptionsTable.subscription($0.copy, app: key.app, environment.id, on: connection)
            }
            if let shared, let before {
                let memberKey = key.member(member)
                var revision = try lockMember(memberKey, of: key, on: connection)
                let current = try memberUpToDate(shared, memberKey, at: now, revision: &revision, on: connection)
                let followed = try current.applyingPurchaserChange(decision, from: before, at: now, id: ids.next)
                guard !followed.events.isEmpty || !followed.changes.isEmpty || followed.subscription != current else {
                    continue
                }
                try record(followed, memberKey, revision: &revision, on: connection)
            } else {
                try share(source, earlier: shared, with: member, key, at: now, on: connection)
            }
        }
    }

    /// Creates a member's subscription for a purchaser's that runs.
    func share(
        _ subscription: Subscription, earlier: Subscription?, with member: Account.ID, _ key: CustomerKey,
        at now: Instant, on connection: any Connection
    ) throws {
        guard subscription.isSharing(at: now), earlier?.isEntitled(at: now) != true else { return }
        let (memberKey, revision) = try joined(member, key, at: now, on: connection)
        var raised = revision
        let decision = try subscription.shared(with: member, earlier: earlier, at: now, id: ids.next)
        try record(decision, memberKey, revision: &raised, on: connection)
        try SharedPurchasesTable.put(
            .init(source: subscription.id, owner: key.account, account: member, copy: decision.subscription.id),
            app: key.app, environment.id, on: connection)
    }

    /// Creates a member's transaction for a purchaser's non-consumable.
    func share(
        _ purchase: Transaction, with member: Account.ID, _ key: CustomerKey, at now: Instant,
        on connection: any Connection
    ) throws {
        let (memberKey, revision) = try joined(member, key, at: now, on: connection)
        let owned = try TransactionsTable.history(
            of: memberKey, product: purchase.productID, group: nil, on: connection)
        guard !owned.contains(where: { $0.isInForce(at: now) }) else { return }
        let earlier = try SharedPurchasesTable.shares(
            of: purchase.originalID, app: key.app, environment.id, on: connection
        ).first { $0.account == member }.flatMap { share in owned.last { $0.originalID == share.copy } }
        let id = TransactionID(rawValue: try ids.next())
        guard let shared = purchase.shared(with: member, earlier: earlier, as: id, at: now) else { return }
        let entry = JournalEntry(.shared, at: now, shared)
        let position = try JournalTable.append([entry], app: key.app, environment.id, on: connection)
        try TransactionsTable.insert(
            shared, journalPosition: position, revision: revision + 1, memberKey, on: connection)
        try outbox.notify(of: [entry], last: position, app: key.app, on: connection)
        try CustomersTable.setRevision(revision + 1, memberKey, on: connection)
        try SharedPurchasesTable.put(
            .init(source: purchase.originalID, owner: key.account, account: member, copy: shared.originalID),
            app: key.app, environment.id, on: connection)
    }

    /// Gives every member the non-consumables of an app that another member owns. Members who have one already keep theirs.
    ///
    /// The customers of all members must be locked: what one owns could be refunded meanwhile.
    func shareOwned(in family: Family, _ entry: CatalogCache.Entry, on connection: any Connection) throws {
        for owner in family.everyone {
            for member in family.others(than: owner) {
                try shareOwned(of: owner, with: member, entry, on: connection)
            }
        }
    }

    /// Gives a member the non-consumables that an owner bought.
    func shareOwned(
        of owner: Account.ID, with member: Account.ID, _ entry: CatalogCache.Entry, on connection: any Connection
    ) throws {
        let key = customerKey(of: owner, in: entry.app)
        let now = try clock.now(on: connection)
        for purchase in try TransactionsTable.all(of: key, on: connection)
        where entry.products[purchase.productID]?.isFamilyShareable == true {
            guard purchase.type == .nonConsumable, purchase.ownership == .purchased, purchase.isInForce(at: now)
            else { continue }
            try share(purchase, with: member, key, at: now, on: connection)
        }
    }

    /// Revokes the members' transactions of a refunded purchase. Then shares what another member owns too, or what the
    /// purchaser has paid for again.
    func endSharing(
        of refunded: Transaction, _ key: CustomerKey, at now: Instant, on connection: any Connection
    ) throws {
        guard refunded.type == .nonConsumable else { return }
        for share in try SharedPurchasesTable.shares(
            of: refunded.originalID, app: key.app, environment.id, on: connection)
        {
            try endSharing(share, app: key.app, at: now, on: connection)
        }
        guard let family = try family(of: key.account, on: connection),
            let entry = try catalog.entry(number: key.app, on: connection)
        else { return }
        for member in family.others(than: key.account).map(key.member)
        where try CustomersTable.knownRevision(member, on: connection) != nil {
            _ = try lockMember(member, of: key, on: connection)
        }
        try shareOwned(in: family, entry, on: connection)
    }

    /// Revokes a member's transactions or subscription: the purchase was refunded, or is no longer shared.
    func endSharing(
        _ share: SharedPurchasesTable.Share, app: Int64, at now: Instant, on connection: any Connection
    ) throws {
        let key = CustomerKey(environment: environment.id, app: app, account: share.account)
        var revision = try lockMember(key, of: key.member(share.owner), on: connection)
        if let shared = try SubscriptionsTable.subscription(share.copy, app: app, environment.id, on: connection) {
            guard !shared.hasEnded, let entry = try catalog.entry(number: app, on: connection) else { return }
            let decision = try shared.decide(
                .accessRevoked, at: now, in: try renewalContext(of: shared, entry, on: connection), id: ids.next)
            try record(decision, key, revision: &revision, on: connection)
            return
        }
        for shared in try TransactionsTable.all(of: key, on: connection)
        where shared.originalID == share.copy && shared.isInForce(at: now) {
            let entry = JournalEntry(.sharingEnded, at: now, shared)
            let position = try JournalTable.append([entry], app: app, environment.id, on: connection)
            try TransactionsTable.update(
                shared.accessRevoked(at: now), revision: revision + 1, key, on: connection)
            try outbox.notify(of: [entry], last: position, app: app, on: connection)
            revision += 1
            try CustomersTable.setRevision(revision, key, on: connection)
        }
    }

    /// Brings a member's subscription up to date.
    private func memberUpToDate(
        _ shared: Subscription, _ key: CustomerKey, at now: Instant, revision: inout Int64,
        on connection: any Connection
    ) throws -> Subscription {
        guard let due = shared.nextDue, due <= now, let entry = try catalog.entry(number: key.app, on: connection)
        else {
            return shared
        }
        return try broughtUpToDate(shared.id, key, entry, until: now, revision: &revision, on: connection)
    }

    /// Returns the member as a locked customer of the app. A member who never used the app becomes a customer.
    private func joined(
        _ member: Account.ID, _ key: CustomerKey, at now: Instant, on connection: any Connection
    ) throws -> (CustomerKey, Int64) {
        let memberKey = key.member(member)
        try CustomersTable.join(memberKey, at: now, on: connection)
        return (memberKey, try lockMember(memberKey, of: key, on: connection))
    }
}
