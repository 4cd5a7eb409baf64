import AppStoreFormats
import Perennial
import PerennialStorage

/// Who buys: an account with an app, on a device where one is involved.
package struct Customer: Sendable, Equatable {
    package var key: CustomerKey
    package var bundleID: App.BundleID
    /// An upper-case UUID; empty where no device is involved.
    package var device: String
    package var applicationVersion: String

    package init(key: CustomerKey, bundleID: App.BundleID, device: String, applicationVersion: String) {
        self.key = key
        self.bundleID = bundleID
        self.device = device
        self.applicationVersion = applicationVersion
    }
}

extension Store {
    /// Sells: loads what bears on the purchase, decides with the rules, and writes sale, money and journal in one commit.
    ///
    /// A request with an idempotency key is decided once, for good, also when it is refused.
    /// - Throws: `PurchaseRefusal`, ``StoreError``; then nothing was charged.
    package func purchase(_ request: PurchaseRequest, by customer: Customer) async throws -> Transaction {
        let identity = PurchaseRequestsTable.Identity(of: request)
        let result = try await write { [self] connection in
            try sell(request, identity, to: try locked(customer, on: connection), on: connection)
        }
        return try result.get()
    }

    /// The same for a device's token. Whose it is, is read in the transaction that sells: one trip to the database, not two.
    package func purchase(_ request: PurchaseRequest, token: String) async throws -> (Transaction, Customer) {
        let (digest, identity) = (Self.digest(token), PurchaseRequestsTable.Identity(of: request))
        let (result, buyer): (Result<Transaction, PurchaseRefusal>, Customer) = try await write { [self] connection in
            let buyer = try lockedBuyer(tokenDigest: digest, on: connection)
            return (try sell(request, identity, to: buyer, on: connection), buyer.customer)
        }
        return (try result.get(), buyer)
    }

    /// - Parameter isResumed: Whether the customer has done meanwhile what interrupted the purchase.
    func sell(
        _ request: PurchaseRequest, to customer: Customer, isResumed: Bool = false, on connection: any Connection
    ) throws -> Result<Transaction, PurchaseRefusal> {
        try sell(
            request, .init(of: request), to: try locked(customer, on: connection), isResumed: isResumed, on: connection)
    }

    /// A refusal is an outcome that is recorded, so it is returned, not thrown; whatever is thrown undoes the change.
    ///
    /// - Parameter identity: Worked out before, where it can be, for all who buy share one thread that writes.
    private func sell(
        _ request: PurchaseRequest, _ identity: PurchaseRequestsTable.Identity?, to buyer: Buyer,
        isResumed: Bool = false, on connection: any Connection
    ) throws -> Result<Transaction, PurchaseRefusal> {
        try request.checkSizes()
        var claim = try KeyClaim(identity, numbers)
        if let outcome = try claimedBefore(claim, request, by: buyer.customer, on: connection) { return outcome }
        do {
            let transaction = try decided(request, buyer, &claim, isResumed: isResumed, on: connection)
            try remember(.sold(transaction.id), of: claim, buyer.customer, on: connection)
            return .success(transaction)
        } catch let refusal as PurchaseRefusal {
            try remember(.refused(refusal.code, reason: refusal.reason), of: claim, buyer.customer, on: connection)
            return .failure(refusal)
        }
    }

