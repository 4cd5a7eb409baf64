import AppStoreFormats
import Perennial
import PerennialStorage

/// A customer: an account in an app, on a device if one is involved.
package struct Customer: Sendable, Equatable {
    package var key: CustomerKey
    package var bundleID: App.BundleID
    /// An upper-case UUID; empty if no device is involved.
    package var device: String
    package var applicationVersion: String
    /// The kind of device; `nil` if it isn't known.
    package var deviceFamily: DeviceFamily?

    package init(
        key: CustomerKey, bundleID: App.BundleID, device: String, applicationVersion: String,
        deviceFamily: DeviceFamily? = nil
    ) {
        self.key = key
        self.bundleID = bundleID
        self.device = device
        self.applicationVersion = applicationVersion
        self.deviceFamily = deviceFamily
    }

    /// The device and the version of its app, for the facts of a sale; `nil` without a device.
    var saleFacts: SaleFacts? {
        device.isEmpty ? nil : SaleFacts(device: deviceFamily, appVersion: applicationVersion)
    }
}

/// Purchases: loads, decides and writes them in one transaction, and keeps the outcome of each request.
package struct Purchases: StoreChapter {
    let context: StoreContext
    let outbox: NotificationOutbox
    let accounts: Accounts
    let offers: Offers
    let subscriptions: Subscriptions
    let transactions: Transactions

    /// Buys a product: loads the situation, decides with the rules, and writes transaction, money and journal in one
    /// commit.
    ///
    /// A request with an idempotency key is decided once, for good, also when it is refused.
    ///
    /// - Parameter device: The device and its app's version for reports, if they aren't those of the customer.
    /// - Throws: `PurchaseRefusal`, ``StoreError``; then nothing was charged.
    package func buy(
        _ request: PurchaseRequest, by customer: Customer, on device: SaleFacts? = nil
    ) async throws -> Transaction {
        let identity = PurchaseRequestsTable.Identity(of: request)
        let result = try await subscriptions.write(planning: { plan(request, identity, by: customer.key) }) {
            [self] plan, connection in
            var buyer = try lock(customer, on: connection)
            if let device { buyer.facts = device }
            return try sell(request, identity, plan, to: buyer, on: connection)
        }
        return try result.get()
    }

    /// Buys a product for the customer of a device's token, who is looked up in the transaction of the purchase: one trip
    /// to the database, not two.
    ///
    /// - Throws: ``ApprovalNeeded`` for a tester who asks to buy; nothing was written then.
    package func buy(_ request: PurchaseRequest, token: String) async throws -> (Transaction, Customer) {
        let (digest, identity) = (Accounts.digest(token), PurchaseRequestsTable.Identity(of: request))
        let (result, buyer): (Result<Transaction, PurchaseRefusal>, Customer) = try await subscriptions.write(
            planning: { plan(request, identity, tokenDigest: digest) }
        ) { [self] plan, connection in
            let buyer = try lockedBuyer(tokenDigest: digest, on: connection)
            if buyer.locked.account.asksToBuy, environment.kind.isForTests { throw ApprovalNeeded() }
            return (try sell(request, identity, plan, to: buyer, on: connection), buyer.customer)
        }
        return (try result.get(), buyer)
    }

    /// Buys a product for the customer of a device's token, and reads something about the transaction before its commit.
    func buy<Further: Sendable>(
        _ request: PurchaseRequest, token: String,
        reading further: @escaping @Sendable (Transaction, Customer, App, any Connection) throws -> Further
    ) async throws -> (Transaction, Further) {
        let (digest, identity) = (Accounts.digest(token), PurchaseRequestsTable.Identity(of: request))
        let result: Result<(Transaction, Further), PurchaseRefusal> = try await subscriptions.write(
            planning: { plan(request, identity, tokenDigest: digest) }
        ) { [self] plan, connection in
            let buyer = try lockedBuyer(tokenDigest: digest, on: connection)
            switch try sell(request, identity, plan, to: buyer, on: connection) {
            case .success(let transaction):
                return .success((transaction, try further(transaction, buyer.customer, buyer.entry.app, connection)))
            case .failure(let refusal): return .failure(refusal)
            }
        }
        return try result.get()
    }

    /// Redeems a code: buys its product under its offer.
    ///
    /// - Throws: `PurchaseRefusal`, ``StoreError``; then nothing was charged, and the code is still valid.
    package func redeem(_ code: String, idempotencyKey: String?, by customer: Customer) async throws -> Transaction {
        let result = try await subscriptions.write { [self] connection in
            // The customer before the code, as in a purchase that names the code.
            let buyer = try lock(customer, on: connection)
            let request = try offers.request(redeeming: code, key: idempotencyKey, customer, on: connection)
            return try sell(request, .init(of: request), to: buyer, on: connection)
        }
        return try result.get()
    }

    /// Buys a product within a transaction.
    ///
    /// - Parameter isResumed: True if the customer has resolved the interruption.
    func sell(
        _ request: PurchaseRequest, to customer: Customer, isResumed: Bool = false, on connection: any Connection
    ) throws -> Result<Transaction, PurchaseRefusal> {
        try sell(
            request, .init(of: request), to: try lock(customer, on: connection), isResumed: isResumed, on: connection)
    }

    /// Buys a product once per idempotency key. Returns refusals, because they are recorded; errors roll the transaction
    /// back.
    ///
    /// - Parameter identity: Computed before the transaction if possible, because one thread writes for all customers.
    private func sell(
        _ request: PurchaseRequest, _ identity: PurchaseRequestsTable.Identity?,
        _ planned: PlannedReservation? = nil, to buyer: Buyer,
        isResumed: Bool = false, on connection: any Connection
    ) throws -> Result<Transaction, PurchaseRefusal> {
        try request.checkSizes()
        var reservation = try IdempotencyReservation(identity, planned, ids, on: connection)
        if let outcome = try previousOutcome(reservation, request, by: buyer.customer, on: connection) {
            return outcome
        }
        do {
            let transaction = try decide(request, buyer, &reservation, isResumed: isResumed, on: connection)
            try recordOutcome(.sold(transaction.id), of: reservation, buyer.customer, on: connection)
            return .success(transaction)
        } catch let refusal as PurchaseRefusal {
            try recordOutcome(
                .refused(refusal.code, reason: refusal.reason), of: reservation, buyer.customer, on: connection)
            return .failure(refusal)
        }
    }

    /// Decides and writes a purchase.
    ///
    /// - Throws: `PurchaseRefusal`. Changes up to then stay, such as a stored interruption.
    private func decide(
        _ request: PurchaseRequest, _ buyer: Buyer, _ reservation: inout IdempotencyReservation, isResumed: Bool,
        on connection: any Connection
    ) throws -> Transaction {
        let (customer, entry, account) = (buyer.customer, buyer.entry, buyer.locked.account)
        var revision = buyer.locked.revision
        let now = try clock.now(on: connection)
        guard let product = entry.product(request.productID, at: now) else {
            throw PurchaseRefusal(.productNotAvailable, request.productID, "this app has no product with that ID")
        }
        let canInterrupt = account.interruptsPurchases && !isResumed && !request.isGrant
        if canInterrupt, environment.sells(product, in: account.storefront) {
            throw try interrupt(request, by: customer, at: now, on: connection)
        }
        let owned = try ownedSubscriptions(
            inGroupOf: product, customer, entry, at: now, revision: &revision, on: connection)
        // The renewals before it have allocated IDs meanwhile, and IDs must rise.
        if revision != buyer.locked.revision { reservation.number = nil }
        var situation = PurchaseContext(
            environment: environment, app: entry.app, product: product, account: account,
            history: try history(of: product, customer, on: connection), subscription: owned.own,
            shared: owned.shared, billing: entry.billing)
        if let running = owned.own, running.product.id != product.id {
            situation.sales = try transactions.runningSales(of: running, customer.key, on: connection)
        }
        let claimed = OfferPurchase(request: request, customer: customer, product: product, now: now)
        situation.provenOffer = try offers.verifiedOffer(of: claimed, on: connection)
        if !product.codeOffers.isEmpty, situation.provenOffer != nil || request.offerID != nil {
            situation.spending = try TransactionsTable.spending(of: customer.key, on: product.id, on: connection)
        }
        let purchase = try Purchase.decide(request, in: situation, at: now) {
            defer { reservation.number = nil }
            return try reservation.number ?? ids.next()
        }
        try offers.consumeClaim(of: claimed, for: purchase.transaction.id, on: connection)
        try record(purchase, buyer, revision: &revision, on: connection)
        if let note = request.grantNote {
            try GrantsTable.insert(
                note, of: purchase.transaction.id, app: customer.key.app, environment.id, on: connection)
        }
        if product.isFamilyShareable, product.type == .nonConsumable {
            for member in try subscriptions.family(of: customer.key, on: connection) {
                try subscriptions.share(purchase.transaction, with: member, customer.key, at: now, on: connection)
            }
        }
        return purchase.transaction
    }

    /// Returns the outcome of an earlier request with the same key. Reserves the key if there was none.
    private func previousOutcome(
        _ reservation: IdempotencyReservation, _ request: PurchaseRequest, by customer: Customer,
        on connection: any Connection
    ) throws -> Result<Transaction, PurchaseRefusal>? {
        if let announced = reservation.announced, try announced.isMade(of: customer.key, on: connection) { return nil }
        guard let identity = reservation.identity,
            try !PurchaseRequestsTable.reserve(
                identity, for: reservation.transactionID, of: customer.key, on: connection),
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
        // Earlier purchases don't matter for consumables.
        guard product.type != .consumable else { return [] }
        return try TransactionsTable.history(
            of: customer.key, product: product.id, group: product.subscription?.groupID, on: connection)
    }

    /// Returns the customer's subscriptions in a product's group, their own brought up to date.
    private func ownedSubscriptions(
        inGroupOf product: Product, _ customer: Customer, _ entry: CatalogCache.Entry, at now: Instant,
        revision: inout Int64, on connection: any Connection
    ) throws -> GroupSubscriptions {
        guard let group = product.subscription?.groupID else { return GroupSubscriptions() }
        var known = GroupSubscriptions(try SubscriptionsTable.all(of: customer.key, on: connection), group: group)
        if let own = known.own {
            known.own = try subscriptions.broughtUpToDate(
                own.id, customer.key, entry, until: now.wholeSeconds, revision: &revision, on: connection)
        }
        return known
    }

    private func record(
        _ purchase: Purchase, _ buyer: Buyer, revision: inout Int64, on connection: any Connection
    ) throws {
        let customer = buyer.customer
        switch purchase.outcome {
        case .sold(let sale):
            let entry = sale.sold(on: buyer.facts)
            let position = try JournalTable.append([entry], app: customer.key.app, environment.id, on: connection)
            try TransactionsTable.insert(
                purchase.transaction, journalPosition: position, revision: revision + 1, customer.key, on: connection)
            try outbox.notify(of: [entry], last: position, app: customer.key.app, on: connection)
            revision += 1
            try CustomersTable.setRevision(revision, customer.key, on: connection)
        case .subscribed(let decision):
            try subscriptions.record(
                decision, customer.key, revision: &revision, device: buyer.facts, on: connection)
        }
    }

    private func recordOutcome(
        _ outcome: PurchaseRequestsTable.Outcome, of reservation: IdempotencyReservation, _ customer: Customer,
        on connection: any Connection
    ) throws {
        guard let identity = reservation.identity, outcome != .sold(reservation.transactionID) else { return }
        try PurchaseRequestsTable.update(outcome, forKey: identity.key, of: customer.key, on: connection)
    }

    private func lock(_ customer: Customer, on connection: any Connection) throws -> Buyer {
        guard let locked = try CustomersTable.lockWithAccount(customer.key, on: connection) else {
            throw StoreError(.accountNotFound, "\(customer.key.account.rawValue)", "the account is gone")
        }
        return Buyer(customer: customer, locked: locked, entry: try app(customer.bundleID, on: connection))
    }

    /// Locks the customer of a device's token.
    private func lockedBuyer(tokenDigest: [UInt8], on connection: any Connection) throws -> Buyer {
        let found = try DevicesTable.lockCustomer(tokenDigest: tokenDigest, environment.id, on: connection)
        guard let found else {
            // Finds out whether the device or the account is missing.
            return try lock(try accounts.customer(tokenDigest: tokenDigest, on: connection), on: connection)
        }
        let (customer, entry) = try accounts.signedIn(found.device, on: connection)
        return Buyer(customer: customer, locked: found.customer, entry: entry)
    }
}

