import Crypto
import Foundation

/// The contents of an app receipt: the app, its purchase, and the in-app purchases.
///
/// The names are those of verifyReceipt's answer. The attribute types and their encodings follow genuine receipts;
/// ``encodedPayload()`` writes them and ``init(payload:)`` reads them. ``ReceiptSigner`` and ``ReceiptVerifier`` handle
/// the signature around the payload. Dates have whole seconds.
public struct AppReceipt: Sendable, Equatable {
    /// The largest receipt that is read, in bytes: 3 MiB, as validators report it of the App Store.
    public static let maximumSize = 3_145_728
    /// The most in-app purchases that are read.
    public static let maximumPurchases = 20_000
    /// The most attributes that are read at one level, purchases not counted.
    public static let maximumAttributes = 256

    /// The environment and the kind of purchase of the app (attribute 0).
    public var receiptType: ReceiptType
    /// The app's number in the App Store (attribute 1); 0 in the sandbox.
    public var appItemID: Int64 = 0
    /// The app's bundle identifier (attribute 2).
    public var bundleID: String {
        didSet { encodedBundleID = Self.encode(bundleID: bundleID) }
    }
    /// The bundle identifier with its DER tag and length, over which the device hash is computed.
    public private(set) var encodedBundleID: [UInt8]
    /// `CFBundleVersion` of the app (attribute 3).
    public var applicationVersion: String
    /// The salt of the device hash (attribute 4); 16 bytes in genuine receipts.
    public var opaqueValue: [UInt8]
    /// SHA-1 over the device, the salt and the bundle identifier (attribute 5); see
    /// ``deviceHash(deviceIdentifier:opaqueValue:bundleID:)``.
    public var deviceHash: [UInt8]
    /// Attribute 6, of unknown meaning; 54 to 72 bytes in genuine receipts. Left out when empty.
    public var opaqueAttribute6: [UInt8] = []
    /// Attribute 7, of unknown meaning; 54 to 72 bytes in genuine receipts. Left out when empty.
    public var opaqueAttribute7: [UInt8] = []
    /// The app's age rating (attribute 10).
    public var ageRating: String = "4+"
    /// The date on which the receipt was created (attribute 12), at which its certificates must be valid.
    public var creationDate: Date
    /// The purchase of the app itself (attribute 15); 0 in the sandbox.
    public var downloadID: Int64 = 0
    /// The number of the app's version in the App Store (attribute 16); 0 in the sandbox.
    public var versionExternalIdentifier: Int64 = 0
    /// The date on which the app itself was bought (attribute 18).
    public var originalPurchaseDate: Date
    /// `CFBundleVersion` of the version bought first (attribute 19); `1.0` in the sandbox.
    public var originalApplicationVersion: String
    /// The date on which a receipt of the Volume Purchase Program expires (attribute 21).
    public var expirationDate: Date?
    /// The date on which the app was ordered ahead of its release (attribute 32).
    public var preorderDate: Date?
    /// The in-app purchases (attribute 17), in the order of the receipt.
    public var purchases: [Purchase] = []

    /// Makes a receipt; optional properties are set afterwards.
    public init(
        receiptType: ReceiptType, bundleID: String, applicationVersion: String, opaqueValue: [UInt8],
        deviceHash: [UInt8], creationDate: Date, originalPurchaseDate: Date, originalApplicationVersion: String = "1.0"
    ) {
        self.receiptType = receiptType
        self.bundleID = bundleID
        encodedBundleID = Self.encode(bundleID: bundleID)
        self.applicationVersion = applicationVersion
        self.opaqueValue = opaqueValue
        self.deviceHash = deviceHash
        self.creationDate = creationDate
        self.originalPurchaseDate = originalPurchaseDate
        self.originalApplicationVersion = originalApplicationVersion
    }

    /// Keeps the bundle identifier's bytes as they stood in a receipt.
    mutating func setEncodedBundleID(_ bytes: [UInt8]) {
        encodedBundleID = bytes
    }

    private static func encode(bundleID: String) -> [UInt8] {
        var bytes = [UInt8]()
        bytes.appendDER(.utf8String, bundleID.utf8)
        return bytes
    }
}

// MARK: - The device hash

extension AppReceipt {
    /// The hash that ties a receipt to a device: SHA-1 over the device identifier, the opaque value and the bundle
    /// identifier with its UTF8String tag and length (Apple, "Validating receipts on the device").
    ///
    /// - Parameters:
    ///   - deviceIdentifier: The 16 raw bytes of `identifierForVendor`, or the 6 bytes of a Mac's primary MAC address.
    ///   - opaqueValue: The receipt's ``opaqueValue``.
    ///   - bundleID: The app's bundle identifier.
    /// - Returns: 20 bytes for ``deviceHash``.
    public static func deviceHash(deviceIdentifier: [UInt8], opaqueValue: [UInt8], bundleID: String) -> [UInt8] {
        hash(deviceIdentifier, opaqueValue, encode(bundleID: bundleID))
    }

    /// Returns true if the receipt was created for a device.
    /// - Parameter deviceIdentifier: The 16 raw bytes of `identifierForVendor`, or the 6 bytes of a Mac's primary MAC
    ///   address.
    public func belongs(toDevice deviceIdentifier: [UInt8]) -> Bool {
        Self.hash(deviceIdentifier, opaqueValue, encodedBundleID) == deviceHash
    }

    private static func hash(_ parts: [UInt8]...) -> [UInt8] {
        var hash = Insecure.SHA1()
        for part in parts { hash.update(data: part) }
        return Array(hash.finalize())
    }
}

// MARK: - Receipt type

/// The environment and the kind of purchase of an app (`receipt_type`).
public struct ReceiptType: RawRepresentable, Hashable, Sendable, Codable {
    /// The name on the wire.
    public let rawValue: String

    /// Takes any name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Bought in the App Store.
    public static let production = Self(rawValue: "Production")
    /// Bought through the Volume Purchase Program.
    public static let productionVPP = Self(rawValue: "ProductionVPP")
    /// Bought in the sandbox.
    public static let productionSandbox = Self(rawValue: "ProductionSandbox")
    /// Bought in the sandbox of the Volume Purchase Program.
    public static let productionVPPSandbox = Self(rawValue: "ProductionVPPSandbox")
    /// Made by Xcode's local testing.
    public static let xcode = Self(rawValue: "Xcode")

    /// True for the production side of verifyReceipt; all other names, unknown ones too, belong to the sandbox, as
    /// validators measured.
    public var isProduction: Bool { self == .production || self == .productionVPP }
}
