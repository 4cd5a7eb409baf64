import BaseEncoding
import Foundation

extension AppReceipt {
    /// The contents with the names of verifyReceipt's answer.
    var described: StoreKitJSON.Object {
        var members: [StoreKitJSON.Object.Member] = [
            .init("receipt_type", .string(receiptType.rawValue)),
            .init("bundle_id", .string(bundleID)),
            .init("application_version", .string(applicationVersion)),
            .init("original_application_version", .string(originalApplicationVersion)),
            .init("receipt_creation_date", .date(creationDate)),
            .init("original_purchase_date", .date(originalPurchaseDate)),
            .init("app_item_id", .number("\(appItemID)")),
            .init("download_id", .number("\(downloadID)")),
            .init("version_external_identifier", .number("\(versionExternalIdentifier)")),
            .init("age_rating", .string(ageRating)),
            .init("opaque_value", .string(Hexadecimal.encode(opaqueValue.prefix(256)))),
            .init("sha1_hash", .string(Hexadecimal.encode(deviceHash.prefix(256)))),
            .init("in_app", .array(purchases.map { .object($0.described) })),
        ]
        if let expirationDate { members.append(.init("expiration_date", .date(expirationDate))) }
        if let preorderDate { members.append(.init("preorder_date", .date(preorderDate))) }
        return StoreKitJSON.Object(members)
    }
}

extension AppReceipt.Purchase {
    var described: StoreKitJSON.Object {
        var members: [StoreKitJSON.Object.Member] = [
            .init("product_id", .string(productID)),
            .init("transaction_id", .string(transactionID)),
            .init("original_transaction_id", .string(originalTransactionID)),
            .init("quantity", .number("\(quantity)")),
            .init("purchase_date", .date(purchaseDate)),
            .init("original_purchase_date", .date(originalPurchaseDate)),
            .init("product_type", .number("\(productType.rawValue)")),
            .init("is_trial_period", .bool(isTrialPeriod)),
            .init("is_in_intro_offer_period", .bool(isInIntroOfferPeriod)),
        ]
        if let expiresDate { members.append(.init("expires_date", .date(expiresDate))) }
        if let webOrderLineItemID { members.append(.init("web_order_line_item_id", .number("\(webOrderLineItemID)"))) }
        if let cancellationDate { members.append(.init("cancellation_date", .date(cancellationDate))) }
        if let cancellationReason { members.append(.init("cancellation_reason", .number("\(cancellationReason)"))) }
        if let promotionalOfferID { members.append(.init("promotional_offer_id", .string(promotionalOfferID))) }
        return StoreKitJSON.Object(members)
    }
}

extension StoreKitJSON {
    static func date(_ date: Date) -> StoreKitJSON { .string(InspectionDate.text(date)) }
}

/// Converts BER with indefinite lengths to DER, as far as receipts of Xcode's local testing need it.
struct DefiniteForm {
    private static let maximumDepth = 32

    private let bytes: [UInt8]
    private var position = 0

    /// - Returns: `nil` for bytes that are no BER, or nested too deep.
    static func converted(_ bytes: [UInt8]) -> [UInt8]? {
        var reader = DefiniteForm(bytes: bytes)
        return reader.element(end: bytes.count, depth: 0)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads an element, and returns its DER.
    private mutating func element(end: Int, depth: Int) -> [UInt8]? {
        guard depth < Self.maximumDepth, end - position >= 2 else { return nil }
        let tag = bytes[position]
        guard tag & 0x1F != 0x1F else { return nil }
        position += 1
        guard let length = readLength(end: end) else { return nil }
        let isConstructed = tag & 0x20 != 0
        var content: [UInt8] = []
        if !isConstructed {
            guard let length else { return nil }
            content = Array(bytes[position..<(position + length)])
            position += length
        } else {
            let stop = length.map { position + $0 }
            while true {
                if let stop {
                    if position == stop { break }
                } else if end - position >= 2, bytes[position] == 0, bytes[position + 1] == 0 {
                    position += 2
                    break
                }
                guard let inner = element(end: stop ?? end, depth: depth + 1) else { return nil }
                // The pieces of an OCTET STRING are joined.
                content += tag == 0x24 ? Self.content(of: inner) : inner
            }
        }
        return Self.encoded(tag == 0x24 ? DERTag.octetString.rawValue : tag, content)
    }

    /// Reads a length.
    ///
    /// - Returns: `nil` for a wrong one; inside of it `nil` for an indefinite one.
    private mutating func readLength(end: Int) -> Int?? {
        let first = bytes[position]
        position += 1
        if first == 0x80 { return .some(nil) }
        if first < 0x80 { return Int(first) <= end - position ? .some(Int(first)) : nil }
        let count = Int(first & 0x7F)
        guard (1...4).contains(count), end - position >= count else { return nil }
        let length = bytes[position..<(position + count)].reduce(0) { $0 << 8 | Int($1) }
        position += count
        return length <= end - position ? .some(length) : nil
    }

    private static func content(of element: [UInt8]) -> [UInt8] {
        var reader = DERReader(element)
        return (try? reader.next("piece")).map { Array(element[$0.content]) } ?? []
    }

    private static func encoded(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var head = [tag]
        if content.count < 0x80 {
            head.append(UInt8(truncatingIfNeeded: content.count))
        } else {
            var digits: [UInt8] = []
            var rest = content.count
            while rest > 0 {
                digits.insert(UInt8(truncatingIfNeeded: rest), at: 0)
                rest >>= 8
            }
            head += [0x80 | UInt8(truncatingIfNeeded: digits.count)] + digits
        }
        return head + content
    }
}
