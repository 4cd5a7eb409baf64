import Perennial
import PerennialStorage

/// What was bought, as far as a family shares it.
///
/// Every member has transactions of its own for what another one bought. They are written in the commit that changes the
/// purchaser's, so that nobody sees the one without the others.
extension Store {
    /// The others in a customer's family; empty where there is none.
    func family(of key: CustomerKey, on connection: any Connection) throws -> [Account.ID] {
        try family(of: key.account, on: connection)?.others(than: key.account) ?? []
    }

    private func family(of account: Account.ID, on connection: any Connection) throws -> Family? {
        guard let number = try FamiliesTable.number(of: account, environment.id, on: connection) else { return nil }
        return try FamiliesTable.family(number, environment.id, on: connection)
    }

    /// Who shares a subscription that its purchaser has; `nil` for what nobody shares, which is nearly everything.
    ///
    /// - Parameter isShareable: Whether it can be shared for another reason than the products it is of.
    func sharers(
        of subscription: Subscription, orOf isShareable: Bool = false, _ key: CustomerKey,
        on connection: any Connection
    ) throws -> [Account.ID]? {
        guard isShareable || subscription.isShareable, subscription.ownership == .purchased else { return nil }
        let others = try family(of: key, on: connection)
        return others.isEmpty ? nil : others
    }

    /// Whom a decision that isn't written yet concerns besides the purchaser, and what the subscription was before it; `nil`
    /// where it concerns nobody.
    func sharers(
        of decision: SubscriptionDecision, _ key: CustomerKey, on connection: any Connection
    ) throws -> (members: [Account.ID], before: Subscription?)? {
        let subscription = decision.subscription
        guard let members = try sharers(of: subscription, orOf: decision.concernsEarlierPeriods, key, on: connection)
        else { return nil }
        let before = try SubscriptionsTable.subscription(
            subscription.id, app: key.app, environment.id, on: connection)
        // What ran, or what members wait for, may have been shared, where nothing is from now on.
        guard subscription.isShareable || before?.isShareable == true else { return nil }
        return (members, before)
    }

    /// Lets family members follow what became of a purchaser's subscription.
    ///
    /// - Parameter before: The subscription before the decision; `nil` for a new one.
    func share(
        _ decision: SubscriptionDecision, from before: Subscription?, with members: [Account.ID], _ key: CustomerKey,
        on connection: any Connection
    ) throws {
        guard let now = decision.facts.first?.at else { return }
        let source = decision.subscription
        let shares = try SharedPurchasesTable.shares(of: source.id, app: key.app, environment.id, on: connection)
        for member in members {
            let copy = try shares.first { $0.account == member }.flatMap {
                try SubscriptionsTable.subscription($0.copy, app: key.app, environment.id, on: connection)
            }
            if let copy, let before {
                var memberKey = key
                memberKey.account = member
                var revision = try CustomersTable.lock(memberKey, on: connection)
                let current = try ended(copy, memberKey, at: now, revision: &revision, on: connection)
                let followed = try current.following(decision, from: before, at: now, id: numbers.next)
                guard !followed.facts.isEmpty || !followed.changes.isEmpty || followed.subscription != current else {
                    continue
                }
                try record(followed, memberKey, revision: &revision, on: connection)
            } else {
                try share(source, earlier: copy, with: member, key, at: now, on: connection)
            }
        }
    }

    /// Gives a family member a copy of a subscription that runs.
    func share(
        _ subscription: Subscription, earlier: Subscription?, with member: Account.ID, _ key: CustomerKey,
        at now: Instant, on connection: any Connection
    ) throws {
        guard subscription.sharesAnything(at: now), earlier?.isEntitled(at: now) != true else { return }
        let (memberKey, revision) = try joined(member, key, at: now, on: connection)
        var raised = revision
        let decision = try subscription.shared(with: member, earlier: earlier, at: now, id: numbers.next)
        try record(decision, memberKey, revision: &raised, on: connection)
        try SharedPurchasesTable.put(
            .init(source: subscription.id, owner: key.account, account: member, copy: decision.subscription.id),
            app: key.app, environment.id, on: connection)
    }

