/// The attribute types of app receipts.
///
/// Source: Apple's receipt fields, completed by the attributes that genuine receipts carry without documentation.
enum ReceiptAttribute {
    static let receiptType: Int64 = 0
    static let appItemID: Int64 = 1
    static let bundleID: Int64 = 2
    static let applicationVersion: Int64 = 3
    static let opaqueValue: Int64 = 4
    static let deviceHash: Int64 = 5
    static let opaque6: Int64 = 6
    static let opaque7: Int64 = 7
    static let ageRating: Int64 = 10
    static let creationDate: Int64 = 12
    static let downloadID: Int64 = 15
    static let versionExternalIdentifier: Int64 = 16
    static let purchase: Int64 = 17
    static let originalPurchaseDate: Int64 = 18
    static let originalApplicationVersion: Int64 = 19
    static let expirationDate: Int64 = 21
    static let preorderDate: Int64 = 32

    static let quantity: Int64 = 1701
    static let productID: Int64 = 1702
    static let transactionID: Int64 = 1703
    static let purchaseDate: Int64 = 1704
    static let originalTransactionID: Int64 = 1705
    static let originalPurchaseDateOfPurchase: Int64 = 1706
    static let productType: Int64 = 1707
    static let expiresDate: Int64 = 1708
    static let webOrderLineItemID: Int64 = 1711
    static let cancellationDate: Int64 = 1712
    static let isTrialPeriod: Int64 = 1713
    static let isInIntroOfferPeriod: Int64 = 1719
    static let cancellationReason: Int64 = 1720
    static let promotionalOfferID: Int64 = 1721

    /// Attributes of unknown meaning with the values that genuine sandbox receipts show, so that a validator which
    /// counts on their presence and encoding finds them. 9 spells `P305`.
    static let undocumentedNumbers: [(type: Int64, value: Int64)] = [(9, 0x5033_3035), (11, 0), (25, 3)]
    /// 13 and 14 hold numbers in genuine receipts; which ones is not known, so these are our own.
    static let undocumentedCounters: [(type: Int64, value: Int64)] = [(13, 1), (14, 1)]
    static let undocumentedEmptyASCII: Int64 = 8
    static let undocumentedEmptyText: Int64 = 20
    static let undocumentedPurchaseNumbers: [Int64] = [1710, 1722]
    static let undocumentedPurchaseTexts: [Int64] = [1709, 1714, 1715, 1716, 1717, 1718]

    /// The version of an attribute: 1, but 2 for the opaque value.
    static func version(of type: Int64) -> Int64 { type == opaqueValue ? 2 : 1 }
}
