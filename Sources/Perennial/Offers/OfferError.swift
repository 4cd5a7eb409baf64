/// Why an offer is not granted. Nothing was charged.
package struct OfferError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case unknownOffer
        case notEligible
        case alreadyUsed
        case signatureInvalid
        case signatureExpired
        case wrongSubject
        case priceTooHigh
        case unknownCode
        case codeExpired
        case codeExhausted
    }

    package let code: Code
    /// The offer's ID, or the code.
    package let offer: String
    /// For a person: what was wrong, and what would be right.
    package let reason: String

    package init(_ code: Code, _ offer: String, _ reason: String) {
        self.code = code
        self.offer = offer
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(offer): \(reason)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
