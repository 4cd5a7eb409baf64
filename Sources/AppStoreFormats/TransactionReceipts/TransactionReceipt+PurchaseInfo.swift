import Foundation
import Perennial

/// The keys of `purchase-info`.
private enum PurchaseInfoKey {
    static let originalPurchaseDate = "original-purchase-date"
    static let purchaseDate = "purchase-date"
    static let expiresDate = "expires-date"
    static let expiresDateFormatted = "expires-date-formatted"
    static let transactionID = "transaction-id"
    static let originalTransactionID = "original-transaction-id"
    static let webOrderLineItemID = "web-order-line-item-id"
    static let productID = "product-id"
    static let itemID = "item-id"
    static let appItemID = "app-item-id"
    static let versionExternalIdentifier = "version-external-identifier"
    static let bundleID = "bid"
    static let applicationVersion = "bvrs"
    static let quantity = "quantity"
    static let uniqueIdentifier = "unique-identifier"
    static let uniqueVendorIdentifier = "unique-vendor-identifier"
    static let isTrialPeriod = "is-trial-period"
    static let isInIntroOfferPeriod = "is-in-intro-offer-period"
    /// The environment, a key of Perennial's own. Genuine receipts name it only outside of the signed part, where
    /// deleting a line could turn a sandbox receipt into one of production.
    static let environment = "environment"
}

extension TransactionReceipt {
    /// The property list that is signed.
    func encodedPurchaseInfo() -> [UInt8] {
        var entries: [(key: String, value: String)] = []
        func add(_ key: String, _ value: String?) {
            if let value { entries.append((key, value)) }
        }
        func add(_ key: String, dates date: Date) {
            add(key + "-pst", VerifyReceiptDate.pacific(date))
            add(key + "-ms", String(VerifyReceiptDate.instant(date).milliseconds))
            add(key, VerifyReceiptDate.gmt(date))
        }
        add(PurchaseInfoKey.originalPurchaseDate, dates: originalPurchaseDate)
        add(PurchaseInfoKey.uniqueIdentifier, uniqueIdentifier)
        add(PurchaseInfoKey.uniqueVendorIdentifier, uniqueVendorIdentifier)
        add(PurchaseInfoKey.originalTransactionID, originalTransactionID)
        add(PurchaseInfoKey.transactionID, transactionID)
        add(PurchaseInfoKey.quantity, String(quantity))
        add(PurchaseInfoKey.productID, productID)
        add(PurchaseInfoKey.itemID, String(itemID))
        add(PurchaseInfoKey.appItemID, appItemID.map { String($0) })
        add(PurchaseInfoKey.versionExternalIdentifier, versionExternalIdentifier.map { String($0) })
        add(PurchaseInfoKey.bundleID, bundleID)
        add(PurchaseInfoKey.applicationVersion, applicationVersion)
        add(PurchaseInfoKey.webOrderLineItemID, webOrderLineItemID.map { String($0) })
        add(PurchaseInfoKey.isTrialPeriod, isTrialPeriod ? "true" : "false")
        add(PurchaseInfoKey.purchaseDate, dates: purchaseDate)
        if let expiresDate {
            add(PurchaseInfoKey.isInIntroOfferPeriod, isInIntroOfferPeriod ? "true" : "false")
            add(PurchaseInfoKey.expiresDate, String(VerifyReceiptDate.instant(expiresDate).milliseconds))
            add(PurchaseInfoKey.expiresDateFormatted, VerifyReceiptDate.gmt(expiresDate))
            add(PurchaseInfoKey.expiresDateFormatted + "-pst", VerifyReceiptDate.pacific(expiresDate))
        }
        add(PurchaseInfoKey.environment, environment.rawValue)
        return PropertyListText.encode(entries)
    }

    /// Reads the property list that was signed.
    init(purchaseInfo: [UInt8]) throws(ReceiptError) {
        let info = PurchaseInfo(entries: try PropertyListText.decode(purchaseInfo))
        self.init(
            environment: AppStoreEnvironment(rawValue: try info.text(PurchaseInfoKey.environment)),
            bundleID: try info.text(PurchaseInfoKey.bundleID),
            applicationVersion: try info.text(PurchaseInfoKey.applicationVersion),
            itemID: try info.number(PurchaseInfoKey.itemID) ?? 0,
            productID: try info.text(PurchaseInfoKey.productID),
            transactionID: try info.text(PurchaseInfoKey.transactionID),
            originalTransactionID: try info.text(PurchaseInfoKey.originalTransactionID),
            purchaseDate: try info.date(PurchaseInfoKey.purchaseDate + "-ms"),
            originalPurchaseDate: try info.date(PurchaseInfoKey.originalPurchaseDate + "-ms"))
        quantity = try info.number(PurchaseInfoKey.quantity) ?? 1
        expiresDate = try info.optionalDate(PurchaseInfoKey.expiresDate)
        webOrderLineItemID = try info.number(PurchaseInfoKey.webOrderLineItemID)
        appItemID = try info.number(PurchaseInfoKey.appItemID)
        versionExternalIdentifier = try info.number(PurchaseInfoKey.versionExternalIdentifier)
        uniqueIdentifier = info.entries[PurchaseInfoKey.uniqueIdentifier]
        uniqueVendorIdentifier = info.entries[PurchaseInfoKey.uniqueVendorIdentifier]
        isTrialPeriod = info.entries[PurchaseInfoKey.isTrialPeriod] == "true"
        isInIntroOfferPeriod = info.entries[PurchaseInfoKey.isInIntroOfferPeriod] == "true"
    }
}

/// The entries of `purchase-info`, typed on the way out.
private struct PurchaseInfo {
    let entries: [String: String]

    func text(_ key: String) throws(ReceiptError) -> String {
        guard let text = entries[key] else { throw malformed(key, "missing") }
        return text
    }

    func number(_ key: String) throws(ReceiptError) -> Int64? {
        guard let text = entries[key] else { return nil }
        guard let number = Int64(text) else { throw malformed(key, "not a number") }
        return number
    }

    func optionalDate(_ key: String) throws(ReceiptError) -> Date? {
        try number(key).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }

    func date(_ key: String) throws(ReceiptError) -> Date {
        guard let date = try optionalDate(key) else { throw malformed(key, "missing") }
        return date
    }

    private func malformed(_ key: String, _ reason: String) -> ReceiptError {
        ReceiptError(.malformedPayload, subject: key, reason: reason)
    }
}
