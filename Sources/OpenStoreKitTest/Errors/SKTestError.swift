import Foundation

/// The domain of the errors of test sessions.
///
/// Source: Apple, StoreKitTest documentation, "SKTestErrorDomain".
public let SKTestErrorDomain: String = "SKTestErrorDomain"

/// An error of a test session.
///
/// ``message`` says what is wrong, with file and place for a configuration file.
///
/// Source: Apple, StoreKitTest documentation, "SKTestError".
public struct SKTestError: _BridgedStoredNSError {
    /// The wrapped error.
    public let _nsError: NSError

    /// Wraps an error of any domain.
    public init(_nsError: NSError) {
        self._nsError = _nsError
    }

    /// The domain, for bridging.
    public static var _nsErrorDomain: String { SKTestErrorDomain }
    /// The domain, `SKTestErrorDomain`.
    public static var errorDomain: String { SKTestErrorDomain }

    /// Error codes of `SKTestErrorDomain`, with Apple's raw values.
    ///
    /// Source: Apple, StoreKitTest documentation, "SKTestError.Code".
    public enum Code: Int, Sendable, _ErrorCodeProtocol {
        public typealias _ErrorType = SKTestError

        /// The test store failed.
        case serviceUnavailable = 0
        /// The configuration file has no product with this identifier.
        case invalidProductIdentifier = 1
        /// The action isn't for products of this type.
        case invalidProductType = 2
        /// The URL isn't one of a configuration file.
        case invalidURL = 3
        /// The configuration file was not found.
        case fileNotFound = 4
        /// The customer has no subscription to the product.
        case noSubscriptionFound = 5
        /// The session has no transaction with this identifier.
        case noTransactionFound = 6
        /// The state of the transaction or session doesn't allow the action.
        case invalidAction = 7
    }
}

/// Short names of the codes, also as patterns: `catch SKTestError.fileNotFound`.
extension SKTestError {
    /// ``SKTestError/Code/serviceUnavailable``
    public static var serviceUnavailable: Code { .serviceUnavailable }
    /// ``SKTestError/Code/invalidProductIdentifier``
    public static var invalidProductIdentifier: Code { .invalidProductIdentifier }
    /// ``SKTestError/Code/invalidProductType``
    public static var invalidProductType: Code { .invalidProductType }
    /// ``SKTestError/Code/invalidURL``
    public static var invalidURL: Code { .invalidURL }
    /// ``SKTestError/Code/fileNotFound``
    public static var fileNotFound: Code { .fileNotFound }
    /// ``SKTestError/Code/noSubscriptionFound``
    public static var noSubscriptionFound: Code { .noSubscriptionFound }
    /// ``SKTestError/Code/noTransactionFound``
    public static var noTransactionFound: Code { .noTransactionFound }
    /// ``SKTestError/Code/invalidAction``
    public static var invalidAction: Code { .invalidAction }
}

extension SKTestError {
    init(_ code: Code, _ message: String) {
        self.init(
            _nsError: NSError(
                domain: SKTestErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: message]))
    }

    /// Message for people.
    var message: String { _nsError.localizedDescription }
}
