import Foundation

extension NotificationPayload {
    /// What a notification says of one app and, most of the time, of one transaction.
    public struct Details: Hashable, Sendable, Codable {
        /// The app's number in the App Store.
        public var appAppleId: Int64?
        /// The app.
        public var bundleId: String?
        /// The version of the app's build.
        public var bundleVersion: String?
        /// The side of the store.
        public var environment: AppStoreEnvironment
        /// A JWS whose payload is a ``TransactionPayload``.
        public var signedTransactionInfo: String?
        /// A JWS whose payload is a ``RenewalInfoPayload``; auto-renewable subscriptions only.
        public var signedRenewalInfo: String?
        /// 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked; auto-renewable subscriptions only.
        public var status: Int32?
        /// Why a customer asked for a refund; `CONSUMPTION_REQUEST` only.
        public var consumptionRequestReason: String?

        /// Makes the details of an app; what is optional is set afterwards.
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

    /// What became of a request to extend the renewal date of many subscriptions.
    public struct Summary: Hashable, Sendable, Codable {
        /// The request.
        public var requestIdentifier: String
        /// The side of the store.
        public var environment: AppStoreEnvironment
        /// The app's number in the App Store.
        public var appAppleId: Int64?
        /// The app.
        public var bundleId: String
        /// Whose subscriptions were extended.
        public var productId: String
        /// Where; empty for everywhere.
        public var storefrontCountryCodes: [String]
        /// How many were extended.
        public var succeededCount: Int64
        /// How many could not be.
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
        /// The token.
        public var externalPurchaseId: String
        /// When the token was made.
        @OptionalMilliseconds public var tokenCreationDate: Date?
        /// The app's number in the App Store.
        public var appAppleId: Int64?
        /// The app.
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

    /// What a notification says of the app itself.
    public struct AppData: Hashable, Sendable, Codable {
        /// The app's number in the App Store.
        public var appAppleId: Int64?
        /// The app.
        public var bundleId: String
        /// The side of the store.
        public var environment: AppStoreEnvironment
        /// A JWS whose payload is an ``AppTransactionPayload``.
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
