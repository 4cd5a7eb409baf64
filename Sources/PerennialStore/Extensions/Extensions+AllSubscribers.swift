import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

/// The progress of an extension for all subscribers.
package struct MassExtensionStatus: Hashable, Sendable {
    package var request: MassExtension
    package var requested: Instant
    /// `nil` while subscriptions are left.
    package var completed: Instant?

    init(_ record: MassExtensionsTable.Record) {
        request = record.request
        requested = record.requested
        completed = record.completed
    }
}

extension Extensions {
    /// The number of subscriptions in one transaction.
    static let batchSize = 200

    /// Stores a request to extend all active subscribers of a product. ``processMassExtensions()`` does the work.
    ///
    /// A request identifier is used once an app: a second request gets the status of the first, whatever else it says.
    ///
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

    /// Extends all active subscribers of a product, and returns when that is done.
    ///
    /// - Throws: As ``requestMassExtension(_:bundleID:)``.
    package func extendAll(_ request: MassExtension, bundleID: App.BundleID) async throws -> MassExtensionStatus {
        try await requestMassExtension(request, bundleID: bundleID)
        try await processMassExtensions()
        return try await massExtensionStatus(request.request.requestID, bundleID: bundleID)
    }

    /// Returns the status of a request.
    ///
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

    /// Returns a request by its identifier: as written, and for a UUID in either case.
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

    /// Processes every incomplete request, in one transaction for each batch. After a crash it continues after the last
    /// commit; of several workers, one does each batch. A subscription that can't be processed is skipped and counts as
    /// failed; a request that can't be is retried later.
    ///
    /// - Throws: ``LeaseLost`` if another node has taken over.
    package func processMassExtensions(under lease: WorkLease? = nil) async throws {
        RequestDeadline.liftCurrent()
        let open = try await database.read { [environment] in try MassExtensionsTable.open(environment.id, on: $0) }
        for (app, requestID) in open {
            try await subscriptions.retryingLater("an extension of all subscribers", requestID) {
                try await subscriptions.processPages(of: Self.batchSize) { [self] limit in
                    try await subscriptions.writeBatch { [self] in
                        try lease?.check(on: $0)
                        return try extendBatch(requestID, app: app, limit: limit, beside: $1, on: $0)
                    }
                } skipping: { [self] error in
                    try await subscriptions.write { [self] in
                        try lease?.check(on: $0)
                        return try skipNext(error, of: requestID, app: app, on: $0)
                    }
                }
            }
        }
    }

    /// Extends the next batch of a request.
    ///
    /// - Parameter inUse: Customers whom an earlier run of the transaction found in use.
    /// - Returns: True if more is left.
    private func extendBatch(
        _ requestID: String, app: Int64, limit: Int, beside inUse: Set<CustomerKey>, on connection: any Connection
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
        try subscriptions.lockWithFamilies(
            Set(meant.map { customerKey(of: $0.accountID, in: entry.app) }), and: inUse, on: connection)
        for subscription in meant.sorted(by: { $0.accountID.rawValue < $1.accountID.rawValue }) {
            try extend(subscription, &record.request, entry, at: now, on: connection)
        }
        for id in page.unreadable {
            record.request.countFailure()
            subscriptions.logSkipped(id, app: app, "its document can't be read")
        }
        record.reached = page.last ?? record.reached
        let isComplete = page.count < limit
        if isComplete { try complete(&record, entry.app, at: now, on: connection) }
        try MassExtensionsTable.update(record, app: app, environment.id, on: connection)
        return !isComplete
    }

    /// Skips the next subscription, whose extension failed.
    ///
    /// - Returns: True if more is left.
    private func skipNext(
        _ error: any Error, of requestID: String, app: Int64, on connection: any Connection
    ) throws -> Bool {
        guard var record = try MassExtensionsTable.lock(requestID, app: app, environment.id, on: connection),
            record.completed == nil,
            let next = try SubscriptionsTable.page(
                after: record.reached, limit: 1, app: app, environment.id, on: connection
            ).last
        else { return false }
        record.reached = next
        record.request.countFailure()
        try MassExtensionsTable.update(record, app: app, environment.id, on: connection)
        subscriptions.logSkipped(next, app: app, "\(error)")
        return true
    }

    private func extend(
        _ subscription: Subscription, _ request: inout MassExtension, _ entry: CatalogCache.Entry, at now: Instant,
        on connection: any Connection
    ) throws {
        let key = customerKey(of: subscription.accountID, in: entry.app)
        var revision = try CustomersTable.lock(key, on: connection)
        let current = try subscriptions.broughtUpToDate(
            subscription.id, key, entry, until: now, revision: &revision, on: connection)
        guard request.concerns(current, at: now) else { return }
        let decision = request.extend(
            current, at: now, in: try subscriptions.renewalContext(of: current, entry, on: connection))
        try subscriptions.record(decision, key, revision: &revision, on: connection)
    }

    private func complete(
        _ record: inout MassExtensionsTable.Record, _ app: App, at now: Instant, on connection: any Connection
    ) throws {
        let request = record.request
        let fact = request.completed(at: now)
        // The entry is about no customer: account IDs start above 0.
        let entry = JournalEntry(
            .subscription(fact.kind), at: fact.at, accountID: Account.ID(rawValue: 0), productID: fact.productID)
        let summary = NotificationPayload.Summary(
            requestIdentifier: request.request.requestID,
            environment: AppStoreEnvironment(rawValue: environment.kind.rawValue), appAppleId: app.appleID,
            bundleId: app.bundleID.rawValue, productId: request.productID.rawValue,
            storefrontCountryCodes: request.storefronts.map(\.rawValue).sorted(),
            succeededCount: Int64(request.succeededCount), failedCount: Int64(request.failedCount))
        record.journalPosition = try outbox.publish(
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
