import Perennial

/// The reason that a renewal date was not extended, or that a request for all subscribers was refused.
package struct ExtensionError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case invalidDays
        case invalidReason
        case invalidRequestIdentifier
        case invalidProduct
        case invalidStorefront
        case ineligible
        case maximumReached
        case familyShared
        case subscriptionNotFound
        case requestNotFound

        /// The error number of the App Store Server API.
        package var number: Int {
            switch self {
            case .invalidDays: 4_000_009
            case .invalidReason: 4_000_010
            case .invalidRequestIdentifier: 4_000_011
            case .invalidProduct: 4_000_023
            case .invalidStorefront: 4_000_028
            case .ineligible: 4_030_004
            case .maximumReached: 4_030_005
            case .familyShared: 4_030_007
            case .subscriptionNotFound: 4_040_005
            case .requestNotFound: 4_040_009
            }
        }
    }

    package let code: Code
    /// A subscription's ID, a product or a request.
    package let subject: String
    /// The problem and the expected value, for people.
    package let reason: String

    package init(_ code: Code, _ subject: String, _ reason: String) {
        self.code = code
        self.subject = subject
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(subject): \(reason)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}

extension ExtensionError {
    /// Converts a refusal of the rules; `nil` for refusals that aren't about extensions.
    init?(_ error: SubscriptionError) {
        let code: Code
        switch error.code {
        case .invalidExtensionDays: code = .invalidDays
        case .extensionIneligible: code = .ineligible
        case .maximumExtensions: code = .maximumReached
        case .familySharedExtensionIneligible: code = .familyShared
        default: return nil
        }
        self.init(code, error.subscription?.description ?? "", error.reason)
    }
}

extension RenewalExtension {
    /// Checks a request from outside.
    ///
    /// - Throws: ``ExtensionError`` `.invalidDays`, `.invalidReason`, `.invalidRequestIdentifier`.
    package init(checking days: Int64, reason: Int64, requestID: String) throws {
        guard Self.days.contains(days) else {
            throw ExtensionError(.invalidDays, "\(days)", "an extension is 1 to 90 days")
        }
        guard let reason = Reason(rawValue: reason) else {
            throw ExtensionError(.invalidReason, "\(reason)", "a reason is 0, 1, 2 or 3")
        }
        self.init(days: days, reason: reason, requestID: requestID)
        try checkIdentifier()
    }

    func checkIdentifier() throws {
        guard (1...Self.maximumIdentifierLength).contains(requestID.utf8.count), !requestID.utf8.contains(0) else {
            throw ExtensionError(
                .invalidRequestIdentifier, "requestIdentifier", "an identifier has 1 to 128 bytes, such as a UUID")
        }
    }
}
