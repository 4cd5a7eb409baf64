/// The ID of a customer's download of an app (`appTransactionId`), one for each account and app.
///
/// It is computed from account and app, and decoded to resolve a customer, so it isn't stored. All IDs lie in a range
/// that no transaction ID reaches.
package struct AppTransactionID: Hashable, Sendable, CustomStringConvertible {
    private static let permutation = ReversibleID(bits: 58)
    private static let first: UInt64 = 700_000_000_000_000_000
    /// Odd, so that apps with consecutive IDs get distant offsets.
    private static let appFactor: UInt64 = 0xC2B2_AE3D_27D4_EB4F

    package let rawValue: Int64

    package init(account: Account.ID, app: Int64) {
        let number = UInt64(truncatingIfNeeded: account.rawValue)
        rawValue = Int64(Self.first + Self.permutation.encode(number, offset: Self.offset(app)))
    }

    /// Creates an app transaction ID; `nil` for the ID of a transaction.
    package init?(_ id: TransactionID) {
        guard (Self.first..<Self.first + Self.permutation.count).contains(UInt64(clamping: id.rawValue)) else {
            return nil
        }
        rawValue = id.rawValue
    }

    /// Returns the account of the download, assuming that it is one of this app.
    package func account(app: Int64) -> Account.ID {
        let number = Self.permutation.decode(UInt64(bitPattern: rawValue) &- Self.first, offset: Self.offset(app))
        return Account.ID(rawValue: Int64(number))
    }

    private static func offset(_ app: Int64) -> UInt64 { UInt64(truncatingIfNeeded: app) &* appFactor }

    package var description: String { String(rawValue) }
}
