import AppStoreFormats
import BaseEncoding
import Crypto
import Foundation
import Perennial

/// The contents of app receipts.
enum ReceiptContents {
    /// The purchase date of every app in Sandbox receipts: 1 August 2013, as in Apple's.
    static let sandboxOriginalPurchaseDate = Instant(milliseconds: 1_375_340_400_000)

    /// Returns the purchases in a receipt: all but finished consumables, and of each non-consumable the newest transaction
    /// only.
    static func purchases(_ transactions: [Transaction]) -> [Transaction] {
        var newest: [TransactionID: Int] = [:]
        for (index, transaction) in transactions.enumerated()
        where transaction.type == .nonConsumable || transaction.type == .free {
            newest[transaction.originalID] = index
        }
        return transactions.enumerated().filter { index, transaction in
            switch transaction.type {
            case .consumable: !transaction.isFinished
            case .nonConsumable, .free: newest[transaction.originalID] == index
            case .autoRenewable, .nonRenewing: true
            }
        }.map(\.element)
    }

    /// Converts a transaction to an entry of an app receipt.
    static func purchase(_ transaction: Transaction) -> AppReceipt.Purchase {
        var purchase = AppReceipt.Purchase(
            productID: transaction.productID.rawValue, transactionID: transaction.id.description,
            originalTransactionID: transaction.originalID.description, purchaseDate: transaction.purchaseDate.date,
            originalPurchaseDate: transaction.originalPurchaseDate.date, productType: productType(transaction.type),
            quantity: Int64(transaction.quantity))
        purchase.expiresDate = transaction.expiresDate?.date
        purchase.webOrderLineItemID = transaction.webOrderLineItemID
        purchase.isTrialPeriod = transaction.isTrialPeriod
        purchase.isInIntroOfferPeriod = transaction.isInIntroductoryPricePeriod
        if transaction.offer?.kind == .promotional { purchase.promotionalOfferID = transaction.offer?.id }
        // Consumables are used up: receipts don't show their refunds.
        if transaction.type != .consumable, let revocation = transaction.revocation {
            purchase.cancellationDate = revocation.date.date
            purchase.cancellationReason = revocation.reason.rawValue
        }
        return purchase
    }

    private static func productType(_ type: ProductType) -> AppReceipt.ProductType {
        switch type {
        case .consumable: .consumable
        case .nonConsumable: .nonConsumable
        case .nonRenewing: .nonRenewingSubscription
        case .autoRenewable, .free: .autoRenewableSubscription
        }
    }
}

extension Transaction {
    /// True for a free introductory period (verifyReceipt's `is_trial_period`).
    var isTrialPeriod: Bool { offer?.kind == .introductory && offer?.paymentMode == .freeTrial }
    /// True for a paid introductory period (verifyReceipt's `is_in_intro_offer_period`).
    var isInIntroductoryPricePeriod: Bool { offer?.kind == .introductory && offer?.paymentMode != .freeTrial }
}

/// Identifiers that appear in receipts only. They are derived from what they identify, so that they are the same in every
/// receipt, on every node and after every start.
enum StoreIdentifiers {
    /// Returns the ID of an app version (`version_external_identifier`): nine digits, as Apple's.
    static func version(_ version: String, of bundleID: App.BundleID) -> Int64 {
        let digest = SHA256.hash(data: Data("\(bundleID)\u{1f}\(version)".utf8))
        let number = digest.prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return 800_000_000 + number % 100_000_000
    }

    /// Returns the App Store's ID of a device (`unique_identifier` of old receipts): 40 hexadecimal digits, as Apple's. The
    /// seller knows the device by another one, `unique_vendor_identifier`.
    static func device(_ vendorIdentifier: String) -> String {
        Hexadecimal.encode(Insecure.SHA1.hash(data: Data(vendorIdentifier.lowercased().utf8)))
    }
}
