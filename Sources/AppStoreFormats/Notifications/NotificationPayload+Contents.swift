import FastJSON
import Foundation

extension NotificationPayload {
    /// The data of a notification about one app and usually one transaction.
    public struct Details: Hashable, Sendable, Codable {
        /// The app's number in the App Store.
        public var appAppleId: Int64?
        /// The bundle ID of the app.
        public var bundleId: String?
        /// The version of the app's build.
        public var bundleVersion: String?
        /// The environment of the store.
        public var environment: AppStoreEnvironment
        /// The transaction: a JWS whose payload is a ``TransactionPayload``.
        public var signedTransactionInfo: String?
        /// The renewal information: a JWS whose payload is a ``RenewalInfoPayload``; auto-renewable subscriptions only.
        public var signedRenewalInfo: String?
        /// 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked; auto-renewable subscriptions only.
        public var status: Int32?
        /// The customer's reason for a refund request; `CONSUMPTION_REQUEST` only.
        public var consumptionRequestReason: String?

        /// Makes the details of an app; optional properties are set afterwards.
        public init(appAppleId: Int64?, bundleId: String?, environment: AppStoreEnvironment) {
            self.appAppleId = appAppleId
            self.bundleId = bundleId
            self.environment = environment
        }

        func write(to json: inout JSONWriter) {
            json.beginObject("data")
            json.number("appAppleId", appAppleId)
            json.string("bundleId", bundleId)
            json.string("bundleVersion", bundleVersion)
            json.string("environment", environment.rawValue)
            json.string("signedTransactionInfo", signedTransactionInfo)
            json.string("signedRenewalInfo", signedRenewalInfo)
            json.number("status", status.map(Int64.init))
            json.string("consumptionRequestReason", consumptionRequestReason)
            json.endObject()
        }
    }

    /// The result of a request to extend the renewal date of many subscriptions.
    public struct Summary: Hashable, Sendable, Codable {
        /// The identifier of the request.
        public var requestIdentifier: String
        /// The environment of the store.
        public var environment: AppStoreEnvironment
        /// The app's number in the App Store.
        public var appAppleId: Int64?
        /// The bundle ID of the app.
        public var bundleId: String
        /// The product whose subscriptions were extended.
        public var productId: String
        /// The storefronts of the extension; empty for all.
        public var storefrontCountryCodes: [String]
        /// The number of subscriptions that were extended.
        public var succeededCount: Int64
        /// The number of subscriptions that could not be extended.
        public var failedCount: Int64

        /// Makes a summary.
        public init(
            requestIdentifier: String, environment: AppStoreEnvironment, appAppleId: Int64?, bundleId: String,
            productId: String, storefrontCountryCodes: [String], succeededCount: Int64, failedCount: Int64
        ) {
            self.requestIdentifier = requestIdentifier
            self.environment = environment
            self.appAppleId = appAppleId
            self.bundleId = bundleId
            self.productId = productId
            self.storefrontCountryCodes = storefrontCountryCodes
            self.succeededCount = succeededCount
            self.failedCount = failedCount
        }

        func write(to json: inout JSONWriter) {
            json.beginObject("summary")
            json.string("requestIdentifier", requestIdentifier)
            json.string("environment", environment.rawValue)
            json.number("appAppleId", appAppleId)
            json.string("bundleId", bundleId)
            json.string("productId", productId)
            json.beginArray("storefrontCountryCodes")
            for code in storefrontCountryCodes { json.element(code) }
            json.endArray()
            json.number("succeededCount", succeededCount)
            json.number("failedCount", failedCount)
            json.endObject()
        }
    }

    /// A purchase outside the store that its seller has not reported.
    public struct ExternalPurchaseToken: Hashable, Sendable, Codable {
        /// The identifier of the token.
        public var externalPurchaseId: String
        /// The date on which the token was created.
        @OptionalMilliseconds public var tokenCreationDate: Date?
        /// The app's number in the App Store.
        public var appAppleId: Int64?
        /// The bundle ID of the app.
        public var bundleId: String

        /// Makes a token.
        public init(externalPurchaseId: String, tokenCreationDate: Date?, appAppleId: Int64?, bundleId: String) {
            self.externalPurchaseId = externalPurchaseId
            self.appAppleId = appAppleId
            self.bundleId = bundleId
            self.tokenCreationDate = tokenCreationDate
        }

        func write(to json: inout JSONWriter) {
            json.beginObject("externalPurchaseToken")
            json.string("externalPurchaseId", externalPurchaseId)
            json.milliseconds("tokenCreationDate", tokenCreationDate)
            json.number("appAppleId", appAppleId)
            json.string("bundleId", bundleId)
            json.endObject()
        }
    }

    /// The data of a notification about the app itself.
    public struct AppData: Hashable, Sendable, Codable {
        /// The app's number in the App Store.
        public var appAppleId: Int64?
        /// The bundle ID of the app.
        public var bundleId: String
        /// The environment of the store.
        public var environment: AppStoreEnvironment
        /// The app transaction: a JWS whose payload is an ``AppTransactionPayload``.
        public var signedAppTransactionInfo: String?

        /// Makes the data of an app.
        public init(appAppleId: Int64?, bundleId: String, environment: AppStoreEnvironment) {
            self.appAppleId = appAppleId
            self.bundleId = bundleId
            self.environment = environment
        }

        func write(to json: inout JSONWriter) {
            json.beginObject("appData")
            json.number("appAppleId", appAppleId)
            json.string("bundleId", bundleId)
            json.string("environment", environment.rawValue)
            json.string("signedAppTransactionInfo", signedAppTransactionInfo)
            json.endObject()
        }
    }
}
