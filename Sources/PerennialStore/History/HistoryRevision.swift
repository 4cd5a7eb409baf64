import AppStoreFormats
import BaseEncoding
import Perennial
import PerennialStorage

/// A cursor into a customer's history, authenticated, so that only cursors from an answer are accepted.
///
/// Positions never change relative to each other, so a cursor is valid forever, also the last page's.
struct HistoryRevision {
    /// The cursor before the first transaction, in answers without transactions.
    static let first = "0"
    private static let sealLength = 8
    private static let length = 16 + sealLength
    /// The length in base64url: the bytes are a multiple of three.
    private static let textLength = length / 3 * 4

    let cipher: ReceiptOwnerCipher
    let customer: CustomerKey

    func text(_ place: TransactionsTable.Place) -> String {
        let bytes = Self.bytes([place.modified, place.id.rawValue])
        return Base64.encode(bytes + mark(bytes), as: .url)
    }

    /// Decodes a cursor.
    ///
    /// - Returns: `nil` for the cursor before the first transaction.
    /// - Throws: ``ServerAPIError`` 4000005.
    func place(_ text: String) throws -> TransactionsTable.Place? {
        guard text != Self.first else { return nil }
        guard text.utf8.count == Self.textLength, let bytes = Base64.decode(text, as: .url),
            bytes.count == Self.length, mark(bytes.dropLast(Self.sealLength)) == Array(bytes.suffix(Self.sealLength))
        else {
            throw ServerAPIError(
                .invalidRequestRevision, "revision", "a revision is one that an answer about this customer gave")
        }
        let numbers = stride(from: 0, to: 16, by: 8).map { start in
            Int64(bitPattern: bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64(truncatingIfNeeded: $1) })
        }
        return TransactionsTable.Place(modified: numbers[0], id: TransactionID(rawValue: numbers[1]))
    }

    private func mark(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        cipher.bytes(
            from: Array("history".utf8) + Self.bytes([customer.app, customer.account.rawValue]) + bytes,
            count: Self.sealLength)
    }

    private static func bytes(_ numbers: [Int64]) -> [UInt8] {
        numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    }
}
