import Perennial

/// The fields of a version 1 notification that the lint reads.
struct LintedNotificationV1: Decodable {
    private struct UnifiedReceipt: Decodable {
        struct Period: Decodable {
            var transaction_id: String
            var original_transaction_id: String
            var cancellation_date_ms: String?
            var expires_date_ms: String?
        }

        struct Renewal: Decodable {
            var original_transaction_id: String
            var grace_period_expires_date_ms: String?
        }

        /// Periods, newest first.
        var latest_receipt_info: [Period]
        var pending_renewal_info: [Renewal]
    }

    let notificationType: String
    let originalTransactionID: Int64
    private let unifiedReceipt: UnifiedReceipt

    private enum CodingKeys: String, CodingKey {
        case notificationType = "notification_type"
        case originalTransactionID = "original_transaction_id"
        case unifiedReceipt = "unified_receipt"
    }

    /// State of the subscription in the notification's receipt; `nil` without one.
    var carried: CarriedState? {
        let id = "\(originalTransactionID)"
        guard let newest = unifiedReceipt.latest_receipt_info.first(where: { $0.original_transaction_id == id }) else {
            return nil
        }
        let renewal = unifiedReceipt.pending_renewal_info.first { $0.original_transaction_id == id }
        return CarriedState(
            transactionID: newest.transaction_id, isCancelled: newest.cancellation_date_ms != nil,
            expires: Self.instant(newest.expires_date_ms),
            graceExpires: Self.instant(renewal?.grace_period_expires_date_ms))
    }

    private static func instant(_ milliseconds: String?) -> Instant? {
        milliseconds.flatMap { Int64($0) }.map { Instant(milliseconds: $0) }
    }
}
