/// The two sides of a store that verifies receipts: Apple's, or Perennial standing in its place.
package struct VerificationTarget: Hashable, Sendable {
    package enum Side: Hashable, Sendable {
        case production
        case sandbox

        package var other: Side { self == .production ? .sandbox : .production }
    }

    /// Asked first.
    package let production: String
    /// Asked when production says 21007; `nil` where sandbox receipts are not welcome.
    package let sandbox: String?

    package init(production: String, sandbox: String?) {
        self.production = production
        self.sandbox = sandbox
    }

    package static let apple = VerificationTarget(
        production: "https://buy.itunes.apple.com/verifyReceipt",
        sandbox: "https://sandbox.itunes.apple.com/verifyReceipt")

    /// A Perennial: production answers at its base URL, sandbox below `/sandbox`.
    package static func perennial(baseURL: String) -> VerificationTarget {
        let base = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        return VerificationTarget(production: "\(base)/verifyReceipt", sandbox: "\(base)/sandbox/verifyReceipt")
    }

    /// The same store, whose sandbox receipts are refused.
    package var withoutSandbox: VerificationTarget { VerificationTarget(production: production, sandbox: nil) }

    package func url(of side: Side) -> String? {
        switch side {
        case .production: production
        case .sandbox: sandbox
        }
    }
}
