/// The number of an order in the customer's e-mail receipt: `M` and ten digits of base 32.
///
/// Each purchase and each renewal is an order. The number is computed from the transaction ID and decoded, so it
/// isn't stored.
package struct OrderID: Hashable, Sendable, CustomStringConvertible {
    private static let permutation = ReversibleID(bits: 50)
    private static let prefix: Character = "M"
    private static let length = 10
    /// Letters without those that look like digits.
    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    /// The first transaction ID of Production.
    private static let firstTransaction: UInt64 = 300_000_000_000_000

    package let transactionID: TransactionID

    /// Creates the order of a transaction; `nil` for IDs that Production doesn't give.
    package init?(of id: TransactionID) {
        let first = Self.firstTransaction
        guard (first..<first + Self.permutation.count).contains(UInt64(clamping: id.rawValue)) else { return nil }
        transactionID = id
    }

    /// Parses an order number, in upper or lower case.
    package init?(_ text: some StringProtocol) {
        let text = text.uppercased()
        guard text.first == Self.prefix, text.count == Self.length + 1 else { return nil }
        var number: UInt64 = 0
        for character in text.dropFirst() {
            guard let digit = Self.digits.firstIndex(of: character) else { return nil }
            number = number << 5 | UInt64(truncatingIfNeeded: digit)
        }
        transactionID = TransactionID(rawValue: Int64(Self.firstTransaction + Self.permutation.decode(number)))
    }

    package var description: String {
        let number = Self.permutation.encode(UInt64(bitPattern: transactionID.rawValue) &- Self.firstTransaction)
        let places = stride(from: 5 * (Self.length - 1), through: 0, by: -5)
        return String(Self.prefix) + String(places.map { Self.digits[Int(number >> $0 & 31)] })
    }
}
