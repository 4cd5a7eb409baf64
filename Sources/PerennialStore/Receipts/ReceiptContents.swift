import AppStoreFormats
import Foundation
import Perennial

/// What an app receipt says of a customer's purchases.
enum ReceiptContents {
    /// Sandbox receipts say that every app was bought on 1 August 2013 (facts: a constant).
    static let sandboxOriginalPurchaseDate = Instant(milliseconds: 1_375_340_400_000)

    /// The purchases a receipt holds: all but finished consumables, and a non-consumable once, in its newest form, however
    /// often it was bought.
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

    /// A transaction as an app receipt lists it.
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
        // A consumable is used up: a refund does not appear on it.
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
    /// verifyReceipt's `is_trial_period`: the period was an introductory one, free of charge.
    var isTrialPeriod: Bool { offer?.kind == .introductory && offer?.paymentMode == .freeTrial }
    /// verifyReceipt's `is_in_intro_offer_period`: the period was an introductory one, at a price.
    var isInIntroductoryPricePeriod: Bool { offer?.kind == .introductory && offer?.paymentMode != .freeTrial }
}
