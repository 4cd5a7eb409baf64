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
    /// The renewal information at the answer.
    var renewals: RenewalState

    /// The part of a customer's renewal information that time changes without an event: the win-back offers.
    struct RenewalState: Equatable {
        /// Up to here nothing changes by time alone.
        var validUntil: Instant
        /// A digest of the win-back offers that the customer is eligible for.
        var offers: Int64

        /// The state that no answer has had, as in cursors of versions before 0.18 and before the last page of a list.
        static let unknown = RenewalState(validUntil: .beginningOfTime, offers: -1)
        /// The state of a customer whom no time makes eligible for an offer.
        static let constant = RenewalState(validUntil: .endOfTime, offers: 0)
    }

    private static let sealLength = 8
    private static let length = 40 + sealLength
    /// The length of a cursor without a renewal state.
    private static let shortLength = 24 + sealLength

    /// Encodes the cursor.
    func text(_ cipher: ReceiptOwnerCipher, _ customer: CustomerKey) -> String {
        let bytes = Self.bytes([
            place.revision, place.id.rawValue, asOf, renewals.validUntil.milliseconds, renewals.offers,
        ])
        return Base64.encode(bytes + Self.seal(bytes, cipher, customer), as: .url)
    }

    /// Decodes a cursor.
    ///
    /// - Returns: `nil` for one of another customer.
    /// - Throws: ``StoreError`` `.malformed` for a text that is no cursor.
    init?(_ text: String, _ cipher: ReceiptOwnerCipher, _ customer: CustomerKey) throws {
        guard text.utf8.count <= Self.length * 2, let bytes = Base64.decode(text, as: .url),
            [Self.length, Self.shortLength].contains(bytes.count)
        else { throw StoreError(.malformed, "after", "a revision is one that an earlier answer gave") }
        let plain = bytes.dropLast(Self.sealLength)
        guard Self.seal(plain, cipher, customer) == Array(bytes.suffix(Self.sealLength)) else { return nil }
        let numbers = stride(from: 0, to: plain.count, by: 8).map { start in
            Int64(bitPattern: bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64(truncatingIfNeeded: $1) })
        }
        place = TransactionsTable.ChangePlace(revision: numbers[0], id: TransactionID(rawValue: numbers[1]))
        asOf = numbers[2]
        renewals = .unknown
        guard numbers.count == 5,
            (Instant.beginningOfTime...Instant.endOfTime).contains(Instant(milliseconds: numbers[3]))
        else { return }
        renewals = RenewalState(validUntil: Instant(milliseconds: numbers[3]), offers: numbers[4])
    }

    init(place: TransactionsTable.ChangePlace, asOf: Int64, renewals: RenewalState) {
        self.place = place
        self.asOf = asOf
        self.renewals = renewals
    }

    /// True if a device with this cursor knows all changes up to a revision of the customer's purchases.
    func isEnd(of newest: Int64) -> Bool { place == .end(of: newest) && asOf == newest }

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
