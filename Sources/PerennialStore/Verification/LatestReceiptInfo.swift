import AppStoreFormats
import Foundation
import Perennial

/// The parts of verifyReceipt's answer besides the receipt: the newest state of all the customer's purchases.
enum LatestReceiptInfo {
    /// Returns all purchases but finished consumables, newest first; of each subscription only the newest period if asked
    /// for.
    ///
    /// - Parameter transactions: In the order of their sales, which decides between equal dates.
    static func transactions(_ transactions: [Transaction], newestOnly: Bool) -> [Transaction] {
        let listed = ReceiptContents.purchases(transactions).enumerated()
            .sorted { ($0.element.purchaseDate, $0.offset) > ($1.element.purchaseDate, $1.offset) }
            .map(\.element)
        guard newestOnly else { return listed }
        var seen: Set<TransactionID> = []
        return listed.filter { !$0.type.renews || seen.insert($0.originalID).inserted }
    }

    /// Converts a transaction to an entry of `latest_receipt_info`.
    ///
    /// - Parameter entry: The app, for the names of its offers.
    static func transaction(
        _ transaction: Transaction, of entry: CatalogCache.Entry
    ) -> VerifyReceiptResponse.Transaction {
        var listed = VerifyReceiptResponse.Transaction(ReceiptContents.purchase(transaction))
        listed.subscriptionGroupIdentifier = transaction.subscriptionGroupID
        listed.isUpgraded = transaction.isUpgraded
        listed.inAppOwnershipType = InAppOwnershipType(rawValue: transaction.ownership.rawValue)
        listed.appAccountToken = transaction.applicationUsername.flatMap(UUID.init(uuidString:))
        listed.offerCodeRefName = entry.referenceName(ofCodeOffer: transaction.offer, for: transaction.productID)
        return listed
    }

    /// Returns an entry for each subscription, auto-renewable ones first. Subscriptions that were cancelled during billing
    /// retry have none.
    static func pendingRenewals(
        _ subscriptions: [Subscription], _ transactions: [Transaction], of entry: CatalogCache.Entry, at now: Instant
    ) -> [VerifyReceiptResponse.PendingRenewal] {
        renewals(subscriptions.filter { !$0.wasCancelledInBillingRetry }, transactions, of: entry, at: now)
    }

    /// Returns an entry for each subscription, auto-renewable ones first.
    static func renewals(
        _ subscriptions: [Subscription], _ transactions: [Transaction], of entry: CatalogCache.Entry, at now: Instant
    ) -> [VerifyReceiptResponse.PendingRenewal] {
        let renewing = subscriptions.map { pendingRenewal($0.renewalInfo, entry) }
        var seen: Set<TransactionID> = []
        let free = transactions.reversed().filter { $0.type == .free && seen.insert($0.originalID).inserted }
        return renewing + free.map { pendingRenewal(free: $0, at: now) }
    }

    private static func pendingRenewal(
        _ info: RenewalInfo, _ entry: CatalogCache.Entry
    ) -> VerifyReceiptResponse.PendingRenewal {
        var renewal = VerifyReceiptResponse.PendingRenewal(
            productID: info.productID.rawValue, autoRenewProductID: info.autoRenewProductID.rawValue,
            originalTransactionID: info.originalTransactionID.description,
            autoRenewStatus: .init(rawValue: Int32(truncatingIfNeeded: info.autoRenewStatus)))
        // verifyReceipt has the intent only after the subscription has ended.
        renewal.expirationIntent = info.expirationIntent.map { .init(rawValue: Int32(truncatingIfNeeded: $0.rawValue)) }
        renewal.isInBillingRetryPeriod = info.isInBillingRetry
        renewal.gracePeriodExpiresDate = info.gracePeriodExpires?.date
        renewal.priceIncreaseStatus = info.priceIncreaseStatus.map { .init(rawValue: Int32(truncatingIfNeeded: $0)) }
        renewal.priceConsentStatus = info.priceConsentStatus.map { .init(rawValue: Int32(truncatingIfNeeded: $0)) }
        if info.offer?.kind == .promotional { renewal.promotionalOfferID = info.offer?.id }
        renewal.offerCodeRefName = entry.referenceName(ofCodeOffer: info.offer, for: info.autoRenewProductID)
        return renewal
    }

    /// Converts a free subscription. It renews without a charge until the app is removed from the last device.
    private static func pendingRenewal(
        free newest: Transaction, at now: Instant
    ) -> VerifyReceiptResponse.PendingRenewal {
        let isActive = newest.isInForce(at: now)
        var renewal = VerifyReceiptResponse.PendingRenewal(
            productID: newest.productID.rawValue, autoRenewProductID: newest.productID.rawValue,
            originalTransactionID: newest.originalID.description, autoRenewStatus: isActive ? .on : .off)
        if !isActive { renewal.expirationIntent = .customerCancelled }
        return renewal
    }
}

extension CatalogCache.Entry {
    /// Returns the reference name of an offer code's offer, which Apple writes instead of an ID; `nil` for other offers.
    fileprivate func referenceName(ofCodeOffer offer: AppliedOffer?, for productID: Product.ID) -> String? {
        guard let offer, offer.kind == .code else { return nil }
        let known = offer.id.flatMap { products[productID]?.referenceName(ofCodeOffer: $0) }
        return known.flatMap { $0.isEmpty ? nil : $0 } ?? offer.id
    }
}

/// The contents of old transaction receipts.
enum LegacyReceiptContents {
    static func receipt(
        _ transaction: Transaction, for customer: Customer, _ entry: CatalogCache.Entry, _ environment: StoreEnvironment
    ) -> TransactionReceipt {
        var receipt = TransactionReceipt(
            environment: AppStoreEnvironment(rawValue: environment.kind.rawValue), bundleID: customer.bundleID.rawValue,
            applicationVersion: customer.applicationVersion,
            itemID: entry.products[transaction.productID]?.appleID ?? 0,
            productID: transaction.productID.rawValue, transactionID: transaction.id.description,
            originalTransactionID: transaction.originalID.description, purchaseDate: transaction.purchaseDate.date,
            originalPurchaseDate: transaction.originalPurchaseDate.date)
        receipt.quantity = Int64(transaction.quantity)
        receipt.expiresDate = transaction.expiresDate?.date
        receipt.webOrderLineItemID = transaction.webOrderLineItemID
        receipt.isTrialPeriod = transaction.isTrialPeriod
        receipt.isInIntroOfferPeriod = transaction.isInIntroductoryPricePeriod
        if !customer.device.isEmpty {
            receipt.uniqueVendorIdentifier = customer.device
            receipt.uniqueIdentifier = StoreIdentifiers.device(customer.device)
        }
        if environment.kind == .production {
            receipt.appItemID = entry.app.appleID
            receipt.versionExternalIdentifier = StoreIdentifiers.version(
                customer.applicationVersion, of: customer.bundleID)
        }
        return receipt
    }
}
