import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

extension Store {
    /// A transaction as StoreKit 2 and the App Store Server API carry it: a JWS.
    package func signedTransaction(_ transaction: Transaction, bundleID: App.BundleID) async throws -> String {
        let now = try await now()
        let payload = SignedTransactionContents.payload(
            transaction, bundleID: bundleID, environment: environment, signed: now)
        return try signing.jws.sign(payload: payload.encoded())
    }
}

extension Store {
    /// What is to become of a subscription at its next renewal, as the App Store Server API carries it: a JWS.
    package func signedRenewalInfo(_ subscription: Subscription) async throws -> String {
        let (now, winBackOffers) = try await database.read { [self] connection in
            (try clock.now(on: connection), try eligibleWinBackOffers(subscription, on: connection))
        }
        var payload = SignedRenewalContents.payload(
            subscription.renewalInfo, environment: environment, signed: now)
        payload.eligibleWinBackOfferIds = winBackOffers.isEmpty ? nil : winBackOffers
        return try signing.jws.sign(payload: payload.encoded())
    }
}

/// Maps a subscription of the rules to the renewal information on the wire.
enum SignedRenewalContents {
    static func payload(
        _ info: RenewalInfo, environment: StoreEnvironment, signed now: Instant
    ) -> RenewalInfoPayload {
        var payload = RenewalInfoPayload(
            originalTransactionId: info.originalTransactionID.description, productId: info.productID.rawValue,
            autoRenewProductId: info.autoRenewProductID.rawValue,
            autoRenewStatus: .init(rawValue: Int32(info.autoRenewStatus)), signedDate: now.date,
            environment: AppStoreEnvironment(rawValue: environment.kind.rawValue))
        payload.expirationIntent = info.expirationIntent.map { .init(rawValue: Int32($0.rawValue)) }
        payload.isInBillingRetryPeriod = info.isInBillingRetry
        payload.gracePeriodExpiresDate = info.gracePeriodExpires?.date
        payload.priceIncreaseStatus = info.priceIncreaseStatus.map { .init(rawValue: Int32($0)) }
        payload.recentSubscriptionStartDate = info.recentSubscriptionStartDate.date
        payload.renewalDate = info.renewalDate.date
        payload.renewalPrice = info.renewalPrice.milliunits
        payload.currency = info.renewalPrice.currency.rawValue
        payload.appAccountToken = info.applicationUsername.flatMap(UUID.init(uuidString:))
        if let offer = info.offer {
            payload.offerType = OfferType(rawValue: Int32(offer.kind.rawValue))
            payload.offerIdentifier = offer.id
            payload.offerDiscountType = SignedTransactionContents.discount(offer.paymentMode)
            payload.offerPeriod = offer.period.iso8601
        }
        return payload
    }
}

/// Maps a transaction of the rules to the one on the wire.
enum SignedTransactionContents {
    static func payload(
        _ transaction: Transaction, bundleID: App.BundleID, environment: StoreEnvironment, signed now: Instant
    ) -> TransactionPayload {
        var payload = TransactionPayload(
            transactionId: transaction.id.description, originalTransactionId: transaction.originalID.description,
            bundleId: bundleID.rawValue, productId: transaction.productID.rawValue, type: type(transaction.type),
            purchaseDate: transaction.purchaseDate.date, originalPurchaseDate: transaction.originalPurchaseDate.date,
            signedDate: now.date, environment: AppStoreEnvironment(rawValue: environment.kind.rawValue))
        payload.quantity = Int32(transaction.quantity)
        payload.inAppOwnershipType = InAppOwnershipType(rawValue: transaction.ownership.rawValue)
        payload.webOrderLineItemId = transaction.webOrderLineItemID.map(String.init)
        payload.subscriptionGroupIdentifier = transaction.subscriptionGroupID
        payload.expiresDate = transaction.expiresDate?.date
        payload.appAccountToken = transaction.applicationUsername.flatMap(UUID.init(uuidString:))
        if let revocation = transaction.revocation {
            payload.revocationDate = revocation.date.date
            payload.revocationReason = .init(rawValue: Int32(revocation.reason.rawValue))
            payload.revocationType = .init(rawValue: revocation.kind.rawValue)
            payload.revocationPercentage = revocation.percentage.map(Int32.init)
        }
        if transaction.isUpgraded { payload.isUpgraded = true }
        if let offer = transaction.offer {
            payload.offerType = OfferType(rawValue: Int32(offer.kind.rawValue))
            payload.offerIdentifier = offer.id
            payload.offerDiscountType = discount(offer.paymentMode)
            payload.offerPeriod = offer.period.iso8601
        }
        payload.storefront = transaction.storefront.rawValue
        payload.storefrontId = transaction.storefront.number.map { "\($0)" }
        payload.transactionReason = .init(rawValue: transaction.reason.rawValue)
        payload.price = transaction.price.milliunits
        payload.currency = transaction.price.currency.rawValue
        return payload
    }

    private static func type(_ type: ProductType) -> TransactionPayload.ProductType {
        switch type {
        case .consumable: .consumable
        case .nonConsumable: .nonConsumable
        case .autoRenewable, .free: .autoRenewableSubscription
        case .nonRenewing: .nonRenewingSubscription
        }
    }

    static func discount(_ mode: Offer.PaymentMode) -> OfferDiscountType {
        switch mode {
        case .freeTrial: .freeTrial
        case .payAsYouGo: .payAsYouGo
        case .payUpFront: .payUpFront
        }
    }
}
