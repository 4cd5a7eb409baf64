import Foundation
import Perennial

/// A seller's server that receives notifications.
package protocol ReceiverUnderTest: Sendable {
    /// Posts a notification.
    ///
    /// - Returns: `nil` on success; otherwise the problem, for people.
    func post(_ body: [UInt8]) async -> String?

    /// Sends a customer's receipt, as the app does after the first purchase.
    ///
    /// - Returns: `nil` on success; otherwise the problem, for people.
    func register(_ registration: ReceiverRegistration) async -> String?

    /// Asks for the receiver's status of a subscription.
    ///
    /// - Throws: An error with a description for people.
    func status(of originalTransactionID: String) async throws -> ReceiverStatus
}

/// The message that an app sends to its server at a customer's first purchase.
package struct ReceiverRegistration: Sendable, Codable, Equatable {
    /// App receipt in base64, under verifyReceipt's key.
    package var receiptData: String
    package var bundleId: String
    package var environment: String
    package var originalTransactionId: String
    package var transactionId: String

    package init(
        receiptData: String, bundleId: String, environment: String, originalTransactionId: String,
        transactionId: String
    ) {
        self.receiptData = receiptData
        self.bundleId = bundleId
        self.environment = environment
        self.originalTransactionId = originalTransactionId
        self.transactionId = transactionId
    }

    private enum CodingKeys: String, CodingKey {
        case receiptData = "receipt-data"
        case bundleId, environment, originalTransactionId, transactionId
    }
}

/// Status of a subscription. A receiver may leave out any of it.
package struct ReceiverStatus: Sendable, Equatable {
    /// 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    package var status: Int64?
    package var isEntitled: Bool?
    package var productID: String?
    /// End of the newest period.
    package var expires: Instant?
    /// End of the grace period, in the expected status only: a receiver may report either end.
    package var graceExpires: Instant?
    /// `Sandbox` or `Production`.
    package var environment: String?

    package init(
        status: Int64? = nil, isEntitled: Bool? = nil, productID: String? = nil, expires: Instant? = nil,
        graceExpires: Instant? = nil, environment: String? = nil
    ) {
        self.status = status
        self.isEntitled = isEntitled
        self.productID = productID
        self.expires = expires
        self.graceExpires = graceExpires
        self.environment = environment
    }

    /// True if nothing that the receiver reports is wrong. The end of a refunded period isn't compared, since receivers report
    /// either the planned or the actual one.
    package func agrees(with right: ReceiverStatus) -> Bool {
        (status == nil || status == right.status) && (isEntitled == nil || isEntitled == right.isEntitled)
            && (productID == nil || productID == right.productID)
            && (environment == nil || right.environment == nil || environment == right.environment)
            && (expires == nil || right.expires == nil || expires == right.expires || expires == right.graceExpires)
    }

    /// The status for people.
    package var words: String {
        let names: [Int64: String] = [
            1: "active", 2: "expired", 3: "in billing retry", 4: "in grace period", 5: "revoked",
        ]
        let parts = [
            status.map { "status \($0)\(names[$0].map { ", \($0)" } ?? "")" },
            isEntitled.map { $0 ? "entitled" : "not entitled" }, productID,
            expires.map { "until \($0.rfc3339(fraction: true))" }, environment,
        ].compactMap { $0 }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }
}
