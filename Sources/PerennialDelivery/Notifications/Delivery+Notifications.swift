import AppStoreFormats
import Foundation
import Logging
import Perennial
import PerennialStorage

extension Delivery {
    /// Receives an App Store Server Notification V2. A refund or revocation ends access, also with older receipts; a reversal
    /// restores it. Repeats and late notifications change nothing.
    ///
    /// - Parameter signedPayload: A JWS.
    /// - Returns: False for a notification that doesn't concern content.
    /// - Throws: ``DeliveryError`` with `notificationInvalid`, `notificationsNotSetUp`, `appNotFound` or
    ///   `storeUnavailable`; then nothing has changed.
    package func receive(notification signedPayload: String) async throws -> Bool {
        let payload = try await verify(signedPayload, as: NotificationPayload.self)
        // Summaries and external purchases don't concern content.
        guard let data = payload.data else { return false }
        let bundleID = App.BundleID(rawValue: data.bundleId ?? "")
        _ = try catalog().entry(bundleID)
        // Test sessions have no notifications.
        guard let environment = StoreEnvironment.Kind(rawValue: data.environment.rawValue), environment != .xcode else {
            throw Self.invalid("it is about the environment \(data.environment.rawValue), not Production or Sandbox")
        }
        guard [.refund, .revoke, .refundReversed].contains(payload.notificationType) else { return false }
        let scope = DeliveryScope(environment: environment, bundleID: bundleID)
        let (id, notice) = try await refundNotice(in: data, of: payload, scope)
        try await database.write { connection in try Self.record(notice, scope, on: connection) }
        logger.info(
            "The store told of a refund.",
            metadata: [
                "type": "\(payload.notificationType.rawValue)", "transaction": "\(id)",
                "notification": "\(payload.notificationUUID)",
            ])
        return true
    }

    /// Verifies a notification's transaction and returns its refund. Access ends at the revocation date; the notification's signing
    /// date orders it among other reports.
    private func refundNotice(
        in data: NotificationPayload.Details, of payload: NotificationPayload, _ scope: DeliveryScope
    ) async throws -> (TransactionID, RefundNotice) {
        guard let info = data.signedTransactionInfo else { throw Self.invalid("it has no transaction") }
        let transaction = try await verify(info, as: TransactionPayload.self)
        guard transaction.bundleId == scope.bundleID.rawValue, transaction.environment == data.environment,
            let id = TransactionID(transaction.transactionId)
        else { throw Self.invalid("its transaction is another app's, or of another environment") }
        let signed = Instant(payload.signedDate)
        if payload.notificationType == .refundReversed { return (id, .reversed(id, reported: signed)) }
        return (id, .refunded(id, at: transaction.revocationDate.map(Instant.init) ?? signed, reported: signed))
    }

    private func verify<Payload: Decodable>(_ jws: String, as type: Payload.Type) async throws -> Payload {
        guard let notificationTrust else {
            throw DeliveryError(
                .notificationsNotSetUp, "signedPayload",
                "this server doesn't know whose notifications to believe: start it with --root-certificate")
        }
        do {
            return try await notificationTrust.verify(jws, as: type, at: clock())
        } catch let error as JWSError {
            throw Self.invalid(error.description)
        }
    }

    private static func invalid(_ reason: String) -> DeliveryError {
        DeliveryError(.notificationInvalid, "signedPayload", reason)
    }
}
