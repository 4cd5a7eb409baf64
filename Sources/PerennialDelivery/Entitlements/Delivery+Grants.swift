import AppStoreFormats
import Foundation
import Logging
import Perennial
import PerennialStorage

extension Delivery {
    /// Maximum size in bytes of base64; a limit of ours, after reports on Apple's verifyReceipt.
    package static let maximumReceiptSize = 3 << 20

    /// Verifies a receipt with the store and grants the content that it opens. With a customer's token, the receipt's non-renewing
    /// purchases are recorded for the customer, and all of the customer's count.
    ///
    /// - Parameter device: `identifierForVendor` that the receipt must belong to; `nil` for any device.
    /// - Throws: ``DeliveryError``; nothing is granted then.
    package func grant(
        receipt: String, bundleID: App.BundleID, device: UUID? = nil, customerToken: String? = nil
    ) async throws -> Grant {
        let entry = try await entry(bundleID)
        let customer = try await customer(customerToken, of: bundleID)
        guard !receipt.isEmpty, receipt.utf8.count <= Self.maximumReceiptSize else {
            throw DeliveryError(
                .malformedRequest, "receipt", "a receipt is base64, at most \(Self.maximumReceiptSize) bytes of it")
        }
        let verified = try await verify(receipt, for: entry)
        if let device { try Self.check(receipt, isFor: device) }
        let scope = DeliveryScope(environment: verified.environment, bundleID: bundleID)
        let purchases = entry.typed(try await applyingKnownRefunds(verified.purchases, scope))
        let share = try await customerShare(of: purchases, customer, scope, entry.app.nonRenewing)
        let now = try await storeTime.now(judging: verified)
        let entitlements = EntitlementRules(contents: entry.contents)
            .entitlements(from: purchases, terms: share.terms, at: now)
        let named = Dictionary(purchases.map { ($0.transactionID, $0) }) { first, _ in first }
        let contents = await described(entitlements, entry, verified.environment, of: named)
        return try await issue(
            contents, terms: share.terms, refused: EntitlementRules.revoked(among: purchases) + share.refused,
            customer: customer, scope, decided: now)
    }

    /// Verifies a receipt, and that app and environment are accepted.
    private func verify(_ receipt: String, for entry: DeliveryCatalog.Entry) async throws -> AuthenticReceipt {
        let bundleID = entry.app.bundleID
        let verified: AuthenticReceipt
        do {
            verified = try await verification.verify(receipt: receipt, password: entry.sharedSecret)
        } catch let error as DeliveryError where error.code == .sharedSecretWrong {
            // A receipt of another app has another secret; the configuration is right.
            if let other = Self.claimedApp(of: receipt), other != bundleID { throw Self.anotherApps(other, bundleID) }
            logger.error(
                "The store refused an app's shared secret: none of its subscribers gets anything until it is right.",
                metadata: ["app": "\(bundleID)", "hasSecret": "\(entry.sharedSecret != nil)"])
            throw error
        }
        guard verified.bundleID == bundleID else { throw Self.anotherApps(verified.bundleID, bundleID) }
        guard environments.contains(verified.environment) else {
            throw DeliveryError(.sandboxReceiptRefused, "receipt", "sandbox receipts are not accepted here")
        }
        return verified
    }

    private static func anotherApps(_ other: App.BundleID, _ bundleID: App.BundleID) -> DeliveryError {
        DeliveryError(.receiptForAnotherApp, bundleID.rawValue, "the receipt belongs to \(other)")
    }

    private func customer(_ token: String?, of bundleID: App.BundleID) async throws -> String? {
        guard let token else { return nil }
        let session = try await session(token)
        guard session.bundleID == bundleID else {
            throw DeliveryError(.unauthorized, "customer token", "the customer signed in to \(session.bundleID)")
        }
        return session.customer
    }

    /// Returns the customer's terms, and the receipt's non-renewing purchases without one.
    private func customerShare(
        of purchases: [VerifiedPurchase], _ customer: String?, _ scope: DeliveryScope, _ policy: NonRenewingPolicy
    ) async throws -> (terms: [NonRenewingTerm], refused: [RefusedPurchase]) {
        let brought = purchases.filter { $0.presumedType == .nonRenewing }
        guard let customer else {
            let reason = "a non-renewing subscription belongs to a customer: sign in"
            return ([], brought.map { RefusedPurchase(.customerNeeded, $0, reason) })
        }
        let (recorded, others) = try await record(brought, for: customer, scope)
        let terms = NonRenewingTerms(of: recorded, policy: policy)
        let inReceipt = Set(brought.map(\.transactionID))
        let refused =
            others.map { RefusedPurchase(.belongsToAnother, $0, "another customer brought this purchase first") }
            + terms.refused.filter { inReceipt.contains($0.transactionID) }
        return (terms.terms, refused.sorted { $0.transactionID < $1.transactionID })
    }

