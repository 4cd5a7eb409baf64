import BaseEncoding
import Perennial
import PerennialStorage

/// A device's cursor into the changes of its customer's purchases, authenticated.
///
/// Unlike a ``HistoryRevision`` it becomes void: when transactions were deleted, or when it is another customer's, such as
/// the one before the environment was emptied. Then the list starts again.
struct ChangesRevision: Equatable {
    /// The place of the last transaction that the device was told of.
    var place: TransactionsTable.ChangePlace
    /// The revision of the customer's purchases at the answer. The device knows the deletions up to then.
    var asOf: Int64

    private static let sealLength = 8
    private static let length = 24 + sealLength
    /// The length in base64url without padding.
    private static let textLength = (length * 8 + 5) / 6

    /// Encodes the cursor.
    func text(_ cipher: ReceiptOwnerCipher, _ customer: CustomerKey) -> String {
        let bytes = Self.bytes([place.revision, place.id.rawValue, asOf])
        return Base64.encode(bytes + Self.seal(bytes, cipher, customer), as: .url)
    }

    /// Decodes a cursor.
    ///
    /// - Returns: `nil` for one of another customer.
    /// - Throws: ``StoreError`` `.malformed` for a text that is no cursor.
    init?(_ text: String, _ cipher: ReceiptOwnerCipher, _ customer: CustomerKey) throws {
        guard text.utf8.count == Self.textLength, let bytes = Base64.decode(text, as: .url),
            bytes.count == Self.length
        else { throw StoreError(.malformed, "after", "a revision is one that an earlier answer gave") }
        let plain = bytes.dropLast(Self.sealLength)
        guard Self.seal(plain, cipher, customer) == Array(bytes.suffix(Self.sealLength)) else { return nil }
        let numbers = stride(from: 0, to: plain.count, by: 8).map { start in
            Int64(bitPattern: bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64(truncatingIfNeeded: $1) })
        }
        place = TransactionsTable.ChangePlace(revision: numbers[0], id: TransactionID(rawValue: numbers[1]))
        asOf = numbers[2]
    }

    init(place: TransactionsTable.ChangePlace, asOf: Int64) {
        self.place = place
        self.asOf = asOf
    }

    private static func seal(
        _ bytes: some Sequence<UInt8>, _ cipher: ReceiptOwnerCipher, _ customer: CustomerKey
    ) -> [UInt8] {
        cipher.bytes(
            from: Array("changes".utf8) + Self.bytes([customer.app, customer.account.rawValue]) + bytes,
            count: sealLength)
    }

    private static func bytes(_ numbers: [Int64]) -> [UInt8] {
        numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    }
}
