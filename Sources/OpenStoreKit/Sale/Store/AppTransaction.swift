import AppStoreFormats
import Foundation

/// The customer's purchase of the app itself, signed by the store.
///
/// Source: Apple, StoreKit documentation, "AppTransaction".
public struct AppTransaction: Sendable {
    /// The app's number in the store; `nil` in environments for tests.
    public let appID: UInt64?
    /// Version of the app, as of the sign-in.
    public let appVersion: String
    /// Number of that version in the store; `nil` if it has none.
    public let appVersionID: UInt64?
    /// Bundle ID of the app.
    public let bundleID: String
    /// SHA-384 of nonce and device.
    public let deviceVerification: Data
    /// Nonce of ``deviceVerification``.
    public let deviceVerificationNonce: UUID
    /// Environment of the store.
    public let environment: AppStore.Environment
    /// Version of the app that was bought.
    public let originalAppVersion: String
    /// Platform on which the app was bought.
    public let originalPlatform: AppStore.Platform
    /// Date on which the app was bought.
    public let originalPurchaseDate: Date
    /// Date on which the app was ordered ahead of its release; `nil` if it wasn't.
    public let preorderDate: Date?
    /// Date of the signature.
    public let signedDate: Date
    /// Kind of store that the app is from.
    public let storeType: StoreType
    /// Identifier of the customer's download of the app.
    public let appTransactionID: String
    /// Date on which the purchase was revoked; `nil` if it wasn't.
    public let revocationDate: Date?
    /// Compact JWS of the store.
    package let jws: String
    /// JSON of the payload.
    private let payload: Data

    /// Reads the payload of a JWS, which is not verified here.
    ///
    /// - Throws: `DecodingError`.
    package init(jws: String, payload: Data) throws {
        let facts = try JSONDecoder().decode(AppTransactionPayload.self, from: payload)
        let additions = try JSONDecoder().decode(Additions.self, from: payload)
        self.appID = facts.appAppleId.flatMap { UInt64(exactly: $0) }
        self.appVersion = facts.applicationVersion
        self.appVersionID = facts.versionExternalIdentifier.flatMap { UInt64(exactly: $0) }
        self.bundleID = facts.bundleId
        self.deviceVerification = facts.deviceVerification.flatMap { Data(base64Encoded: $0) } ?? Data()
        self.deviceVerificationNonce = facts.deviceVerificationNonce ?? .zero
        self.environment = AppStore.Environment(rawValue: facts.receiptType.rawValue)
        self.originalAppVersion = facts.originalApplicationVersion
        self.originalPlatform = AppStore.Platform(rawValue: facts.originalPlatform?.rawValue ?? "")
        self.originalPurchaseDate = facts.originalPurchaseDate
        self.preorderDate = facts.preorderDate
        self.signedDate = facts.receiptCreationDate
        self.storeType = additions.storeType.map(StoreType.init(rawValue:)) ?? .consumer
        self.appTransactionID = facts.appTransactionId ?? ""
        self.revocationDate = additions.appRevocationDate.map { Date(timeIntervalSince1970: $0 / 1000) }
        self.jws = jws
        self.payload = payload
    }

    /// Members of the payload that stores before version 27 don't have.
    private struct Additions: Decodable {
        var storeType: String?
        var appRevocationDate: Double?
    }

    /// The payload of the JWS.
    public var jsonRepresentation: Data { payload }

    /// Name of ``originalPlatform``.
    @available(iOS, deprecated: 18.4, message: "Use originalPlatform")
    @available(macOS, deprecated: 15.4, message: "Use originalPlatform")
    public var originalPlatformStringRepresentation: String { originalPlatform.rawValue }

    /// Name of ``storeType``.
    @available(iOS, deprecated: 27.0, message: "Use storeType")
    @available(macOS, deprecated: 27.0, message: "Use storeType")
    public var storeTypeStringRepresentation: String { storeType.rawValue }

    /// Kinds of stores: the known ones, or a later one.
    public struct StoreType: RawRepresentable, Equatable, Hashable, Sendable {
        /// Name of the kind, as in signed data.
        public let rawValue: String

        /// Makes a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The store for consumers.
        public static let consumer = StoreType(rawValue: "CONSUMER")
        /// The store for schools.
        public static let education = StoreType(rawValue: "EDUCATION")
        /// The store for companies.
        public static let enterprise = StoreType(rawValue: "ENTERPRISE")
    }
}

extension AppTransaction: Equatable, Hashable, CustomDebugStringConvertible {
    /// Compares the payloads, without the signatures.
    public static func == (one: AppTransaction, other: AppTransaction) -> Bool { one.payload == other.payload }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(payload)
    }

    /// The JSON of the payload.
    public var debugDescription: String { String(decoding: payload, as: UTF8.self) }
}
