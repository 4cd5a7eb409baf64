import AppStoreFormats
import Foundation
import Perennial
import PerennialSimulation
import Synchronization
import TestSupport

/// A seller's server, with or without a common mistake.
final class SampleReceiver: ReceiverUnderTest {
    /// Mistakes of a receiver.
    enum Mistake: String, Sendable, CaseIterable {
        /// Takes the last arrival for the newest notification.
        case believesWhatComesLast
        /// Gives access for every renewal.
        case renewalsAlwaysEntitle
        /// Refuses repeats.
        case refusesDuplicates
        /// Ignores refunds.
        case ignoresRefunds
        /// Applies late renewals, also of a period that was refunded since.
        case renewalsUndoRefunds
        /// Keeps the end of the first period.
        case keepsFirstEnd
    }

    private struct Row: Sendable {
        var signed: Date
        var status: ReceiverStatus
    }

    private struct State: Sendable {
        var registered: Set<String> = []
        var rows: [String: Row] = [:]
        var uuids: Set<String> = []
    }

    private let mistake: Mistake?
    private let ignored: String?
    private let expectedAppleID: Int64?
    private let needsReceipt: Bool
    private let now: Date?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - ignored: A notification type and subtype to accept and ignore, such as `EXPIRED/VOLUNTARY`.
    ///   - expectedAppleID: The only Apple ID to accept, as verifiers of Production do.
    ///   - needsReceipt: True to accept notifications only of customers with a known receipt.
    ///   - now: A clock to compare dates with, in place of the status in notifications.
    init(
        _ mistake: Mistake? = nil, ignoring ignored: String? = nil, expectedAppleID: Int64? = nil,
        needsReceipt: Bool = false, now: Date? = nil
    ) {
        self.mistake = mistake
        self.ignored = ignored
        self.expectedAppleID = expectedAppleID
        self.needsReceipt = needsReceipt
        self.now = now
    }

    func register(_ registration: ReceiverRegistration) async -> String? {
        do {
            let verifier = try ReceiptVerifier(trustedRoots: [TestSigning.identities.receiptRootCertificate])
            let receipt = try verifier.verify(Array(Data(base64Encoded: registration.receiptData) ?? Data()))
            let ids = receipt.purchases.map(\.originalTransactionID)
            guard ids.contains(registration.originalTransactionId), receipt.bundleID == registration.bundleId else {
                return "another receipt"
            }
            state.withLock { $0.registered.formUnion(ids) }
            return nil
        } catch {
            return "\(error)"
        }
    }

    func post(_ body: [UInt8]) async -> String? {
        do {
            return try take(body)
        } catch {
            return "\(error)"
        }
    }

    private func take(_ body: [UInt8]) throws -> String? {
        let verifier = try TestSigning.verifier
        let posted = try JSONDecoder().decode(NotificationBody.self, from: Data(body))
        let payload = try verifier.verify(posted.signedPayload, as: NotificationPayload.self)
        let name = [payload.notificationType.rawValue, payload.subtype?.rawValue].compactMap { $0 }
        if name.joined(separator: "/") == ignored { return nil }
        guard let data = payload.data, let signed = data.signedTransactionInfo else { return nil }
        if let expectedAppleID, data.appAppleId != expectedAppleID { return "another app's number" }
        let transaction = try verifier.verify(signed, as: TransactionPayload.self)
        let renewal = try data.signedRenewalInfo.map { try verifier.verify($0, as: RenewalInfoPayload.self) }
        if mistake == .ignoresRefunds, transaction.revocationDate != nil { return nil }
        let status = Int64(data.status ?? 0)
        return state.withLock { state in
            let isNew = state.uuids.insert(payload.notificationUUID).inserted
            if !isNew, mistake == .refusesDuplicates { return "409" }
            let id = transaction.originalTransactionId
            if needsReceipt, !state.registered.contains(id) { return "an unknown customer" }
            let isRenewal = payload.notificationType == .didRenew
            let undoes = mistake == .renewalsUndoRefunds && isRenewal && state.rows[id]?.status.status == 5
            if !undoes, mistake != .believesWhatComesLast, mistake != .renewalsAlwaysEntitle,
                let known = state.rows[id], known.signed >= payload.signedDate
            {
                return nil
            }
            var found = ReceiverStatus(
                status: status, isEntitled: status == 1 || status == 4, productID: transaction.productId,
                expires: transaction.expiresDate.map { Instant($0) }, environment: data.environment.rawValue)
            if let now {
                let end = max(transaction.expiresDate ?? now, renewal?.gracePeriodExpiresDate ?? now)
                found.isEntitled = transaction.revocationDate == nil && end > now
                found.status = nil
            }
            if mistake == .keepsFirstEnd { found.expires = state.rows[id]?.status.expires ?? found.expires }
            if mistake == .renewalsAlwaysEntitle {
                let before = state.rows[id]
                if payload.notificationType != .didRenew, let before, before.signed >= payload.signedDate { return nil }
                if payload.notificationType == .didRenew { found.isEntitled = true }
            }
            state.rows[id] = Row(signed: payload.signedDate, status: found)
            return nil
        }
    }

    func status(of originalTransactionID: String) async throws -> ReceiverStatus {
        state.withLock { $0.rows[originalTransactionID]?.status } ?? ReceiverStatus(isEntitled: false)
    }
}
