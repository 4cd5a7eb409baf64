/// The verdict of verifyReceipt: the number in `status`.
public struct VerifyReceiptStatus: RawRepresentable, Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The number on the wire.
    public let rawValue: Int

    /// Takes any number, known or not.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The receipt is authentic, even if every subscription in it has expired.
    public static let valid = Self(rawValue: 0)
    /// The request was not an HTTP POST.
    public static let notAPost = Self(rawValue: 21000)
    /// An earlier status that is no longer sent.
    public static let obsolete = Self(rawValue: 21001)
    /// `receipt-data` is missing or malformed.
    public static let malformedReceipt = Self(rawValue: 21002)
    /// The receipt could not be authenticated.
    public static let notAuthentic = Self(rawValue: 21003)
    /// The shared secret is missing or is not the app's.
    public static let wrongSharedSecret = Self(rawValue: 21004)
    /// The server cannot answer now; ask again later.
    public static let temporarilyUnavailable = Self(rawValue: 21005)
    /// An old transaction receipt is authentic, but its subscription has expired.
    public static let subscriptionExpired = Self(rawValue: 21006)
    /// A receipt of the sandbox was sent to production.
    public static let sandboxReceipt = Self(rawValue: 21007)
    /// A receipt of production was sent to the sandbox.
    public static let productionReceipt = Self(rawValue: 21008)
    /// The data could not be accessed; ask again later.
    public static let internalDataAccess = Self(rawValue: 21009)
    /// The customer's account was not found or has been deleted.
    public static let accountNotFound = Self(rawValue: 21010)
    /// The range of internal errors for which `is_retryable` says whether to ask again.
    public static let internalErrors = 21100...21199

    /// The number in words, for logs.
    public var description: String { "verifyReceipt status \(rawValue)" }
}

extension VerifyReceiptStatus {
    /// Converts an error of a receipt that was not accepted.
    ///
    /// Bytes that are not a receipt are malformed; a receipt that can't be trusted is not authentic. Receipts of
    /// Xcode's local testing count as malformed: the App Store does not read them either.
    public init(_ error: ReceiptError) {
        switch error.code {
        case .tooLarge, .notAReceipt, .indefiniteLength, .malformedPayload, .unsupportedAlgorithm:
            self = .malformedReceipt
        case .untrustedChain, .wrongCertificatePurpose, .expiredCertificate, .badSignature:
            self = .notAuthentic
        }
    }
}
