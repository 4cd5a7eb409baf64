import Perennial

/// The meaning of one answer of verifyReceipt.
package enum ReceiptVerdict: Sendable, Hashable {
    case authentic(AuthenticReceipt)
    /// The receipt belongs to the other environment: 21007 and 21008.
    case wrongEnvironment(status: Int)
    /// A final refusal.
    case invalid(status: Int)
    case unavailable(status: Int?, isTemporary: Bool, reason: String)

    /// Status for a wrong shared secret.
    static let wrongSharedSecret = 21004
    /// Statuses that refuse a receipt for good; 21006 only without data.
    private static let final: Set<Int> = [21002, 21003, wrongSharedSecret, 21006, 21010]

    package init(_ answer: VerifyReceiptAnswer, from environment: StoreEnvironment.Kind) {
        guard answer.httpStatus == 200 else {
            let isTemporary = answer.httpStatus >= 500 || answer.httpStatus == 429 || answer.httpStatus == 408
            self = .unavailable(
                status: nil, isTemporary: isTemporary, reason: "the store answered HTTP \(answer.httpStatus)")
            return
        }
        guard let response = LenientVerifyReceiptResponse(answer.body) else {
            self = .unavailable(status: nil, isTemporary: true, reason: "the store's answer could not be read")
            return
        }
        self.init(response, from: environment)
    }

    private init(_ response: LenientVerifyReceiptResponse, from environment: StoreEnvironment.Kind) {
        let status = response.status
        switch status {
        case 0:
            if let receipt = response.verifiedReceipt(from: environment) {
                self = .authentic(receipt)
            } else {
                self = .unavailable(status: 0, isTemporary: true, reason: "the store's answer holds no whole receipt")
            }
        case 21006:
            // Authentic with an expired subscription: content published while it was paid for stays open.
            self = response.verifiedReceipt(from: environment).map(Self.authentic) ?? .invalid(status: status)
        case 21007, 21008: self = .wrongEnvironment(status: status)
        case _ where Self.final.contains(status): self = .invalid(status: status)
        case 21005, 21009:
            self = .unavailable(status: status, isTemporary: true, reason: "the store is out of order for now")
        case 21100...21199:
            self = .unavailable(
                status: status, isTemporary: response.isRetryable ?? true, reason: "the store has an internal fault")
        default: self = .unavailable(status: status, isTemporary: false, reason: "the store gave an unknown status")
        }
    }
}
