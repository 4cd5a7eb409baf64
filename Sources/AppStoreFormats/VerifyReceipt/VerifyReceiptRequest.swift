import BaseEncoding
import FastJSON

/// A request to verifyReceipt.
public struct VerifyReceiptRequest: Sendable, Equatable {
    /// The largest body that is read, in bytes: 3 MiB, as validators report it of the App Store.
    public static let maximumSize = 3_145_728

    /// A receipt of either generation, decoded from base64 and not verified.
    public enum Receipt: Sendable, Equatable {
        /// An app receipt: PKCS #7.
        case app([UInt8])
        /// An old transaction receipt: a property list.
        case transaction([UInt8])
    }

    /// The receipt sent in (`receipt-data`).
    public var receipt: Receipt
    /// The shared secret, if there is one (`password`).
    public var password: String?
    /// True to return only the newest renewal of each subscription (`exclude-old-transactions`).
    public var excludesOldTransactions: Bool

    /// Makes a request.
    public init(receipt: Receipt, password: String? = nil, excludesOldTransactions: Bool = false) {
        self.receipt = receipt
        self.password = password
        self.excludesOldTransactions = excludesOldTransactions
    }

    /// Reads a request's body, whatever its Content-Type.
    ///
    /// Every unreadable body has the status 21002: a body above ``maximumSize`` or that is empty, is not JSON, or is
    /// not an object; a `receipt-data` that is missing, empty, not a string, not standard base64 (URL-safe digits,
    /// missing padding, spaces and line breaks are refused, as validators measured), or not a receipt by its first
    /// byte. A `password` that is not a string counts as missing, so that the status is 21004 if one is needed.
    /// `exclude-old-transactions` may be a boolean, 1 or 0, or one of them as a string; anything else counts as false.
    /// - Throws: ``VerifyReceiptStatus/malformedReceipt``.
    public init(body: some Collection<UInt8>) throws(VerifyReceiptStatus) {
        let request = try UndecodedVerifyReceiptRequest(body: body)
        self.init(
            receipt: try request.receipt(), password: request.password,
            excludesOldTransactions: request.excludesOldTransactions)
    }
}

/// A request to verifyReceipt with the receipt still in base64, for callers that may know the receipt already.
///
/// Base64 is decoded strictly, so that no two texts are the same receipt.
package struct UndecodedVerifyReceiptRequest: Sendable {
    /// Standard base64, if it is right.
    package let receiptData: String
    package let password: String?
    package let excludesOldTransactions: Bool

    /// Reads a request's body, as ``VerifyReceiptRequest/init(body:)`` does.
    /// - Throws: ``VerifyReceiptStatus/malformedReceipt``.
    package init(body: some Collection<UInt8>) throws(VerifyReceiptStatus) {
        guard body.count <= VerifyReceiptRequest.maximumSize else { throw .malformedReceipt }
        var receiptData: String?
        var password: String?
        var excludesOldTransactions = false
        do throws(JSONSyntaxError) {
            var scanner = JSONScanner(Array(body))
            try scanner.scanObject { key, value in
                switch key {
                case "receipt-data": receiptData = value.string
                case "password": password = value.string
                case "exclude-old-transactions": excludesOldTransactions = value.isTrue
                default: break
                }
            }
        } catch {
            throw .malformedReceipt
        }
        guard let receiptData else { throw .malformedReceipt }
        self.receiptData = receiptData
        self.password = password
        self.excludesOldTransactions = excludesOldTransactions
    }

    /// Decodes the receipt.
    /// - Throws: ``VerifyReceiptStatus/malformedReceipt`` for text that is not base64, or bytes that are not a receipt
    ///   by the first one.
    package func receipt() throws(VerifyReceiptStatus) -> VerifyReceiptRequest.Receipt {
        guard let bytes = Base64.decode(receiptData) else { throw .malformedReceipt }
        return try VerifyReceiptRequest.Receipt(bytes)
    }
}

extension VerifyReceiptRequest.Receipt {
    /// Tells the two generations apart by their first byte: a DER SEQUENCE, or the brace of a property list.
    init(_ bytes: [UInt8]) throws(VerifyReceiptStatus) {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        switch bytes.first {
        case DERTag.sequence.rawValue: self = .app(bytes)
        default:
            guard bytes.first(where: { !isSpace($0) }) == UInt8(ascii: "{") else { throw .malformedReceipt }
            self = .transaction(bytes)
        }
    }
}

extension JSONScanner.Value {
    fileprivate var isTrue: Bool {
        switch self {
        case .bool(let bool): bool
        case .number(let number): number == 1
        case .string(let text): text == "1" || text == "true"
        case .null, .strings, .nested: false
        }
    }
}
