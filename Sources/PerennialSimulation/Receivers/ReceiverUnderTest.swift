/// A seller's server, as far as a lint of its notifications goes.
package protocol ReceiverUnderTest: Sendable {
    /// Posts a notification.
    ///
    /// - Returns: `nil` where the receiver took it; otherwise what went wrong, in words.
    func post(_ body: [UInt8]) async -> String?

    /// What the receiver believes of a subscription.
    ///
    /// - Throws: What went wrong, as a value that describes itself.
    func status(of originalTransactionID: String) async throws -> ReceiverStatus
}

/// What a receiver says of a subscription: as much as it likes.
package struct ReceiverStatus: Sendable, Equatable {
    /// 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    package var status: Int64?
    package var isEntitled: Bool?
    package var productID: String?

    package init(status: Int64? = nil, isEntitled: Bool? = nil, productID: String? = nil) {
        self.status = status
        self.isEntitled = isEntitled
        self.productID = productID
    }

    /// Whether nothing that is said is wrong.
    func agrees(with right: ReceiverStatus) -> Bool {
        (status == nil || status == right.status) && (isEntitled == nil || isEntitled == right.isEntitled)
            && (productID == nil || productID == right.productID)
    }

    /// In words.
    package var words: String {
        let names: [Int64: String] = [
            1: "active", 2: "expired", 3: "in billing retry", 4: "in grace period", 5: "revoked",
        ]
        let parts = [
            status.map { "status \($0)\(names[$0].map { ", \($0)" } ?? "")" },
            isEntitled.map { $0 ? "entitled" : "not entitled" }, productID,
        ].compactMap { $0 }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }
}
