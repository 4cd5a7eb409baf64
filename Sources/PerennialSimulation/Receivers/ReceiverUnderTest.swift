import Foundation
import Perennial

/// A seller's server, as far as a lint of its notifications goes.
package protocol ReceiverUnderTest: Sendable {
    /// Posts a notification.
    ///
    /// - Returns: `nil` where the receiver took it; otherwise what went wrong, in words.
    func post(_ body: [UInt8]) async -> String?

    /// Sends a customer's receipt, as the app does after the first purchase.
    ///
    /// - Returns: `nil` where the receiver took it; otherwise what went wrong, in words.
    func register(_ registration: ReceiverRegistration) async -> String?

    /// What the receiver believes of a subscription.
    ///
    /// - Throws: What went wrong, as a value that describes itself.
    func status(of originalTransactionID: String) async throws -> ReceiverStatus
}

/// What an app sends its server of a customer's first purchase.
package struct ReceiverRegistration: Sendable, Codable, Equatable {
    /// The app receipt in base64, under verifyReceipt's key.
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

/// What a receiver says of a subscription: as much as it likes.
package struct ReceiverStatus: Sendable, Equatable {
    /// 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    package var status: Int64?
    package var isEntitled: Bool?
    package var productID: String?
    /// When the newest period ends.
    package var expires: Instant?
    /// When the grace period ends; only of what is true. A receiver may say either.
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

    /// Whether nothing that is said is wrong. The end of a refunded period isn't compared: some say when it was to end,
    /// others when it did.
    package func agrees(with right: ReceiverStatus) -> Bool {
        (status == nil || status == right.status) && (isEntitled == nil || isEntitled == right.isEntitled)
            && (productID == nil || productID == right.productID)
            && (environment == nil || right.environment == nil || environment == right.environment)
            && (expires == nil || right.expires == nil || expires == right.expires || expires == right.graceExpires)
    }

    /// In words.
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