    /// Records non-renewing purchases for a customer.
    ///
    /// - Returns: All purchases of the customer, and those of `brought` that belong to another customer.
    private func record(
        _ brought: [VerifiedPurchase], for customer: String, _ scope: DeliveryScope
    ) async throws -> (own: [VerifiedPurchase], others: [VerifiedPurchase]) {
        guard !brought.isEmpty else { return (try await recordedPurchases(of: customer, scope), []) }
        let now = clock()
        return try await database.write { connection in
            for purchase in brought {
                try DeliveryPurchasesTable.record(purchase, for: customer, scope, at: now, on: connection)
            }
            let others = try brought.filter { purchase in
                try DeliveryPurchasesTable.owner(of: purchase.transactionID, scope, on: connection) != customer
            }
            let own = try DeliveryPurchasesTable.purchases(
                of: customer, scope, limit: Self.maximumPurchasesPerCustomer, on: connection)
            return (own, others)
        }
    }

    /// Returns the contents of entitlements with sizes and digests. Leaves out contents without a file: they are granted once the
    /// file is there.
    func described(
        _ entitlements: [Entitlement], _ entry: DeliveryCatalog.Entry, _ environment: StoreEnvironment.Kind,
        of purchases: [TransactionID: VerifiedPurchase] = [:]
    ) async -> [GrantedContent] {
        let entitled = entitlements.compactMap { entitlement in
            entry.content(entitlement.contentID).map { (entitlement, $0) }
        }
        let metadata = await library.metadata(of: entitled.map(\.1.file))
        return entitled.compactMap { entitlement, content in
            switch metadata[content.file] {
            case .success(let metadata):
                return GrantedContent(
                    content: content, entitlement: entitlement, metadata: metadata, environment: environment,
                    purchase: purchases[entitlement.transactionID])
            case .failure(let error):
                reportMissing(content, error)
                return nil
            case nil: return nil
            }
        }
    }

    /// Makes and stores a grant.
    ///
    /// - Parameter decided: Time of the decision, by the store's clock.
    func issue(
        _ contents: [GrantedContent], terms: [NonRenewingTerm], refused: [RefusedPurchase], customer: String?,
        _ scope: DeliveryScope, decided: Instant
    ) async throws -> Grant {
        let now = clock()
        let token = BearerToken(
            secret: randomBytes(BearerToken.secretSize), environment: scope.environment, bundleID: scope.bundleID)
        let record = DeliveryGrantsTable.Record(
            scope: scope, customer: customer, contents: try GrantedItem.text(of: contents.map(GrantedItem.init)),
            expires: now + Self.grantLifetime)
        let digest = token.digest
        try await database.write { connection in
            try DeliveryGrantsTable.deleteExpired(scope, at: now, on: connection)
            try DeliveryGrantsTable.insert(record, digest: digest, on: connection)
        }
        return Grant(
            environment: scope.environment, token: token.text, expires: record.expires, contents: contents,
            terms: terms, refused: refused, decided: decided)
    }
}
extension Delivery {
    /// Checks that a receipt was made for the device that sends it.
    ///
    /// - Parameter receipt: base64 of an authentic receipt.
    /// - Throws: ``DeliveryError`` with `receiptForAnotherDevice`.
    static func check(_ receipt: String, isFor device: UUID) throws {
        let contents = try? VerifyReceiptRequest.Receipt(base64: receipt)
        guard contents?.belongs(toDevice: device) == true else {
            throw DeliveryError(
                .receiptForAnotherDevice, "deviceId",
                "the receipt was made for another device: refresh it on this one, or leave out deviceId")
        }
    }

    /// Returns the bundle ID that a receipt claims, unverified; `nil` for an unreadable receipt.
    static func claimedApp(of receipt: String) -> App.BundleID? {
        (try? VerifyReceiptRequest.Receipt(base64: receipt))?.claimedBundleID.map(App.BundleID.init(rawValue:))
    }
}
