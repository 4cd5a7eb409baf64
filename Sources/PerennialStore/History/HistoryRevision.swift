import AppStoreFormats
import Perennial
import PerennialStorage

/// A place in a customer's history as it goes out and comes back: sealed, so that only what an answer gave is taken.
///
/// What is behind a place stays behind it, so a revision is good for ever, and also once it is the last one's.
struct HistoryRevision {
    /// Before everything: what an answer without transactions says.
    static let first = "0"
    private static let sealLength = 8
    private static let length = 16 + sealLength
    /// In base64url: a multiple of three bytes.
    private static let textLength = length / 3 * 4

    let seal: AccountSeal
    let customer: CustomerKey

    func text(_ place: TransactionsTable.Place) -> String {
        let bytes = Self.bytes([place.modified, place.id.rawValue])
        return Base64.encode(bytes + mark(bytes), as: .url)
    }

    /// - Returns: `nil` for the revision before everything.
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
        seal.bytes(
            from: Array("history".utf8) + Self.bytes([customer.app, customer.account.rawValue]) + bytes,
            count: Self.sealLength)
    }

    private static func bytes(_ numbers: [Int64]) -> [UInt8] {
        numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    }
}