/// A purchase on the device of a tester who asks to buy: a parent decides.
struct ApprovalNeeded: Error {}

/// A customer with the app, locked until the purchase's transaction ends.
private struct Buyer {
    let customer: Customer
    let locked: LockedCustomer
    let entry: CatalogCache.Entry
    /// The device and the version of its app, for reports.
    var facts: SaleFacts?

    init(customer: Customer, locked: LockedCustomer, entry: CatalogCache.Entry) {
        self.customer = customer
        self.locked = locked
        self.entry = entry
        facts = customer.saleFacts
    }
}

/// The reservation of a request's idempotency key, made before the decision, with the ID that its transaction usually gets.
/// So a single statement checks the key and writes the usual outcome.
private struct IdempotencyReservation {
    let identity: PurchaseRequestsTable.Identity?
    /// `nil` if it wasn't announced.
    let announced: PurchaseRequestsTable.AnnouncedReservation?
    let transactionID: TransactionID
    /// The reserved ID; `nil` once it is used.
    var number: Int64?

    /// - Throws: ``IDAllocator/EraChanged`` if the planned ID can't be used any more.
    init(
        _ identity: PurchaseRequestsTable.Identity?, _ planned: Purchases.PlannedReservation?, _ ids: IDAllocator,
        on connection: any Connection
    ) throws {
        if let planned, planned.era != connection.era { throw IDAllocator.EraChanged() }
        let number = try planned?.reservation.transactionID.rawValue ?? ids.next()
        self.identity = identity
        announced = planned?.reservation
        self.number = number
        transactionID = TransactionID(rawValue: number)
    }
}

extension PurchaseRequest {
    /// Checks the sizes of texts that are stored for good.
    func checkSizes() throws {
        if let key = idempotencyKey, !(1...Self.maximumKeyLength).contains(key.utf8.count) || key.utf8.contains(0) {
            throw StoreError(.malformed, "idempotencyKey", "a key has 1 to \(Self.maximumKeyLength) bytes")
        }
        if let name = applicationUsername, name.utf8.count > Self.maximumUsernameLength || name.utf8.contains(0) {
            throw StoreError(.malformed, "applicationUsername", "at most \(Self.maximumUsernameLength) bytes")
        }
        if let reason = grantNote?.reason,
            reason.utf8.count > GrantNote.maximumReasonLength || reason.utf8.contains(0)
        {
            throw StoreError(.malformed, "reason", "at most \(GrantNote.maximumReasonLength) bytes")
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
        // Its parser has a limit of its own.
        case .token(let text): return text.utf8.count <= SignedJWT.maximumLength
        case .winBack(let id): texts = [id]
        case .code(let code): texts = [code]
        }
        return texts.allSatisfy { $0.utf8.count <= Self.maximumTextLength && !$0.utf8.contains(0) }
    }
}
