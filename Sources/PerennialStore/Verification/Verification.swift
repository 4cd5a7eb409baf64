import AppStoreFormats
import Crypto
import Foundation
import Logging
import Perennial
import PerennialStorage

/// The verifyReceipt endpoint.
package struct Verification: StoreChapter {
    let context: StoreContext
    let receipts: Receipts
    let signing: Signing
    let cipher: ReceiptOwnerCipher
    let secret: [UInt8]
    let cache: VerifyReceiptCache

    /// Verifies a receipt, and returns its contents and the newest state of its purchases.
    ///
    /// - Parameter body: The request's body, whatever its Content-Type.
    /// - Returns: The answer's body; `status` is the result.
    package func verifyReceipt(_ body: [UInt8]) async -> [UInt8] {
        do {
            let request = try UndecodedVerifyReceiptRequest(body: body)
            let key = VerifyReceiptCache.Key(secret: secret, receiptData: request.receiptData)
            if let known = cache.receipt(key) { return try await answer(about: known, key, request) }
            switch try request.receipt() {
            case .app(let bytes): return try await answer(about: try await verify(appReceipt: bytes, key), key, request)
            case .transaction(let bytes): return try await verify(transactionReceipt: bytes, request)
            }
        } catch let status as VerifyReceiptStatus {
            return refused(status).encoded()
        } catch {
            logger.error("verifyReceipt failed", metadata: ["error": "\(error)"])
            return VerifyReceiptResponse(status: VerifyReceipt.status(of: error)).encoded()
        }
    }

    /// Returns the answer for a status. For an unknown account Apple adds the environment, and that a retry is of no use.
    private func refused(_ status: VerifyReceiptStatus) -> VerifyReceiptResponse {
        guard status == .accountNotFound else { return VerifyReceiptResponse(status: status) }
        return VerifyReceiptResponse(
            status: status, environment: AppStoreEnvironment(rawValue: environment.kind.rawValue), isRetryable: false)
    }

    private func verify(
        appReceipt bytes: [UInt8], _ key: VerifyReceiptCache.Key
    ) async throws -> VerifiedReceipt {
        let receipt: AppReceipt
        do throws(ReceiptError) {
            receipt = try signing.receiptVerifier.verify(bytes)
        } catch {
            throw VerifyReceiptStatus(error)
        }
        let owner = cipher.decrypt(receipt.opaqueAttribute7).map {
            CustomerKey(environment: environment.id, app: $0.app, account: $0.account)
        }
        // A transaction's purchaser never changes, so this is cached with the receipt.
        var shared: [TransactionID] = []
        if let owner, !receipt.purchases.isEmpty {
            shared = try await database.read { try TransactionsTable.familyShared(of: owner, on: $0) }
        }
        let verified = VerifiedReceipt(receipt, owner: owner, familyShared: Set(shared.map(\.description)))
        cache.insert(verified, for: key)
        return verified
    }

    private func answer(
        about verified: VerifiedReceipt, _ key: VerifyReceiptCache.Key, _ request: UndecodedVerifyReceiptRequest
    ) async throws -> [UInt8] {
        try expectEnvironment(isProduction: verified.receipt.receiptType.isProduction)
        guard let owner = verified.owner else { throw VerifyReceiptStatus.accountNotFound }
        let announced = [CatalogHeadTable.readingRevision, CustomersTable.readingRevision(of: owner)]
        let (now, found) = try await database.lookUp(announced) { [self] connection -> (Instant, FoundRenewals?) in
            let (entry, revision) = try entry(of: owner, bundleID: verified.receipt.bundleID, on: connection)
            let now = try clock.now(on: connection)
            guard verified.hasAutoRenewables else { return (now, nil) }
            guard matches(request.password, entry.sharedSecret) else { throw VerifyReceiptStatus.wrongSharedSecret }
            let known = cache.renewals(
                of: key, newestOnly: request.excludesOldTransactions, revision: revision)
            if let known { return (now, .known(known)) }
            let customer = try customer(owner, holding: verified.receipt, on: connection)
            return (
                now,
                .read(
                    RenewalsSnapshot(
                        purchases: try purchases(of: owner, on: connection), entry: entry, owner: customer,
                        revision: revision, receipt: try receipts.findReceipt(for: customer, on: connection)))
            )
        }
        let renewals: EncodedRenewals? =
            switch found {
            case nil: nil
            case .known(let known): known
            case .read(let snapshot): try await encode(snapshot, key, request, at: now)
            }
        return VerifyReceiptResponse.encoded(
            AppStoreEnvironment(rawValue: environment.kind.rawValue), verified.encoded, requestDate: now.date, renewals)
    }

    private func encode(
        _ snapshot: RenewalsSnapshot, _ key: VerifyReceiptCache.Key, _ request: UndecodedVerifyReceiptRequest,
        at now: Instant
    ) async throws -> EncodedRenewals {
        let purchases = snapshot.purchases
        let newestOnly = request.excludesOldTransactions
        var response = VerifyReceiptResponse(status: .valid)
        response.latestReceiptInfo = LatestReceiptInfo.transactions(purchases.transactions, newestOnly: newestOnly)
            .map { LatestReceiptInfo.transaction($0, of: snapshot.entry) }
        response.pendingRenewalInfo = LatestReceiptInfo.pendingRenewals(
            purchases.subscriptions, purchases.transactions, of: snapshot.entry, at: now)
        response.latestReceipt = try await receipts.signed(snapshot.receipt, for: snapshot.owner)
        let encoded = EncodedRenewals(response)
        // A free subscription's state depends on the time, everything else on the revisions alone.
        if !purchases.transactions.contains(where: { $0.type == .free }) {
            cache.insert(encoded, revision: snapshot.revision, of: key, newestOnly: newestOnly)
        }
        return encoded
    }

    /// The state of a receipt's subscriptions: cached, or read and not encoded yet.
    private enum FoundRenewals: Sendable {
        case known(EncodedRenewals)
        case read(RenewalsSnapshot)
    }

    /// All purchases of a customer at one instant.
    private struct Purchases: Sendable {
        var transactions: [Transaction]
        var subscriptions: [Subscription]
    }

    /// The data for an answer about a receipt with renewing subscriptions, read at one instant.
    private struct RenewalsSnapshot: Sendable {
        var purchases: Purchases
        var entry: CatalogCache.Entry
        /// The customer, on the device of the verified receipt, whose newest receipt is returned.
        var owner: Customer
        var revision: VerifyReceiptCache.Revision
        var receipt: Receipts.FoundReceipt
    }

    private func purchases(of key: CustomerKey, on connection: any Connection) throws -> Purchases {
        Purchases(
            transactions: try TransactionsTable.all(of: key, on: connection),
            subscriptions: try SubscriptionsTable.all(of: key, on: connection))
    }

    /// Returns the app of a receipt's customer, and the revisions that an answer depends on.
    private func entry(
        of key: CustomerKey, bundleID: String, on connection: any Connection
    ) throws -> (CatalogCache.Entry, VerifyReceiptCache.Revision) {
        guard let entry = try catalog.entry(number: key.app, on: connection), entry.app.bundleID.rawValue == bundleID,
            let purchases = try CustomersTable.knownRevision(key, on: connection)
        else { throw VerifyReceiptStatus.accountNotFound }
        return (
            entry,
            VerifyReceiptCache.Revision(purchases: purchases, catalog: entry.revision, era: connection.era)
        )
    }

    private func expectEnvironment(isProduction: Bool) throws(VerifyReceiptStatus) {
        switch (environment.kind, isProduction) {
        case (.production, false): throw .sandboxReceipt
        case (.sandbox, true), (.xcode, true): throw .productionReceipt
        default: break
        }
    }

    /// Compares a password with the secret in constant time.
    private func matches(_ password: String?, _ secret: String) -> Bool {
        // A revoked secret is empty and matches nothing.
        guard let password, !secret.isEmpty else { return false }
        return SHA256.hash(data: Data(password.utf8)) == SHA256.hash(data: Data(secret.utf8))
    }

    /// Returns the customer on the device that a verified receipt is bound to.
    private func customer(
        _ key: CustomerKey, holding receipt: AppReceipt, on connection: any Connection
    ) throws -> Customer {
        let device = try DevicesTable.all(of: key, on: connection).first { device in
            UUID(uuidString: device.device).map { uuid in
                receipt.belongs(toDevice: withUnsafeBytes(of: uuid.uuid) { Array($0) })
            } ?? false
        }
        return Customer(
            key: key, bundleID: App.BundleID(rawValue: receipt.bundleID), device: device?.device ?? "",
            applicationVersion: device?.applicationVersion ?? receipt.applicationVersion)
    }

    private func verify(
        transactionReceipt bytes: [UInt8], _ request: UndecodedVerifyReceiptRequest
    ) async throws -> [UInt8] {
        let receipt: TransactionReceipt
        do {
            receipt = try signing.transactionReceiptVerifier.verify(bytes)
        } catch {
            throw VerifyReceiptStatus(error)
        }
        try expectEnvironment(isProduction: receipt.environment == .production)
        guard let id = TransactionID(receipt.transactionID) else { throw VerifyReceiptStatus.malformedReceipt }
        let bundleID = App.BundleID(rawValue: receipt.bundleID)
        let (transaction, entry) = try await database.read { [self] connection in
            guard let entry = try catalog.entry(bundleID, on: connection),
                let found = try TransactionsTable.transaction(
                    id, app: entry.app.appleID, environment.id, on: connection),
                found.productID.rawValue == receipt.productID
            else { throw VerifyReceiptStatus.accountNotFound }
            return (found, entry)
        }
        var response = LegacyVerifyReceiptResponse(receipt: legacy(receipt, transaction))
        if transaction.type.renews {
            guard matches(request.password, entry.sharedSecret) else { throw VerifyReceiptStatus.wrongSharedSecret }
            response = try await legacyResponse(receipt, transaction, entry)
        }
        return response.encoded()
    }

    /// Returns the answer for an old transaction receipt: its subscription's newest period, or that it has expired (21006).
    private func legacyResponse(
        _ receipt: TransactionReceipt, _ transaction: Transaction, _ entry: CatalogCache.Entry
    ) async throws -> LegacyVerifyReceiptResponse {
        let key = customerKey(of: transaction.accountID, in: entry.app)
        let (now, purchases) = try await database.read { [self] connection -> (Instant, Purchases) in
            _ = try self.entry(of: key, bundleID: receipt.bundleID, on: connection)
            return (try clock.now(on: connection), try self.purchases(of: key, on: connection))
        }
        let periods = purchases.transactions.filter { $0.originalID == transaction.originalID }
        // A period that was charged early and refunded leaves the running one in force.
        let newest = periods.last { $0.isInForce(at: now) } ?? periods.last ?? transaction
        let customer = Customer(
            key: key, bundleID: entry.app.bundleID, device: receipt.uniqueVendorIdentifier ?? "",
            applicationVersion: receipt.applicationVersion)
        let contents = LegacyReceiptContents.receipt(newest, for: customer, entry, environment)
        let sent = legacy(receipt, transaction)
        var response: LegacyVerifyReceiptResponse
        if newest.isInForce(at: now) {
            response = LegacyVerifyReceiptResponse(
                receipt: sent, latest: legacy(contents, newest),
                latestReceipt: try signing.transactionReceipts.sign(contents))
        } else {
            response = LegacyVerifyReceiptResponse(receipt: sent, latestExpired: legacy(contents, newest))
        }
        let subscriptions = purchases.subscriptions.filter { $0.id == transaction.originalID }
        let renewal = LatestReceiptInfo.renewals(subscriptions, periods, of: entry, at: now).first
        response.autoRenewStatus = renewal?.autoRenewStatus
        response.autoRenewProductID = renewal?.autoRenewProductID
        response.expirationIntent = renewal?.expirationIntent
        response.isInBillingRetryPeriod = renewal?.isInBillingRetryPeriod
        response.cancellationReason = newest.revocation?.reason.rawValue
        return response
    }

    private func legacy(
        _ receipt: TransactionReceipt, _ transaction: Transaction
    ) -> LegacyVerifyReceiptResponse.Transaction {
        var listed = LegacyVerifyReceiptResponse.Transaction(receipt)
        listed.cancellationDate = transaction.type == .consumable ? nil : transaction.revocation?.date.date
        listed.inAppOwnershipType = InAppOwnershipType(rawValue: transaction.ownership.rawValue)
        listed.subscriptionGroupIdentifier = transaction.subscriptionGroupID
        return listed
    }
}

/// Answers of verifyReceipt without a store.
package enum VerifyReceipt {
    /// The request was not a POST.
    package static let notPosted = VerifyReceiptResponse(status: .notAPost).encoded()
    /// The body is larger than Apple accepts.
    package static let tooLarge = VerifyReceiptResponse(status: .malformedReceipt).encoded()

    /// Returns the answer for an error of the database.
    package static func failed(_ error: any Error) -> [UInt8] {
        VerifyReceiptResponse(status: status(of: error)).encoded()
    }

    /// Returns 21005 for a database that is busy or gone for a while, or has stopped writing; 21009 for corrupt data.
    static func status(of error: any Error) -> VerifyReceiptStatus {
        guard let error = error as? StorageError else { return .internalDataAccess }
        return error.isTemporary || error.code == .writesStopped ? .temporarilyUnavailable : .internalDataAccess
    }
}
