/// The number of a customer's download of an app: the same for all of an account's purchases in it, and another one in each
/// app, so that two sellers can't compare customers by it.
///
/// Together with the app it leads back to the account; nothing has to be stored.
package struct AppTransactionID: Hashable, Sendable, CustomStringConvertible {
    /// 18 digits of which the first is 7.
    private static let first: Int64 = 700_000_000_000_000_000
    private static let count: Int64 = 100_000_000_000_000_000
    /// Odd and far from powers of ten, so that apps with neighbouring numbers are far apart.
    private static let multiplier: UInt64 = 6_364_136_223_846_793_005

    package let rawValue: Int64

    /// - Parameter account: Below 10^17, as all our numbers are.
    package init(app appleID: Int64, account: Account.ID) {
        rawValue = Self.first + (account.rawValue % Self.count + Self.offset(appleID)) % Self.count
    }

    /// Reads a number as protocols write it; `nil` for anything else.
    package init?(_ text: String) {
        guard text.utf8.count == 18, text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(text),
            (Self.first..<Self.first + Self.count).contains(number)
        else { return nil }
        rawValue = number
    }

    /// Whose download of an app it is, if it is of that app.
    package func account(app appleID: Int64) -> Account.ID {
        Account.ID(rawValue: (rawValue - Self.first - Self.offset(appleID) + Self.count) % Self.count)
    }

    package var description: String { String(rawValue) }

    private static func offset(_ appleID: Int64) -> Int64 {
        Int64((UInt64(bitPattern: appleID) &* multiplier) % UInt64(count))
    }
}
