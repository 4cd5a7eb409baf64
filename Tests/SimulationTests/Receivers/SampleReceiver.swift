import AppStoreFormats
import Foundation
import PerennialSimulation
import Synchronization
import TestSupport

/// A seller's server as people write it, with or without the mistakes that people make.
final class SampleReceiver: ReceiverUnderTest {
    /// What is wrong with it.
    enum Mistake: String, Sendable, CaseIterable {
        /// What comes last is taken for what is newest.
        case believesWhatComesLast
        /// Whatever names a renewal gives access.
        case renewalsAlwaysEntitle
        /// The second of two that are the same is an error.
        case refusesDuplicates
        /// What was given back is none of its business.
        case ignoresRefunds
    }

    private struct Row: Sendable {
        var signed: Date
        var status: ReceiverStatus
        var expires: Date?
    }

    private struct State: Sendable {
        var rows: [String: Row] = [:]
        var uuids: Set<String> = []
    }

    private let mistake: Mistake?
    private let ignored: String?
    private let state = Mutex(State())

    /// - Parameter ignored: A notification that it takes and forgets, such as `EXPIRED/VOLUNTARY`.
    init(_ mistake: Mistake? = nil, ignoring ignored: String? = nil) {
        self.mistake = mistake
        self.ignored = ignored
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
        let transaction = try verifier.verify(signed, as: TransactionPayload.self)
        if mistake == .ignoresRefunds, transaction.revocationDate != nil { return nil }
        let status = Int64(data.status ?? 0)
        return state.withLock { state in
            let isNew = state.uuids.insert(payload.notificationUUID).inserted
            if !isNew, mistake == .refusesDuplicates { return "409" }
            let id = transaction.originalTransactionId
            if mistake != .believesWhatComesLast, mistake != .renewalsAlwaysEntitle,
                let known = state.rows[id], known.signed >= payload.signedDate
            {
                return nil
            }
            var found = ReceiverStatus(
                status: status, isEntitled: status == 1 || status == 4, productID: transaction.productId)
            if mistake == .renewalsAlwaysEntitle {
                let before = state.rows[id]
                if payload.notificationType != .didRenew, let before, before.signed >= payload.signedDate { return nil }
                if payload.notificationType == .didRenew { found.isEntitled = true }
            }
            state.rows[id] = Row(signed: payload.signedDate, status: found, expires: transaction.expiresDate)
            return nil
        }
    }

    func status(of originalTransactionID: String) async throws -> ReceiverStatus {
        state.withLock { $0.rows[originalTransactionID]?.status } ?? ReceiverStatus(isEntitled: false)
    }
}
