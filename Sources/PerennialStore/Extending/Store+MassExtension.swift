import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

/// How far an extension for all subscribers has got.
package struct MassExtensionStatus: Hashable, Sendable {
    package var request: MassExtension
    package var requested: Instant
    /// `nil` while subscriptions are left to be looked at.
    package var completed: Instant?

    init(_ record: MassExtensionsTable.Record) {
        request = record.request
        requested = record.requested
        completed = record.completed
    }
}

extension Store {
    /// How many subscriptions one transaction looks at.
    static let extensionBatch = 200

    /// Takes a request to extend all active subscribers of a product, and leaves the work to ``workOffMassExtensions()``.
    ///
    /// A request identifier counts once an app: asked again, whatever else is said, the status of the first request is
    /// the answer.
    /// - Throws: ``ExtensionError`` `.invalidDays`, `.invalidRequestIdentifier`, `.invalidProduct`, `.invalidStorefront`;
    ///   ``StoreError`` `.appNotFound`.
    @discardableResult
    package func requestMassExtension(
        _ request: MassExtension, bundleID: App.BundleID
    ) async throws -> MassExtensionStatus {
        try request.check()
        return try await database.write { [self] connection in
            let entry = try app(bundleID, on: connection)
            try checkExtensible(request.productID, entry)
            let app = entry.app.appleID
            let id = request.request.requestID
            if let known = try known(id, app: app, on: connection) { return MassExtensionStatus(known) }
            let record = MassExtensionsTable.Record(request: request, requested: try clock.now(on: connection))
            let isFirst = try MassExtensionsTable.insert(record, app: app, environment.id, on: connection)
            let first = isFirst ? nil : try known(id, app: app, on: connection)
            return MassExtensionStatus(first ?? record)
        }
    }

    /// Extends all active subscribers of a product, and answers when that is done.
    ///
    /// - Throws: As ``requestMassExtension(_:bundleID:)``.
    package func extendAll(_ request: MassExtension, bundleID: App.BundleID) async throws -> MassExtensionStatus {
        try await requestMassExtension(request, bundleID: bundleID)
        try await workOffMassExtensions()
        return try await massExtensionStatus(request.request.requestID, bundleID: bundleID)
    }

    /// - Parameter productID: The product that the request must be about; `nil` for any.
    /// - Throws: ``ExtensionError`` `.invalidProduct`, `.requestNotFound`, ``StoreError`` `.appNotFound`.
    package func massExtensionStatus(
        _ requestID: String, bundleID: App.BundleID, productID: Product.ID? = nil
    ) async throws -> MassExtensionStatus {
        try await database.read { [self] connection in
            let entry = try app(bundleID, on: connection)
            guard let found = try known(requestID, app: entry.app.appleID, on: connection),
                productID == nil || found.request.productID == productID
            else {
                try productID.map { try checkExtensible($0, entry) }
                throw ExtensionError(.requestNotFound, requestID, "no extension was requested under that identifier")
            }
            return MassExtensionStatus(found)
        }
    }

    private func checkExtensible(_ productID: Product.ID, _ entry: CatalogCache.Entry) throws {
        guard entry.products[productID]?.type == .autoRenewable else {
            throw ExtensionError(
                .invalidProduct, productID.rawValue, "the app has no auto-renewable subscription of that ID")
        }
    }

    /// A request by its identifier: as it was written, and a UUID in either case.
    private func known(
        _ requestID: String, app: Int64, on connection: any Connection
    ) throws -> MassExtensionsTable.Record? {
        var spellings = [requestID]
        if UUID(uuidString: requestID) != nil { spellings += [requestID.lowercased(), requestID.uppercased()] }
        for spelling in spellings {
            let found = try MassExtensionsTable.record(spelling, app: app, environment.id, on: connection)
            if let found { return found }
        }
        return nil
    }

    /// Goes on with every request that is not complete, in one transaction for each batch. What a crash interrupts is taken
    /// up where the last commit left it, and of several workers one does each batch. A subscription that can't be worked on is left
    /// out, and counts as failed; a request that can't be is left for later.
    package func workOffMassExtensions() async throws {
        let open = try await database.read { [environment] in try MassExtensionsTable.open(environment.id, on: $0) }
        for (app, requestID) in open {
            try await leavingForLater("an extension of all subscribers", requestID) {
                try await workOffPages(of: Self.extensionBatch) { [self] limit in
                    try await write { [self] in try extendBatch(requestID, app: app, limit: limit, on: $0) }
                } leavingOut: { [self] error in
                    try await write { [self] in try leaveOut(error, of: requestID, app: app, on: $0) }
                }
            }
        }
    }

