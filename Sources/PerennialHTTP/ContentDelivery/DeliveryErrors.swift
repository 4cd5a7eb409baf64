import HTTPTypes
import Hummingbird
import Perennial
import PerennialDelivery
import PerennialStorage

/// Translates the content server's errors into answers of delivery/v1.
struct DeliveryErrorMiddleware: RouterMiddleware {
    typealias Context = BasicConnectionContext

    func handle(
        _ request: Request, context: BasicConnectionContext,
        next: (Request, BasicConnectionContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as DeliveryError {
            throw APIError(error)
        } catch let error as PasswordRefusal {
            throw APIError(error).withoutSKError
        } catch let error as APIError {
            throw error.withoutSKError
        }
    }
}

extension APIError {
    /// Seconds after which a device may ask again when the store could not be asked.
    private static let retryAfter = "30"

    /// A refusal in the words and statuses of delivery/v1.
    package init(_ error: DeliveryError) {
        let (status, headers): (HTTPResponse.Status, HTTPFields) =
            switch error.code {
            case .malformedRequest: (.badRequest, [:])
            case .appNotFound, .contentNotFound: (.notFound, [:])
            case .unauthorized: (.unauthorized, [.wwwAuthenticate: "Bearer"])
            case .receiptInvalid, .receiptForAnotherApp, .receiptForAnotherDevice, .sandboxReceiptRefused, .notGranted,
                .notificationInvalid:
                (.forbidden, [:])
            case .storeUnavailable: (.serviceUnavailable, [.retryAfter: Self.retryAfter])
            // Nothing that a device could wait for: the seller has to set something right.
            case .sharedSecretWrong, .notificationsNotSetUp: (.serviceUnavailable, [:])
            }
        let isField = error.code == .malformedRequest
        self.init(
            status, error.code.rawValue, isField ? "\(error.subject): \(error.reason)" : error.reason,
            field: isField ? error.subject : nil, details: error.receiptStatus.map { ["status": $0] } ?? [:],
            headers: headers)
    }

    /// The same error without StoreKit's number, which delivery/v1 doesn't have.
    fileprivate var withoutSKError: APIError {
        APIError(status, code, message, field: field, details: details, headers: headers)
    }
}
