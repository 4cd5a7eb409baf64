import Foundation

extension AppReceipt {
    /// Reads a receipt's payload, without any proof of its origin: use ``ReceiptVerifier`` for that.
    ///
    /// Unknown attributes are skipped and sets need not be sorted. Any bytes give a receipt or an error, in time
    /// proportional to their number.
    /// - Throws: ``ReceiptError`` with the code `tooLarge`, `notAReceipt`, `indefiniteLength` or `malformedPayload`.
    public init(payload: [UInt8]) throws(ReceiptError) {
        guard payload.count <= Self.maximumSize else {
            throw ReceiptError(
                .tooLarge, subject: "payload", reason: "\(payload.count) bytes; at most \(Self.maximumSize)")
        }
        do throws(ReceiptError) {
            var reader = DERReader(payload)
            let set = try reader.enter(.set, "payload")
            try reader.expectEnd("payload")
            try self.init(attributes: set)
        } catch {
            // The reader cannot know that it stands inside a container which is right.
            guard error.code == .notAReceipt else { throw error }
            throw ReceiptError(.malformedPayload, subject: error.subject, reason: error.reason)
        }
    }

    /// Reads the attributes of the outer set.
    private init(attributes: DERReader) throws(ReceiptError) {
        var set = attributes
        self.init(
            receiptType: ReceiptType(rawValue: ""), bundleID: "", applicationVersion: "", opaqueValue: [],
            deviceHash: [], creationDate: .distantPast, originalPurchaseDate: .distantPast,
            originalApplicationVersion: "")
        var missing: Set<Int64> = [
            ReceiptAttribute.receiptType, ReceiptAttribute.bundleID, ReceiptAttribute.applicationVersion,
            ReceiptAttribute.creationDate,
        ]
        var count = 0
        while !set.isAtEnd {
            let attribute = try ParsedAttribute(from: &set)
            missing.remove(attribute.type)
            if attribute.type == ReceiptAttribute.purchase {
                guard purchases.count < Self.maximumPurchases else {
                    throw attribute.malformed("more than \(Self.maximumPurchases) purchases")
                }
                purchases.append(try Purchase(attribute))
            } else {
                count += 1
                guard count <= Self.maximumAttributes else {
                    throw attribute.malformed("more than \(Self.maximumAttributes) attributes")
                }
                try take(attribute)
            }
        }
        if let type = missing.min() {
            throw ReceiptError(.malformedPayload, subject: "attribute \(type)", reason: "missing")
        }
    }

    private mutating func take(_ attribute: ParsedAttribute) throws(ReceiptError) {
        switch attribute.type {
        case ReceiptAttribute.receiptType: receiptType = ReceiptType(rawValue: try attribute.text())
        case ReceiptAttribute.appItemID: appItemID = try attribute.number()
        case ReceiptAttribute.bundleID:
            bundleID = try attribute.text()
            setEncodedBundleID(attribute.raw)
        case ReceiptAttribute.applicationVersion: applicationVersion = try attribute.text()
        case ReceiptAttribute.opaqueValue: opaqueValue = attribute.raw
        case ReceiptAttribute.deviceHash: deviceHash = attribute.raw
        case ReceiptAttribute.opaque6: opaqueAttribute6 = attribute.raw
        case ReceiptAttribute.opaque7: opaqueAttribute7 = attribute.raw
        case ReceiptAttribute.ageRating: ageRating = try attribute.text()
        case ReceiptAttribute.creationDate: creationDate = try attribute.requiredDate()
        case ReceiptAttribute.downloadID: downloadID = try attribute.number()
        case ReceiptAttribute.versionExternalIdentifier: versionExternalIdentifier = try attribute.number()
        case ReceiptAttribute.originalPurchaseDate: originalPurchaseDate = try attribute.requiredDate()
        case ReceiptAttribute.originalApplicationVersion: originalApplicationVersion = try attribute.text()
        case ReceiptAttribute.expirationDate: expirationDate = try attribute.date()
        case ReceiptAttribute.preorderDate: preorderDate = try attribute.date()
        default: break
        }
    }
}

extension AppReceipt.Purchase {
    /// Reads one purchase. Xcode's receipts leave out the original transaction: it is then the transaction itself.
    fileprivate init(_ purchase: ParsedAttribute) throws(ReceiptError) {
        var set = try purchase.set()
        self.init(
            productID: "", transactionID: "", originalTransactionID: "", purchaseDate: .distantPast,
            originalPurchaseDate: .distantPast, productType: .nonConsumable)
        // One bit for each known type: a hash table for every purchase would cost more than the parsing.
        var found: UInt64 = 0
        var count = 0
        while !set.isAtEnd {
            let attribute = try ParsedAttribute(from: &set)
            found |= Self.bit(attribute.type)
            count += 1
            guard count <= AppReceipt.maximumAttributes else {
                throw attribute.malformed("more than \(AppReceipt.maximumAttributes) attributes in a purchase")
            }
            try take(attribute)
        }
        for type in [ReceiptAttribute.productID, ReceiptAttribute.transactionID, ReceiptAttribute.purchaseDate]
        where found & Self.bit(type) == 0 {
            throw ReceiptError(.malformedPayload, subject: "attribute \(type)", reason: "missing in a purchase")
        }
        if found & Self.bit(ReceiptAttribute.originalTransactionID) == 0 { originalTransactionID = transactionID }
        if found & Self.bit(ReceiptAttribute.originalPurchaseDateOfPurchase) == 0 {
            originalPurchaseDate = purchaseDate
        }
    }

