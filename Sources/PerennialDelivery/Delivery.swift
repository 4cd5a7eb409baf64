import Logging
import Perennial
import PerennialStorage

/// The seller's content server: lists products, verifies receipts, grants and delivers content, and keeps non-renewing terms.
///
/// All state is in the database, so several processes can share it.
package struct Delivery: Sendable {
    /// Lifetime of a grant in milliseconds (delivery/v1).
    package static let grantLifetime: Int64 = .hours(1)
    /// Lifetime of a customer's session in milliseconds.
    package static let sessionLifetime: Int64 = .days(30)

    let database: Database
    let catalog: @Sendable () -> DeliveryCatalog
    /// Returns an app's entry as it is now in a store of the same process; `nil` without one.
    let refresh: (@Sendable (DeliveryCatalog.Entry) async throws -> DeliveryCatalog.Entry)?
    let library: ContentLibrary
    let verification: any ReceiptVerifying
    let notificationTrust: NotificationTrust?
    /// Environments whose receipts are accepted.
    let environments: Set<StoreEnvironment.Kind>
    let clock: @Sendable () -> Instant
    /// The store's time, by which periods begin and end.
    let storeTime: StoreTime
    let deliveryLog: DeliveryLog
    let randomBytes: @Sendable (Int) -> [UInt8]
    let passwords: PasswordGate
    let logger: Logger

    /// - Parameters:
    ///   - database: A migrated database with the tables of ``DeliverySchema``.
    ///   - catalog: Returns the catalog; called for each request, so that a change needs no restart.
    ///   - refresh: Adds to an app's entry what its store has learnt since: new products, uploaded content.
    ///   - notificationTrust: Verifies server notifications; without it none is accepted.
    ///   - environments: Environments whose receipts are accepted. Sandbox purchases cost nothing.
    ///   - clock: Returns this machine's time.
    ///   - storeTime: The source of the store's time.
    ///   - randomBytes: Returns unpredictable bytes for tokens and salts.
    ///   - passwordCost: The cost of password hashes, without `passwords`.
    ///   - passwords: Checks passwords, shared with a store in the same process.
    package init(
        database: Database, catalog: @escaping @Sendable () -> DeliveryCatalog,
        refresh: (@Sendable (DeliveryCatalog.Entry) async throws -> DeliveryCatalog.Entry)? = nil,
        library: ContentLibrary, verification: any ReceiptVerifying, notificationTrust: NotificationTrust? = nil,
        environments: Set<StoreEnvironment.Kind> = Set(StoreEnvironment.Kind.allCases),
        clock: @escaping @Sendable () -> Instant, storeTime: StoreTime.Source = .wallClock,
        randomBytes: @escaping @Sendable (Int) -> [UInt8], passwordCost: PasswordHash.Cost = .standard,
        passwords: PasswordGate? = nil, logger: Logger
    ) {
        self.database = database
        self.catalog = catalog
        self.refresh = refresh
        self.library = library
        self.verification = verification
        self.notificationTrust = notificationTrust
        self.environments = environments
        self.clock = clock
        self.storeTime = StoreTime(storeTime, wallClock: clock)
        self.deliveryLog = DeliveryLog()
        self.randomBytes = randomBytes
        self.passwords = passwords ?? PasswordGate(cost: passwordCost, clock: clock)
        self.logger = logger
    }

    /// Returns an app as it is now.
    ///
    /// - Throws: ``DeliveryError`` with `appNotFound`.
    func entry(_ bundleID: App.BundleID) async throws -> DeliveryCatalog.Entry {
        let entry = try catalog().entry(bundleID)
        return try await refresh?(entry) ?? entry
    }

    /// Writes a file that a seller uploads.
    ///
    /// - Parameter place: Called with the complete file, to give it its path.
    /// - Returns: The value of `place`.
    /// - Throws: ``DeliveryError`` with `malformedRequest`, or the error of `place`.
    package func addContent<Chunks: AsyncSequence, Value>(
        _ chunks: Chunks, as path: String, place: (ContentUpload) async throws -> Value
    ) async throws -> Value where Chunks.Element: Sequence<UInt8> {
        do {
            return try await library.add(chunks, as: path, place: place)
        } catch let error as ContentLibraryError {
            throw DeliveryError(.malformedRequest, "content", error.reason)
        }
    }

    /// Deletes an uploaded file that the catalog doesn't name.
    package func removeContent(_ path: String) { library.remove(path) }

    /// Logs that a content's file is missing.
    func reportMissing(_ content: Content, _ error: any Error) {
        logger.error("A content file is missing.", metadata: ["content": "\(content.id)", "error": "\(error)"])
    }
}

extension Delivery {
    /// Returns problems that customers would meet, a sentence each: missing shared secrets and content files.
    package func startupDiagnostics() async -> [String] {
        var problems: [String] = []
        let entries = catalog().entries.values.sorted { $0.app.bundleID.rawValue < $1.app.bundleID.rawValue }
        for entry in entries {
            let bundleID = entry.app.bundleID
            if entry.sharedSecret == nil, entry.app.products.contains(where: { $0.type == .autoRenewable }) {
                problems.append(
                    "\(bundleID) sells auto-renewable subscriptions and has no shared secret: the store will refuse its "
                        + "subscribers' receipts; say sharedSecret in the catalog, or PERENNIAL_SHARED_SECRET")
            }
            for content in entry.contents {
                do {
                    _ = try await library.size(of: content.file)
                } catch {
                    problems.append("the content \(content.id) of \(bundleID) can't be delivered: \(error)")
                }
            }
        }
        return problems
    }

    /// Computes missing digests, so that the first customer doesn't wait for them.
    package func computeDigests() async {
        _ = await library.metadata(of: catalog().entries.values.flatMap { $0.contents.map(\.file) })
    }
}
