import AppStoreFormats
import Foundation

/// Receipts to test with.
enum SampleReceipts {
    static let creationDate = Date(timeIntervalSince1970: 1_792_000_000)

    /// Every attribute set.
    static var full: AppReceipt {
        var receipt = small
        receipt.appItemID = 1_234_567_890_123
        receipt.opaqueAttribute6 = (0..<60).map { UInt8($0) }
        receipt.opaqueAttribute7 = (0..<54).map { UInt8(255 - $0) }
        receipt.ageRating = "17+"
        receipt.downloadID = 502_104_567_890_123_456
        receipt.versionExternalIdentifier = 870_000_001
        receipt.expirationDate = Date(timeIntervalSince1970: 1_900_000_000)
        receipt.preorderDate = Date(timeIntervalSince1970: 1_700_000_000)
        receipt.purchases = [subscription, consumable]
        return receipt
    }

    /// A receipt without purchases.
    static var small: AppReceipt {
        let opaqueValue: [UInt8] = (1...16).map { UInt8($0) }
        return AppReceipt(
            receiptType: .productionSandbox, bundleID: "com.example.magazine", applicationVersion: "42",
            opaqueValue: opaqueValue,
            deviceHash: AppReceipt.deviceHash(
                deviceIdentifier: Array(repeating: 7, count: 16), opaqueValue: opaqueValue,
                bundleID: "com.example.magazine"),
            creationDate: creationDate, originalPurchaseDate: Date(timeIntervalSince1970: 1_375_340_400))
    }

    static func receipt(purchases: Int) -> AppReceipt {
        var receipt = small
        receipt.purchases = (0..<purchases).map { number in
            var purchase = number.isMultiple(of: 2) ? subscription : consumable
            purchase.transactionID = "\(2_000_000_000_000_000 + number)"
            return purchase
        }
        return receipt
    }

    static var subscription: AppReceipt.Purchase {
        var purchase = AppReceipt.Purchase(
            productID: "com.example.monthly", transactionID: "2000000000000002",
            originalTransactionID: "2000000000000001", purchaseDate: Date(timeIntervalSince1970: 1_791_000_000),
            originalPurchaseDate: Date(timeIntervalSince1970: 1_790_000_000),
            productType: .autoRenewableSubscription)
        purchase.expiresDate = Date(timeIntervalSince1970: 1_793_000_000)
        purchase.webOrderLineItemID = 2_000_000_012_345_678
        purchase.cancellationDate = Date(timeIntervalSince1970: 1_791_500_000)
        purchase.cancellationReason = 1
        purchase.isTrialPeriod = true
        purchase.isInIntroOfferPeriod = true
        purchase.promotionalOfferID = "com.example.spring"
        return purchase
    }

    static var consumable: AppReceipt.Purchase {
        AppReceipt.Purchase(
            productID: "com.example.coins \u{1F4B0}", transactionID: "2000000000000003",
            originalTransactionID: "2000000000000003", purchaseDate: Date(timeIntervalSince1970: 1_791_700_000),
            originalPurchaseDate: Date(timeIntervalSince1970: 1_791_700_000), productType: .consumable, quantity: 4)
    }

    /// Sorts the purchases: a SET has the order of its bytes.
    static func sorted(_ receipt: AppReceipt) -> AppReceipt {
        var receipt = receipt
        receipt.purchases.sort { $0.transactionID < $1.transactionID }
        return receipt
    }
}

/// A reader of DER for the tests, so that the encoder is not judged by its own sibling.
struct TestDER {
    let tag: UInt8
    let content: ArraySlice<UInt8>
    let encoding: ArraySlice<UInt8>

    /// All elements that bytes consist of; `nil` if they are not whole.
    static func elements(_ bytes: ArraySlice<UInt8>) -> [TestDER]? {
        var rest = bytes
        var elements: [TestDER] = []
        while !rest.isEmpty {
            guard rest.count >= 2 else { return nil }
            let first = rest[rest.startIndex + 1]
            let lengthOctets = first < 0x80 ? 0 : Int(first & 0x7F)
            let header = 2 + lengthOctets
            guard rest.count >= header else { return nil }
            let length =
                first < 0x80 ? Int(first) : rest.dropFirst(2).prefix(lengthOctets).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= header + length else { return nil }
            elements.append(
                TestDER(
                    tag: rest[rest.startIndex], content: rest.dropFirst(header).prefix(length),
                    encoding: rest.prefix(header + length)))
            rest = rest.dropFirst(header + length)
        }
        return elements
    }

    var children: [TestDER] { Self.elements(content) ?? [] }

    var number: Int64 {
        content.reduce(content.first.map { $0 & 0x80 == 0 ? 0 : -1 } ?? 0) { $0 << 8 | Int64($1) }
    }
}