    /// - Throws: `PurchaseRefusal`; what was written by then stands, such as that a customer has to act first.
    private func decided(
        _ request: PurchaseRequest, _ buyer: Buyer, _ claim: inout KeyClaim, isResumed: Bool,
        on connection: any Connection
    ) throws -> Transaction {
        let (customer, entry, account) = (buyer.customer, buyer.entry, buyer.locked.account)
        var revision = buyer.locked.revision
        guard let product = entry.products[request.productID] else {
            throw PurchaseRefusal(.productNotAvailable, request.productID, "this app has no product with that ID")
        }
        let now = try clock.now(on: connection)
        if account.interruptsPurchases, !isResumed, environment.sells(product) {
            throw try interrupt(request, by: customer, at: now, on: connection)
        }
        let subscriptions = try subscriptions(
            inGroupOf: product, customer, entry, at: now, revision: &revision, on: connection)
        // What was due before it has taken numbers meanwhile, and numbers rise.
        if revision != buyer.locked.revision { claim.number = nil }
        var situation = PurchaseSituation(
            environment: environment, app: entry.app, product: product, account: account,
            history: try history(of: product, customer, on: connection), subscription: subscriptions.own,
            shared: subscriptions.shared, billing: entry.billing)
        if let running = subscriptions.own, running.product.id != product.id {
            situation.sales = try runningSales(of: running, customer.key, on: connection)
        }
        let claimed = OfferPurchase(request: request, customer: customer, product: product, now: now)
        situation.provenOffer = try provenOffer(of: claimed, on: connection)
        if !product.codeOffers.isEmpty, situation.provenOffer != nil || request.offerID != nil {
            situation.spending = try TransactionsTable.spending(of: customer.key, on: product.id, on: connection)
        }
        let purchase = try Purchase.decide(request, in: situation, at: now) {
            defer { claim.number = nil }
            return try claim.number ?? numbers.next()
        }
        try spendClaim(of: claimed, for: purchase.transaction.id, on: connection)
        try record(purchase, customer, revision: &revision, on: connection)
        if product.isFamilyShareable, product.type == .nonConsumable {
            for member in try family(of: customer.key, on: connection) {
                try share(purchase.transaction, with: member, customer.key, at: now, on: connection)
            }
        }
        return purchase.transaction
    }

    /// What a request with the same key came to. Where there was none, the key is this one's from now on.
    private func claimedBefore(
        _ claim: KeyClaim, _ request: PurchaseRequest, by customer: Customer, on connection: any Connection
    ) throws -> Result<Transaction, PurchaseRefusal>? {
        guard let identity = claim.identity,
            try !PurchaseRequestsTable.claim(identity, for: claim.transactionID, of: customer.key, on: connection),
            let known = try PurchaseRequestsTable.record(forKey: identity.key, of: customer.key, on: connection)
        else { return nil }
        guard known.request == identity.request else {
            return .failure(
                PurchaseRefusal(
                    .idempotencyKeyReused, request.productID,
                    "the key was used for another purchase; a new purchase needs a new key"))
        }
        switch known.outcome {
        case .refused(let code, let reason): return .failure(PurchaseRefusal(code, request.productID, reason))
        case .sold(let id):
            let sold = try TransactionsTable.transaction(id, app: customer.key.app, environment.id, on: connection)
            return sold.map(Result.success)
        }
    }

    private func history(
        of product: Product, _ customer: Customer, on connection: any Connection
    ) throws -> [Transaction] {
        // Consumables are bought over and over: nothing that was bought before bears on them.
        guard product.type != .consumable else { return [] }
        return try TransactionsTable.history(
            of: customer.key, product: product.id, group: product.subscription?.groupID, on: connection)
    }

    /// The customer's subscriptions in a product's group; of the own one, everything that is due was done.
    private func subscriptions(
        inGroupOf product: Product, _ customer: Customer, _ entry: CatalogCache.Entry, at now: Instant,
        revision: inout Int64, on connection: any Connection
    ) throws -> GroupSubscriptions {
        guard let group = product.subscription?.groupID else { return GroupSubscriptions() }
        var known = GroupSubscriptions(try SubscriptionsTable.all(of: customer.key, on: connection), group: group)
        if let own = known.own {
            known.own = try settled(
                own.id, customer.key, entry, until: now.wholeSeconds, revision: &revision, on: connection)
        }
        return known
    }

