import Perennial

/// The verifyReceipt URLs of a store: Apple's, or a Perennial in its place.
package struct VerificationTarget: Hashable, Sendable {
    /// URL of the first request.
    package let production: String
    /// URL of the request after 21007; `nil` to refuse sandbox receipts.
    package let sandbox: String?

    package init(production: String, sandbox: String?) {
        self.production = production
        self.sandbox = sandbox
    }

    package static let apple = VerificationTarget(
        production: "https://buy.itunes.apple.com/verifyReceipt",
        sandbox: "https://sandbox.itunes.apple.com/verifyReceipt")

    /// Returns the URLs of a Perennial: production at its base URL, sandbox below `/sandbox`.
    package static func perennial(baseURL: String) -> VerificationTarget {
        let base = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        return VerificationTarget(production: "\(base)/verifyReceipt", sandbox: "\(base)/sandbox/verifyReceipt")
    }

    /// The same store without sandbox receipts.
    package var withoutSandbox: VerificationTarget { VerificationTarget(production: production, sandbox: nil) }

    package func url(of environment: StoreEnvironment.Kind) -> String? {
        switch environment {
        case .production: production
        case .sandbox, .xcode: sandbox
        }
    }
}

extension StoreEnvironment.Kind {
    /// The other one of the two.
    var other: StoreEnvironment.Kind { self == .production ? .sandbox : .production }
}
