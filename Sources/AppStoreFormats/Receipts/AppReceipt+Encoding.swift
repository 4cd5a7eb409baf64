import Foundation

extension AppReceipt {
    /// The payload of the receipt as the App Store encodes it: a DER SET of attributes, sorted by their bytes, with one
    /// such SET for each purchase inside.
    ///
    /// - Returns: The bytes that a ``ReceiptSigner`` signs.
    public func encodedPayload() -> [UInt8] {
        let purchases = purchases.map { $0.encoded() }
        let size = purchases.reduce(1024) { $0 + $1.count + 24 }
        var attributes = ReceiptAttributeWriter(capacity: size)
        attributes.add(ReceiptAttribute.receiptType, text: receiptType.rawValue)
        attributes.add(ReceiptAttribute.appItemID, number: appItemID)
        attributes.add(ReceiptAttribute.bundleID, raw: encodedBundleID)
        attributes.add(ReceiptAttribute.applicationVersion, text: applicationVersion)
        attributes.add(ReceiptAttribute.opaqueValue, raw: opaqueValue)
        attributes.add(ReceiptAttribute.deviceHash, raw: deviceHash)
        if !opaqueAttribute6.isEmpty { attributes.add(ReceiptAttribute.opaque6, raw: opaqueAttribute6) }
        if !opaqueAttribute7.isEmpty { attributes.add(ReceiptAttribute.opaque7, raw: opaqueAttribute7) }
        attributes.add(ReceiptAttribute.ageRating, ascii: ageRating)
        attributes.add(ReceiptAttribute.creationDate, date: creationDate)
        attributes.add(ReceiptAttribute.downloadID, number: downloadID)
        attributes.add(ReceiptAttribute.versionExternalIdentifier, number: versionExternalIdentifier)
        attributes.add(ReceiptAttribute.originalPurchaseDate, date: originalPurchaseDate)
        attributes.add(ReceiptAttribute.originalApplicationVersion, text: originalApplicationVersion)
        if let expirationDate { attributes.add(ReceiptAttribute.expirationDate, date: expirationDate) }
        if let preorderDate { attributes.add(ReceiptAttribute.preorderDate, date: preorderDate) }
        attributes.addUndocumented()
        for purchase in purchases { attributes.add(ReceiptAttribute.purchase, raw: purchase) }
        return attributes.encoded()
    }
}

extension AppReceipt.Purchase {
    /// Encodes the SET of attributes of one purchase.
    fileprivate func encoded() -> [UInt8] {
        var attributes = ReceiptAttributeWriter(capacity: 640)
        attributes.add(ReceiptAttribute.quantity, number: quantity)
        attributes.add(ReceiptAttribute.productID, text: productID)
        attributes.add(ReceiptAttribute.transactionID, text: transactionID)
        attributes.add(ReceiptAttribute.originalTransactionID, text: originalTransactionID)
        attributes.add(ReceiptAttribute.purchaseDate, date: purchaseDate)
        attributes.add(ReceiptAttribute.originalPurchaseDateOfPurchase, date: originalPurchaseDate)
        attributes.add(ReceiptAttribute.productType, number: productType.rawValue)
        attributes.add(ReceiptAttribute.expiresDate, date: expiresDate)
        attributes.add(ReceiptAttribute.webOrderLineItemID, number: webOrderLineItemID ?? 0)
        attributes.add(ReceiptAttribute.cancellationDate, date: cancellationDate)
        attributes.add(ReceiptAttribute.isTrialPeriod, number: isTrialPeriod ? 1 : 0)
        attributes.add(ReceiptAttribute.isInIntroOfferPeriod, number: isInIntroOfferPeriod ? 1 : 0)
        if let cancellationReason { attributes.add(ReceiptAttribute.cancellationReason, number: cancellationReason) }
        if let promotionalOfferID { attributes.add(ReceiptAttribute.promotionalOfferID, text: promotionalOfferID) }
        attributes.addUndocumentedOfPurchase()
        return attributes.encoded()
    }
}

/// Writes attributes: `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
private struct ReceiptAttributeWriter {
    private var set: DERSetBuilder

    init(capacity: Int) {
        set = DERSetBuilder(capacity: capacity)
    }

    func encoded() -> [UInt8] { set.encoded() }

    mutating func add(_ type: Int64, raw value: [UInt8]) {
        set.add { bytes in
            bytes.appendAttributeHeader(type, valueLength: value.count)
            bytes.append(contentsOf: value)
        }
    }

    mutating func add(_ type: Int64, text: String) {
        add(type, .utf8String, text.utf8)
    }

    mutating func add(_ type: Int64, ascii text: String) {
        add(type, .ia5String, text.utf8)
    }

    /// A date, or an empty string for none.
    mutating func add(_ type: Int64, date: Date?) {
        set.add { bytes in
            let length = date == nil ? 0 : ReceiptDate.length
            bytes.appendAttributeHeader(type, valueLength: 2 + length)
            bytes.appendDERHeader(.ia5String, length: length)
            if let date { ReceiptDate.append(date, to: &bytes) }
        }
    }

    mutating func add(_ type: Int64, number: Int64) {
        set.add { bytes in
            bytes.appendAttributeHeader(type, valueLength: 2 + DERLength.octets(of: number))
            bytes.appendDER(integer: number)
        }
    }

    mutating func addUndocumented() {
        for (type, value) in ReceiptAttribute.undocumentedNumbers { add(type, number: value) }
        for (type, value) in ReceiptAttribute.undocumentedCounters { add(type, number: value) }
        add(ReceiptAttribute.undocumentedEmptyASCII, ascii: "")
        add(ReceiptAttribute.undocumentedEmptyText, text: "")
    }

    mutating func addUndocumentedOfPurchase() {
        for type in ReceiptAttribute.undocumentedPurchaseNumbers { add(type, number: 0) }
        for type in ReceiptAttribute.undocumentedPurchaseTexts { add(type, text: "") }
    }

    private mutating func add(_ type: Int64, _ tag: DERTag, _ text: String.UTF8View) {
        let length = text.count
        set.add { bytes in
            bytes.appendAttributeHeader(type, valueLength: DERLength.element(content: length))
            bytes.appendDERHeader(tag, length: length)
            bytes.append(contentsOf: text)
        }
    }
}

extension [UInt8] {
    /// Appends everything of an attribute up to its value.
    fileprivate mutating func appendAttributeHeader(_ type: Int64, valueLength: Int) {
        let version = ReceiptAttribute.version(of: type)
        let length =
            DERLength.element(content: DERLength.octets(of: type)) + DERLength.element(content: 1)
            + DERLength.element(content: valueLength)
        appendDERHeader(.sequence, length: length)
        appendDER(integer: type)
        appendDER(integer: version)
        appendDERHeader(.octetString, length: valueLength)
    }
}