    /// Gives a family member a copy of a non-consumable.
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
        let id = TransactionID(rawValue: try numbers.next())
        guard let copy = purchase.shared(with: member, earlier: earlier, as: id, at: now) else { return }
        let told = JournalEntry(.shared, at: now, copy)
        let position = try JournalTable.append([told], app: key.app, environment.id, on: connection)
        try TransactionsTable.insert(
            copy, journalPosition: position, revision: revision + 1, memberKey, on: connection)
        try notify(of: [told], last: position, app: key.app, on: connection)
        try CustomersTable.setRevision(revision + 1, memberKey, on: connection)
        try SharedPurchasesTable.put(
            .init(source: purchase.originalID, owner: key.account, account: member, copy: copy.originalID),
            app: key.app, environment.id, on: connection)
    }

    /// Gives everybody in a family the non-consumables that somebody else in it owns: those who have one already, of
    /// whomever, keep it.
    func shareOwned(in family: Family, on connection: any Connection) throws {
        for entry in try catalog.all(on: connection) {
            for owner in family.everyone {
                for member in family.others(than: owner) {
                    try shareOwned(of: owner, with: member, entry, on: connection)
                }
            }
        }
    }

    /// Gives a family member the non-consumables that somebody owns.
    func shareOwned(
        of owner: Account.ID, with member: Account.ID, _ entry: CatalogCache.Entry, on connection: any Connection
    ) throws {
        let key = CustomerKey(environment: environment.id, app: entry.app.appleID, account: owner)
        let now = try clock.now(on: connection)
        for purchase in try TransactionsTable.all(of: key, on: connection)
        where entry.products[purchase.productID]?.isFamilyShareable == true {
            guard purchase.type == .nonConsumable, purchase.ownership == .purchased, purchase.isInForce(at: now)
            else { continue }
            try share(purchase, with: member, key, at: now, on: connection)
        }
    }

    /// Takes back what members have of a purchase that was refunded. What somebody else in the family owns too is shared from
    /// there, and what its purchaser paid for again.
    func endSharing(
        of refunded: Transaction, _ key: CustomerKey, at now: Instant, on connection: any Connection
    ) throws {
        guard refunded.type == .nonConsumable else { return }
        for share in try SharedPurchasesTable.shares(
            of: refunded.originalID, app: key.app, environment.id, on: connection)
        {
            try endSharing(share, app: key.app, at: now, on: connection)
        }
        guard let family = try family(of: key.account, on: connection) else { return }
        try shareOwned(in: family, on: connection)
    }

    /// Takes back what stands for a purchase: it was refunded, or is no longer shared.
    func endSharing(
        _ share: SharedPurchasesTable.Share, app: Int64, at now: Instant, on connection: any Connection
    ) throws {
        let key = CustomerKey(environment: environment.id, app: app, account: share.account)
        var revision = try CustomersTable.lock(key, on: connection)
        if let copy = try SubscriptionsTable.subscription(share.copy, app: app, environment.id, on: connection) {
            guard !copy.hasEnded, let entry = try catalog.entry(number: app, on: connection) else { return }
            let decision = try copy.decide(
                .accessRevoked, at: now, in: try context(of: copy, entry, on: connection), id: numbers.next)
            try record(decision, key, revision: &revision, on: connection)
            return
        }
        for copy in try TransactionsTable.all(of: key, on: connection)
        where copy.originalID == share.copy && copy.isInForce(at: now) {
            let told = JournalEntry(.sharingEnded, at: now, copy)
            let position = try JournalTable.append([told], app: app, environment.id, on: connection)
            try TransactionsTable.update(
                copy.accessRevoked(at: now), revision: revision + 1, key, on: connection)
            try notify(of: [told], last: position, app: app, on: connection)
            revision += 1
            try CustomersTable.setRevision(revision, key, on: connection)
        }
    }

    /// A member's copy, after its own end came.
    private func ended(
        _ copy: Subscription, _ key: CustomerKey, at now: Instant, revision: inout Int64, on connection: any Connection
    ) throws -> Subscription {
        guard let due = copy.nextDue, due <= now, let entry = try catalog.entry(number: key.app, on: connection) else {
            return copy
        }
        return try settled(copy.id, key, entry, until: now, revision: &revision, on: connection)
    }

    /// The member as a customer of the app, locked; a member who never used the app becomes one.
    private func joined(
        _ member: Account.ID, _ key: CustomerKey, at now: Instant, on connection: any Connection
    ) throws -> (CustomerKey, Int64) {
        let memberKey = CustomerKey(environment: key.environment, app: key.app, account: member)
        try CustomersTable.join(memberKey, at: now, on: connection)
        return (memberKey, try CustomersTable.lock(memberKey, on: connection))
    }
}