    private func record(
        _ purchase: Purchase, _ customer: Customer, revision: inout Int64, on connection: any Connection
    ) throws {
        switch purchase.outcome {
        case .sold(let entry):
            let position = try JournalTable.append([entry], app: customer.key.app, environment.id, on: connection)
            try TransactionsTable.insert(
                purchase.transaction, journalPosition: position, revision: revision + 1, customer.key, on: connection)
            try notify(of: [entry], last: position, app: customer.key.app, on: connection)
            revision += 1
            try CustomersTable.setRevision(revision, customer.key, on: connection)
        case .subscribed(let decision):
            try record(decision, customer.key, revision: &revision, on: connection)
        }
    }

    private func remember(
        _ outcome: PurchaseRequestsTable.Outcome, of claim: KeyClaim, _ customer: Customer,
        on connection: any Connection
    ) throws {
        guard let identity = claim.identity, outcome != .sold(claim.transactionID) else { return }
        try PurchaseRequestsTable.update(outcome, forKey: identity.key, of: customer.key, on: connection)
    }

    private func locked(_ customer: Customer, on connection: any Connection) throws -> Buyer {
        guard let locked = try CustomersTable.lockWithAccount(customer.key, on: connection) else {
            throw StoreError(.accountNotFound, "\(customer.key.account.rawValue)", "the account is gone")
        }
        return Buyer(customer: customer, locked: locked, entry: try app(customer.bundleID, on: connection))
    }

    /// The customer who is signed in on the device with a token.
    private func lockedBuyer(tokenDigest: [UInt8], on connection: any Connection) throws -> Buyer {
        let found = try DevicesTable.lockCustomer(tokenDigest: tokenDigest, environment.id, on: connection)
        guard let found else {
            // Whether it is the device or the account that isn't there.
            return try locked(try customer(tokenDigest: tokenDigest, on: connection), on: connection)
        }
        let (customer, entry) = try signedIn(found.device, on: connection)
        return Buyer(customer: customer, locked: found.customer, entry: entry)
    }
}

/// Who buys, locked until the transaction of the purchase ends, and of which app.
private struct Buyer {
    let customer: Customer
    let locked: LockedCustomer
    let entry: CatalogCache.Entry
}

/// A request's key is claimed before anything else is decided, together with the number that its transaction has unless
/// something comes between: one statement looks whether the key is new and writes the outcome that nearly all have.
private struct KeyClaim {
    let identity: PurchaseRequestsTable.Identity?
    let transactionID: TransactionID
    /// To be the transaction's; `nil` once it is taken.
    var number: Int64?

    init(_ identity: PurchaseRequestsTable.Identity?, _ numbers: NumberSource) throws {
        let number = try numbers.next()
        self.identity = identity
        self.number = number
        transactionID = TransactionID(rawValue: number)
    }
}

extension PurchaseRequest {
    /// Keys and names are stored for good, so they are bounded.
    fileprivate func checkSizes() throws {
        if let key = idempotencyKey, !(1...Self.maximumKeyLength).contains(key.utf8.count) || key.utf8.contains(0) {
            throw StoreError(.malformed, "idempotencyKey", "a key has 1 to \(Self.maximumKeyLength) bytes")
        }
        if let name = applicationUsername, name.utf8.count > Self.maximumUsernameLength || name.utf8.contains(0) {
            throw StoreError(.malformed, "applicationUsername", "at most \(Self.maximumUsernameLength) bytes")
        }
        if let claim, !claim.isBounded {
            throw StoreError(.malformed, "offer", "an offer's parts have at most \(OfferClaim.maximumTextLength) bytes")
        }
    }
}

extension OfferClaim {
    fileprivate var isBounded: Bool {
        let texts: [String]
        switch self {
        case .signed(let offer):
            guard offer.signature.count <= Self.maximumTextLength else { return false }
            texts = [offer.offerID, offer.keyID, offer.nonce]
        // Its reader has a limit of its own.
        case .token(let text): return text.utf8.count <= KeySignedToken.maximumLength
        case .winBack(let id): texts = [id]
        case .code(let code): texts = [code]
        }
        return texts.allSatisfy { $0.utf8.count <= Self.maximumTextLength && !$0.utf8.contains(0) }
    }
}
