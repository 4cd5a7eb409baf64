/// The number of an order, as it stands in the e-mail that a customer gets: `M` and ten digits of base 32.
///
/// Each purchase and each renewal is an order of its own. The number is worked out from the transaction's and turned
/// back: nothing is kept.
package struct OrderID: Hashable, Sendable, CustomStringConvertible {
    private static let permutation = NumberPermutation(bits: 50)
    private static let prefix: Character = "M"
    private static let length = 10
    /// Without the letters that are taken for digits.
    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    /// Where the numbers of Production's transactions begin.
    private static let firstTransaction: UInt64 = 300_000_000_000_000

    package let transactionID: TransactionID

    /// - Returns: `nil` for numbers that Production doesn't give.
    package init?(of id: TransactionID) {
        let first = Self.firstTransaction
        guard (first..<first + Self.permutation.count).contains(UInt64(clamping: id.rawValue)) else { return nil }
        transactionID = id
    }

    /// Reads an order's number, in upper or lower case.
    package init?(_ text: some StringProtocol) {
        let text = text.uppercased()
        guard text.first == Self.prefix, text.count == Self.length + 1 else { return nil }
        var number: UInt64 = 0
        for character in text.dropFirst() {
            guard let digit = Self.digits.firstIndex(of: character) else { return nil }
            number = number << 5 | UInt64(truncatingIfNeeded: digit)
        }
        transactionID = TransactionID(rawValue: Int64(Self.firstTransaction + Self.permutation.gathered(number)))
    }

    package var description: String {
        let number = Self.permutation.scattered(UInt64(bitPattern: transactionID.rawValue) &- Self.firstTransaction)
        let places = stride(from: 5 * (Self.length - 1), through: 0, by: -5)
        return String(Self.prefix) + String(places.map { Self.digits[Int(number >> $0 & 31)] })
    }
}