    /// - Returns: Whether more is left to do.
    private func extendBatch(
        _ requestID: String, app: Int64, limit: Int, on connection: any Connection
    ) throws -> Bool {
        guard var record = try MassExtensionsTable.lock(requestID, app: app, environment.id, on: connection),
            record.completed == nil, let entry = try catalog.entry(number: app, on: connection)
        else { return false }
        let now = try clock.now(on: connection).wholeSeconds
        let page = try SubscriptionsTable.page(
            after: record.reached, limit: limit, app: app, environment.id, on: connection)
        let meant = page.subscriptions.filter {
            $0.product.id == record.request.productID && $0.ownership == .purchased
        }
        // In the order in which everybody locks customers.
        for subscription in meant.sorted(by: { $0.accountID.rawValue < $1.accountID.rawValue }) {
            try extend(subscription, &record.request, entry, at: now, on: connection)
        }
        for id in page.unreadable {
            record.request.leaveOut()
            reportLeftOut(id, app: app, "its document can't be read")
        }
        record.reached = page.last ?? record.reached
        let isComplete = page.count < limit
        if isComplete { try complete(&record, entry.app, at: now, on: connection) }
        try MassExtensionsTable.update(record, app: app, environment.id, on: connection)
        return !isComplete
    }

    /// Passes over the next subscription, whose extension failed.
    ///
    /// - Returns: Whether more is left to do.
    private func leaveOut(
        _ error: any Error, of requestID: String, app: Int64, on connection: any Connection
    ) throws -> Bool {
        guard var record = try MassExtensionsTable.lock(requestID, app: app, environment.id, on: connection),
            record.completed == nil,
            let next = try SubscriptionsTable.page(
                after: record.reached, limit: 1, app: app, environment.id, on: connection
            ).last
        else { return false }
        record.reached = next
        record.request.leaveOut()
        try MassExtensionsTable.update(record, app: app, environment.id, on: connection)
        reportLeftOut(next, app: app, "\(error)")
        return true
    }

    private func extend(
        _ subscription: Subscription, _ request: inout MassExtension, _ entry: CatalogCache.Entry, at now: Instant,
        on connection: any Connection
    ) throws {
        let key = CustomerKey(environment: environment.id, app: entry.app.appleID, account: subscription.accountID)
        var revision = try CustomersTable.lock(key, on: connection)
        let current = try settled(subscription.id, key, entry, until: now, revision: &revision, on: connection)
        guard request.concerns(current, at: now) else { return }
        let decision = request.extend(current, at: now, in: try context(of: current, entry, on: connection))
        try record(decision, key, revision: &revision, on: connection)
    }

    private func complete(
        _ record: inout MassExtensionsTable.Record, _ app: App, at now: Instant, on connection: any Connection
    ) throws {
        let request = record.request
        let fact = request.completed(at: now)
        // It is about no customer: accounts' numbers begin above 0.
        let entry = JournalEntry(
            .subscription(fact.kind), at: fact.at, accountID: Account.ID(rawValue: 0), productID: fact.productID)
        let summary = NotificationPayload.Summary(
            requestIdentifier: request.request.requestID,
            environment: AppStoreEnvironment(rawValue: environment.kind.rawValue), appAppleId: app.appleID,
            bundleId: app.bundleID.rawValue, productId: request.productID.rawValue,
            storefrontCountryCodes: request.storefronts.map(\.rawValue).sorted(),
            succeededCount: Int64(request.succeededCount), failedCount: Int64(request.failedCount))
        record.journalPosition = try announce(
            entry, app: app.appleID, details: NotificationDetails(summary: summary), on: connection)
        record.completed = now
    }
}

extension MassExtension {
    fileprivate func check() throws {
        guard RenewalExtension.days.contains(request.days) else {
            throw ExtensionError(.invalidDays, "\(request.days)", "an extension is 1 to 90 days")
        }
        try request.checkIdentifier()
        if let unknown = storefronts.first(where: { $0.currency == nil }) {
            throw ExtensionError(
                .invalidStorefront, unknown.rawValue, "a storefront is a three-letter code such as USA")
        }
    }
}
