import AppStoreFormats
import Foundation

/// What goes with few kinds of journal entries only, for the notification that tells of them.
package struct NotificationDetails: Sendable, Equatable, Codable {
    /// Why a refund was asked for.
    package var consumptionRequestReason: String?
    package var summary: NotificationPayload.Summary?
    package var externalPurchaseToken: NotificationPayload.ExternalPurchaseToken?
    package var appTransaction: AppTransactionPayload?

    package init(
        consumptionRequestReason: String? = nil, summary: NotificationPayload.Summary? = nil,
        externalPurchaseToken: NotificationPayload.ExternalPurchaseToken? = nil,
        appTransaction: AppTransactionPayload? = nil
    ) {
        self.consumptionRequestReason = consumptionRequestReason
        self.summary = summary
        self.externalPurchaseToken = externalPurchaseToken
        self.appTransaction = appTransaction
    }

    init(json: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(json.utf8)) }

    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
