import FastJSON
import Foundation

/// The payload of a signed app transaction: a customer's purchase of the app itself.
///
/// Names are those on the wire; `nil` is left out.
public struct AppTransactionPayload: Hashable, Sendable, Codable {
    /// The environment of the store.
    public var receiptType: AppStoreEnvironment
    /// The app's number in the App Store; not there in Xcode's local testing.
    public var appAppleId: Int64?
    /// The bundle ID of the app.
    public var bundleId: String
    /// The app's version.
    public var applicationVersion: String
    /// The number of that version in the App Store.
    public var versionExternalIdentifier: Int64?
    /// The date on which the payload was signed.
    @Milliseconds public var receiptCreationDate: Date
    /// The date on which the app was bought.
    @Milliseconds public var originalPurchaseDate: Date
    /// The version bought first.
    public var originalApplicationVersion: String
    /// SHA-384 over nonce and device, in base64.
    public var deviceVerification: String?
    /// The nonce of ``deviceVerification``.
    public var deviceVerificationNonce: UUID?
    /// The date on which the app was ordered ahead of its release.
    @OptionalMilliseconds public var preorderDate: Date?
    /// The identifier of the customer's download of the app.
    public var appTransactionId: String?
    /// The platform on which the app was bought.
    public var originalPlatform: Platform?

    /// Makes a payload; optional properties are set afterwards.
    public init(
        receiptType: AppStoreEnvironment, bundleId: String, applicationVersion: String, receiptCreationDate: Date,
        originalPurchaseDate: Date, originalApplicationVersion: String = "1.0"
    ) {
        self.receiptType = receiptType
        self.bundleId = bundleId
        self.applicationVersion = applicationVersion
        self.receiptCreationDate = receiptCreationDate
        self.originalPurchaseDate = originalPurchaseDate
        self.originalApplicationVersion = originalApplicationVersion
    }

    /// A platform of apps.
    public struct Platform: RawRepresentable, Hashable, Sendable, Codable {
        /// The name on the wire.
        public let rawValue: String

        /// Takes any name, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// iPhone and iPad.
        public static let iOS = Self(rawValue: "iOS")
        /// Mac.
        public static let macOS = Self(rawValue: "macOS")
        /// Apple TV.
        public static let tvOS = Self(rawValue: "tvOS")
        /// Apple Vision.
        public static let visionOS = Self(rawValue: "visionOS")
    }
}

extension AppTransactionPayload {
    /// The JSON to sign, keys in a fixed order.
    public func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.beginObject()
        json.string("receiptType", receiptType.rawValue)
        json.number("appAppleId", appAppleId)
        json.string("bundleId", bundleId)
        json.string("applicationVersion", applicationVersion)
        json.number("versionExternalIdentifier", versionExternalIdentifier)
        json.milliseconds("receiptCreationDate", receiptCreationDate)
        json.milliseconds("originalPurchaseDate", originalPurchaseDate)
        json.string("originalApplicationVersion", originalApplicationVersion)
        json.string("deviceVerification", deviceVerification)
        json.uuid("deviceVerificationNonce", deviceVerificationNonce)
        json.milliseconds("preorderDate", preorderDate)
        json.string("appTransactionId", appTransactionId)
        json.string("originalPlatform", originalPlatform?.rawValue)
        json.endObject()
        return json.bytes
    }
}