    private static func bit(_ type: Int64) -> UInt64 {
        (1700..<1764).contains(type) ? 1 << (type - 1700) : 0
    }

    private mutating func take(_ attribute: ParsedAttribute) throws(ReceiptError) {
        switch attribute.type {
        case ReceiptAttribute.quantity: quantity = try attribute.number()
        case ReceiptAttribute.productID: productID = try attribute.text()
        case ReceiptAttribute.transactionID: transactionID = try attribute.text()
        case ReceiptAttribute.originalTransactionID: originalTransactionID = try attribute.text()
        case ReceiptAttribute.purchaseDate: purchaseDate = try attribute.requiredDate()
        case ReceiptAttribute.originalPurchaseDateOfPurchase: originalPurchaseDate = try attribute.requiredDate()
        case ReceiptAttribute.productType: productType = AppReceipt.ProductType(rawValue: try attribute.number())
        case ReceiptAttribute.expiresDate: expiresDate = try attribute.date()
        case ReceiptAttribute.webOrderLineItemID:
            let number = try attribute.number()
            webOrderLineItemID = number == 0 ? nil : number
        case ReceiptAttribute.cancellationDate: cancellationDate = try attribute.date()
        case ReceiptAttribute.isTrialPeriod: isTrialPeriod = try attribute.number() != 0
        case ReceiptAttribute.isInIntroOfferPeriod: isInIntroOfferPeriod = try attribute.number() != 0
        case ReceiptAttribute.cancellationReason: cancellationReason = try attribute.number()
        case ReceiptAttribute.promotionalOfferID: promotionalOfferID = try attribute.text()
        default: break
        }
    }
}

/// One attribute of a receipt; its value is decoded on demand.
private struct ParsedAttribute {
    let type: Int64
    private let reader: DERReader
    private let value: Range<Int>

    private var bytes: [UInt8] { reader.bytes }

    init(from set: inout DERReader) throws(ReceiptError) {
        reader = set
        if let usual = set.shortAttribute() {
            (type, value) = usual
            return
        }
        var sequence = try set.enter(.sequence, "attribute")
        type = try sequence.integer("attribute type")
        _ = try sequence.integer("attribute version")
        value = try sequence.next(.octetString, "attribute value").content
        try sequence.expectEnd("attribute")
    }

    /// The value's own bytes, not decoded.
    var raw: [UInt8] { Array(bytes[value]) }

    func number() throws(ReceiptError) -> Int64 {
        var reader = DERReader(bytes, in: value)
        let number = try reader.integer("attribute \(type)")
        try reader.expectEnd("attribute \(type)")
        return number
    }

    func text() throws(ReceiptError) -> String {
        guard let text = String(validating: try characters(), as: UTF8.self) else {
            throw malformed("the text is not UTF-8")
        }
        return text
    }

    /// A date; `nil` for the empty string, which means that none is set.
    func date() throws(ReceiptError) -> Date? {
        let text = try characters()
        if text.isEmpty { return nil }
        guard let date = ReceiptDate.read(text) else { throw malformed("the date is not RFC 3339") }
        return date
    }

    func requiredDate() throws(ReceiptError) -> Date {
        guard let date = try date() else { throw malformed("the date is empty") }
        return date
    }

    func set() throws(ReceiptError) -> DERReader {
        var reader = DERReader(bytes, in: value)
        let set = try reader.enter(.set, "attribute \(type)")
        try reader.expectEnd("attribute \(type)")
        return set
    }

    func malformed(_ reason: String) -> ReceiptError {
        ReceiptError(.malformedPayload, subject: "attribute \(type)", reason: reason)
    }

    /// The content of a UTF8String or an IA5String.
    private func characters() throws(ReceiptError) -> ArraySlice<UInt8> {
        let isString: (UInt8) -> Bool = { $0 == DERTag.utf8String.rawValue || $0 == DERTag.ia5String.rawValue }
        if let usual = reader.shortContent(of: value, isString) { return bytes[usual] }
        var reader = DERReader(bytes, in: value)
        let element = try reader.next("attribute \(type)")
        try reader.expectEnd("attribute \(type)")
        guard element.tag == DERTag.utf8String.rawValue || element.tag == DERTag.ia5String.rawValue else {
            throw malformed("not a string: tag \(element.tag)")
        }
        return bytes[element.content]
    }
}
