import Perennial

/// What one answer of verifyReceipt means for whoever asked.
package enum ReceiptVerdict: Sendable, Hashable {
    case authentic(VerifiedReceipt)
    /// The receipt belongs to the other side of the store: 21007 and 21008.
    case otherSide(status: Int)
    /// Final: asking again gives the same.
    case invalid(status: Int)
    case unavailable(status: Int?, mayPass: Bool, reason: String)

    /// The shared secret doesn't fit.
    static let wrongSharedSecret = 21004
    /// Statuses after which the receipt is refused for good (21006 comes with data, see below).
    private static let final: Set<Int> = [21002, 21003, wrongSharedSecret, 21006, 21010]

    package init(_ answer: VerifyReceiptAnswer, from side: VerificationTarget.Side) {
        guard answer.httpStatus == 200 else {
            let mayPass = answer.httpStatus >= 500 || answer.httpStatus == 429 || answer.httpStatus == 408
            self = .unavailable(status: nil, mayPass: mayPass, reason: "the store answered HTTP \(answer.httpStatus)")
            return
        }
        guard let response = VerifyReceiptResponse(answer.body) else {
            self = .unavailable(status: nil, mayPass: true, reason: "the store's answer could not be read")
            return
        }
        self.init(response, from: side)
    }

    private init(_ response: VerifyReceiptResponse, from side: VerificationTarget.Side) {
        let status = response.status
        switch status {
        case 0:
            if let receipt = response.verifiedReceipt(from: side) {
                self = .authentic(receipt)
            } else {
                self = .unavailable(status: 0, mayPass: true, reason: "the store's answer holds no whole receipt")
            }
        case 21006:
            // Authentic, but its subscription has expired: what was published while it was paid for stays open.
            self = response.verifiedReceipt(from: side).map(Self.authentic) ?? .invalid(status: status)
        case 21007, 21008: self = .otherSide(status: status)
        case _ where Self.final.contains(status): self = .invalid(status: status)
        case 21005, 21009:
            self = .unavailable(status: status, mayPass: true, reason: "the store is out of order for now")
        case 21100...21199:
            self = .unavailable(
                status: status, mayPass: response.isRetryable ?? true, reason: "the store has an internal fault")
        default: self = .unavailable(status: status, mayPass: false, reason: "the store gave an unknown status")
        }
    }
}
