import Perennial
import Testing

/// A receipt's report about refunds compared with the known ones, in seconds.
struct KnownRefundTests {
    struct Case: CustomTestStringConvertible {
        let rule: String
        /// The known dates: of the refund, of its report, and of the report of a reversal.
        var known: (refunded: Int64?, reported: Int64?, reversed: Int64?)?
        /// The receipt's cancellation date, and the date of the store's answer in milliseconds.
        var cancelled: Int64?
        var said: Int64?
        let news: RefundNotice?
        /// True if the purchase is in force after both reports.
        let isInForce: Bool

        var testDescription: String { rule }
    }

    private static let id = TransactionID(rawValue: 7)

    private static func at(_ seconds: Int64) -> Instant { Instant(milliseconds: seconds * 1000) }

    static let cases: [Case] = [
        Case(rule: "nothing is known, nothing is told", news: nil, isInForce: true),
        Case(
            rule: "a first refund", cancelled: 10, news: .refunded(id, at: at(10), reported: at(10)), isInForce: false),
        Case(
            rule: "it is of when the store said it", cancelled: 10, said: 20_000,
            news: .refunded(id, at: at(10), reported: at(20)), isInForce: false),
        Case(
            rule: "it is known", known: (10, 20, nil), cancelled: 10, said: 30_000, news: nil, isInForce: false),
        Case(
            rule: "another refund than the known one", known: (10, 20, nil), cancelled: 25, said: 30_000,
            news: .refunded(id, at: at(25), reported: at(30)), isInForce: false),
        Case(rule: "a receipt from before the refund", known: (10, 20, nil), said: 5_000, news: nil, isInForce: false),
        Case(rule: "a receipt that doesn't say when", known: (10, 20, nil), news: nil, isInForce: false),
        Case(
            rule: "a receipt from the second in which it was told", known: (10, 20, nil), said: 20_900, news: nil,
            isInForce: false),
        Case(
            rule: "a receipt from after it", known: (10, 20, nil), said: 21_500,
            news: .reversed(id, reported: at(21)), isInForce: true),
        Case(rule: "that it was reversed is known", known: (10, 20, 30), said: 40_000, news: nil, isInForce: true),
        Case(
            rule: "a kept receipt with the reversed refund", known: (10, 20, 30), cancelled: 10, said: 20_000,
            news: nil,
            isInForce: true),
        Case(
            rule: "refunded again since", known: (10, 20, 30), cancelled: 35, said: 40_000,
            news: .refunded(id, at: at(35), reported: at(40)), isInForce: false),
        Case(
            rule: "the store was late to say so, and says so now", known: (10, 20, 21), cancelled: 10, said: 40_000,
            news: .refunded(id, at: at(10), reported: at(40)), isInForce: false),
        Case(
            rule: "a reversal that overtook its refund", known: (nil, nil, 30), cancelled: 10, said: 20_000,
            news: .refunded(id, at: at(10), reported: at(20)), isInForce: true),
    ]

    @Test(arguments: cases)
    func `the later of two refund reports counts`(_ row: Case) {
        var purchase = VerifiedPurchase(
            productID: Product.ID(rawValue: "filter"), transactionID: Self.id, purchaseDate: Self.at(0),
            cancellationDate: row.cancelled.map(Self.at), type: .nonConsumable)
        purchase.reportedDate = row.said.map(Instant.init(milliseconds:))
        let known = row.known.map {
            KnownRefund(
                refundDate: $0.refunded.map(Self.at), reportedDate: $0.reported.map(Self.at),
                reversalDate: $0.reversed.map(Self.at))
        }
        let news = purchase.refundNotice(comparedTo: known)
        #expect(news == row.news)
        var after: [TransactionID: KnownRefund] = [:]
        switch news {
        case nil: after[Self.id] = known
        case .refunded(_, let date, let reported):
            after[Self.id] = KnownRefund(
                refundDate: date, reportedDate: reported, reversalDate: known?.reversalDate)
        case .reversed(_, let reported):
            after[Self.id] = KnownRefund(
                refundDate: known?.refundDate, reportedDate: known?.reportedDate, reversalDate: reported)
        }
        #expect((purchase.applyingKnownRefunds(after).cancellationDate == nil) == row.isInForce)
    }

    /// A purchase of second 0, repeated in second 10.
    @Test(arguments: [(Int64(5), true), (10, false), (20, false)])
    func `a repeat is revoked with its purchase unless it was made later`(
        refunded: Int64, isInForce: Bool
    ) {
        let again = VerifiedPurchase(
            productID: Product.ID(rawValue: "filter"), transactionID: TransactionID(rawValue: 8),
            originalTransactionID: Self.id, purchaseDate: Self.at(10), type: .nonConsumable)
        let known = [
            Self.id: KnownRefund(
                refundDate: Self.at(refunded), reportedDate: Self.at(refunded), reversalDate: nil)
        ]
        #expect((again.applyingKnownRefunds(known).cancellationDate == nil) == isInForce)
        // A period of a subscription repeats nothing.
        var period = again
        period.expiresDate = Self.at(100)
        #expect(period.applyingKnownRefunds(known).cancellationDate == nil)
    }
}
