import Foundation

extension Transaction {
    /// Outcome of a refund request.
    ///
    /// Source: Apple, StoreKit documentation, "Transaction.RefundRequestStatus".
    public enum RefundRequestStatus: Sendable, Equatable, Hashable {
        /// The customer cancelled.
        case userCancelled
        /// The store has the request.
        case success
    }

    /// Error of a refund request.
    ///
    /// Source: Apple, StoreKit documentation, "Transaction.RefundRequestError".
    public enum RefundRequestError: Error, Sendable, LocalizedError, Equatable, Hashable {
        /// The customer has requested a refund of the purchase before.
        case duplicateRequest
        /// The request failed.
        case failed
        /// The purchase can't be refunded.
        case ineligible

        /// A localized message.
        public var errorDescription: String? { "The refund could not be requested." }

        /// The cause of the error.
        public var failureReason: String? {
            switch self {
            case .duplicateRequest: "A refund of this purchase was requested before."
            case .failed: "The store could not take the request."
            case .ineligible: "This purchase can't be refunded."
            }
        }

        /// An action that may help.
        public var recoverySuggestion: String? {
            switch self {
            case .duplicateRequest: "Wait for the decision about the first request."
            case .failed: "Try again later."
            case .ineligible: nil
            }
        }

        // The code of an error bridged to NSError and its domain are Apple's.
        public var _domain: String { "StoreKit.Transaction.RefundRequestError" }
    }
}

extension StoreConnection {
    /// Requests a refund of a purchase, without the sheet of `Transaction.beginRefundRequest(for:in:)`.
    ///
    /// - Parameters:
    ///   - transactionID: The purchase.
    ///   - reason: The customer's reason, by a name of `docs/reference/store.md`; `nil` for none in particular.
    /// - Throws: ``Transaction/RefundRequestError``, or ``StoreKitError`` if the store can't be reached.
    @discardableResult
    public func requestRefund(
        for transactionID: UInt64, reason: String? = nil
    ) async throws -> Transaction.RefundRequestStatus {
        try simulatedErrors.check(.refundRequest)
        do {
            _ = try await store.requestRefund(transactionID, RefundOrder(reason: reason))
            transactionSync.invalidate()
            return .success
        } catch let failure as StoreFailure {
            if failure.urlErrorCode != nil { throw StoreKitError(wrapping: failure) }
            switch failure.storeErrorCode {
            case "refundAlreadyRequested": throw Transaction.RefundRequestError.duplicateRequest
            case "refundNotPossible", "transactionRevoked", "alreadyRefunded":
                throw Transaction.RefundRequestError.ineligible
            default: throw Transaction.RefundRequestError.failed
            }
        }
    }
}
