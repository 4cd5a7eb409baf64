/// The number of a customer's download of an app: `appTransactionId`, one for each account and app.
///
/// It is worked out from the account and the app, and turned back where a server names a customer by it: nothing is
/// kept. All of them lie in a range that no transaction's number reaches, so that the two are told apart.
package struct AppTransactionID: Hashable, Sendable, CustomStringConvertible {
    private static let permutation = NumberPermutation(bits: 58)
    private static let first: UInt64 = 700_000_000_000_000_000
    /// Odd, so that apps with numbers in a row lie far apart.
    private static let appFactor: UInt64 = 0xC2B2_AE3D_27D4_EB4F

    package let rawValue: Int64

    package init(account: Account.ID, app: Int64) {
        let number = UInt64(truncatingIfNeeded: account.rawValue)
        rawValue = Int64(Self.first + Self.permutation.scattered(number, offset: Self.offset(app)))
    }

    /// - Returns: `nil` for the number of a transaction.
    package init?(_ id: TransactionID) {
        guard (Self.first..<Self.first + Self.permutation.count).contains(UInt64(clamping: id.rawValue)) else {
            return nil
        }
        rawValue = id.rawValue
    }

    /// Whose download it is, if it is one of this app.
    package func account(app: Int64) -> Account.ID {
        let number = Self.permutation.gathered(UInt64(bitPattern: rawValue) &- Self.first, offset: Self.offset(app))
        return Account.ID(rawValue: Int64(number))
    }

    private static func offset(_ app: Int64) -> UInt64 { UInt64(truncatingIfNeeded: app) &* appFactor }

    package var description: String { String(rawValue) }
}
