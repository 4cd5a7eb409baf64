import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

extension Receipts {
    /// Returns a transaction as a JWS for StoreKit 2 and the App Store Server API.
    package func signedTransaction(_ transaction: Transaction, bundleID: App.BundleID) async throws -> String {
        let (app, now) = try await database.read { [self] connection in
            (try self.app(bundleID, on: connection).app, try clock.now(on: connection))
        }
        return try signed(transaction, of: app, at: now)
    }

    /// Signs a transaction.
    ///
    /// - Parameter device: Device that StoreKit runs on; `nil` for the App Store Server API, whose transactions are of no device.
    func signed(_ transaction: Transaction, of app: App, at now: Instant, for device: UUID? = nil) throws -> String {
        var payload = SignedTransactionContents.payload(transaction, app, environment: environment, signed: now)
        if let device {
            let nonce = verificationNonce(of: "\(transaction.id)", device)
            payload.deviceVerificationNonce = nonce
            payload.deviceVerification = Self.deviceVerification(nonce: nonce, device: device)
        }
        return try signing.jws.sign(payload: payload.encoded())
    }
}

extension Receipts {
    /// Returns a subscription's renewal information as a JWS for the App Store Server API.
    package func signedRenewalInfo(_ subscription: Subscription) async throws -> String {
        let payload = try await database.read { [self] connection in
            let app = try subscriptions.subscription(subscription.id, on: connection).1.app
            return try renewalInfo(subscription, of: app, on: connection)
        }
        return try signing.jws.sign(payload: payload.encoded())
    }

    /// Returns a subscription's renewal information before signing.
    ///
    /// - Parameter device: Device that StoreKit runs on; `nil` for the App Store Server API.
    func renewalInfo(
        _ subscription: Subscription, of app: App, for device: UUID? = nil, on connection: any Connection
    ) throws -> RenewalInfoPayload {
        var payload = SignedRenewalContents.payload(
            subscription, app, environment: environment, signed: try clock.now(on: connection))
        let offers = try subscriptions.eligibleWinBackOffers(subscription, on: connection)
        payload.eligibleWinBackOfferIds = offers.isEmpty ? nil : offers
        if let device {
            let nonce = verificationNonce(of: "renewal \(subscription.id)", device)
            payload.deviceVerificationNonce = nonce
            payload.deviceVerification = Self.deviceVerification(nonce: nonce, device: device)
        }
        return payload
    }
}

/// Converts a subscription to renewal information.
enum SignedRenewalContents {
    static func payload(
        _ subscription: Subscription, _ app: App, environment: StoreEnvironment, signed now: Instant
    ) -> RenewalInfoPayload {
        let info = subscription.renewalInfo
        var payload = RenewalInfoPayload(
            originalTransactionId: info.originalTransactionID.description, productId: info.productID.rawValue,
            autoRenewProductId: info.autoRenewProductID.rawValue,
            autoRenewStatus: .init(rawValue: Int32(truncatingIfNeeded: info.autoRenewStatus)), signedDate: now.date,
            environment: AppStoreEnvironment(rawValue: environment.kind.rawValue))
        payload.expirationIntent = info.expirationIntent.map { .init(rawValue: Int32(truncatingIfNeeded: $0.rawValue)) }
        payload.isInBillingRetryPeriod = info.isInBillingRetry
        payload.gracePeriodExpiresDate = info.gracePeriodExpires?.date
        payload.priceIncreaseStatus = info.priceIncreaseStatus.map { .init(rawValue: Int32(truncatingIfNeeded: $0)) }
        payload.recentSubscriptionStartDate = info.recentSubscriptionStartDate.date
        payload.renewalDate = info.renewalDate.date
        payload.renewalPrice = info.renewalPrice.milliunits
        payload.currency = info.renewalPrice.currency.rawValue
        payload.appAccountToken = info.applicationUsername.flatMap(UUID.init(uuidString:))
        payload.appTransactionId = AppTransactionID(account: subscription.accountID, app: app.appleID).description
        if let offer = info.offer {
            payload.offerType = OfferType(rawValue: Int32(truncatingIfNeeded: offer.kind.rawValue))
            payload.offerIdentifier = offer.id
            payload.offerDiscountType = SignedTransactionContents.discount(offer.paymentMode)
            payload.offerPeriod = offer.period?.iso8601
        }
        return payload
    }
}

/// Converts a transaction to the payload of a signed transaction.
enum SignedTransactionContents {
    static func payload(
        _ transaction: Transaction, _ app: App, environment: StoreEnvironment, signed now: Instant
    ) -> TransactionPayload {
        var payload = TransactionPayload(
            transactionId: transaction.id.description, originalTransactionId: transaction.originalID.description,
            bundleId: app.bundleID.rawValue, productId: transaction.productID.rawValue, type: type(transaction.type),
            purchaseDate: transaction.purchaseDate.date, originalPurchaseDate: transaction.originalPurchaseDate.date,
            signedDate: now.date, environment: AppStoreEnvironment(rawValue: environment.kind.rawValue))
        payload.quantity = Int32(clamping: transaction.quantity)
        payload.inAppOwnershipType = InAppOwnershipType(rawValue: transaction.ownership.rawValue)
        payload.webOrderLineItemId = transaction.webOrderLineItemID.map(String.init)
        payload.subscriptionGroupIdentifier = transaction.subscriptionGroupID
        payload.expiresDate = transaction.expiresDate?.date
        payload.appAccountToken = transaction.applicationUsername.flatMap(UUID.init(uuidString:))
        if let revocation = transaction.revocation {
            payload.revocationDate = revocation.date.date
            payload.revocationReason = .init(rawValue: Int32(truncatingIfNeeded: revocation.reason.rawValue))
            payload.revocationType = .init(rawValue: revocation.kind.rawValue)
            payload.revocationPercentage = revocation.percentage.map(Int32.init)
        }
        if transaction.isUpgraded { payload.isUpgraded = true }
        if let offer = transaction.offer {
            payload.offerType = OfferType(rawValue: Int32(truncatingIfNeeded: offer.kind.rawValue))
            payload.offerIdentifier = offer.id
            payload.offerDiscountType = discount(offer.paymentMode)
            payload.offerPeriod = offer.period?.iso8601
        }
        payload.storefront = transaction.storefront.rawValue
        payload.storefrontId = transaction.storefront.number.map { "\($0)" }
        payload.transactionReason = .init(rawValue: transaction.reason.rawValue)
        payload.price = transaction.price.milliunits
        payload.currency = transaction.price.currency.rawValue
        payload.appTransactionId = AppTransactionID(account: transaction.accountID, app: app.appleID).description
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

    static func discount(_ mode: AppliedOffer.PaymentMode) -> OfferDiscountType {
        switch mode {
        case .freeTrial: .freeTrial
        case .payAsYouGo: .payAsYouGo
        case .payUpFront: .payUpFront
        case .oneTime: .oneTime
        }
    }
}
