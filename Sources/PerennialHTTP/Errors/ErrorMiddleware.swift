import AppStoreFormats
import Hummingbird
import Logging
import Perennial
import PerennialStorage
import PerennialStore

/// Translates the services' errors into answers, once, at the edge, in the form of the protocol that the path belongs to.
///
/// One middleware does it for all protocols, because each costs every request a call. It looks at the path only after an
/// error. It stands above the router, because an unknown path is answered in its protocol's form as well.
package struct ErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    private let answersAppleProtocols: Bool

    /// - Parameter answersAppleProtocols: False for a server without the App Store Server API and the App Store Connect API.
    package init(answersAppleProtocols: Bool) {
        self.answersAppleProtocols = answersAppleProtocols
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            if answersAppleProtocols {
                let path = request.uri.path
                if ConnectPath(path) != nil { return try ConnectErrors.response(error, to: request, context.logger) }
                if ServerAPIErrors.answers(path) { return try ServerAPIErrors.response(error, context.logger) }
            }
            throw Self.translated(error, context.logger)
        }
    }

    /// Translates an error into one of our own protocols. An unforeseen error is logged, and answered as `unavailable`.
    private static func translated(_ error: any Error, _ logger: Logger) -> any Error {
        switch error {
        case let refusal as PurchaseRefusal: return APIError(refusal)
        case let error as StoreError: return APIError(error)
        case let error as ExplainError: return APIError(error)
        case let error as ServerAPIError: return APIError(error)
        case let error as SubscriptionError: return APIError(.conflict, error.code.rawValue, error.reason)
        case let error as RefundError: return APIError(.conflict, error.code.rawValue, error.reason)
        case let error as FamilyError: return APIError(.conflict, error.code.rawValue, error.reason)
        case let error as NotificationError: return APIError(error)
        case let error as CatalogEditError: return APIError(error)
        case let error as ExtensionError: return APIError(error)
        case let error as FinanceError: return APIError(error)
        case let error as PasswordRefusal: return APIError(error)
        // Logged when it happened, with the cure.
        case let error as StorageError where error.code == .writesStopped: return APIError.writesStopped
        case let error as StorageError:
            logger.error("storage failed", metadata: ["error": "\(error)"])
            return APIError.unavailable
        case is any HTTPResponseError, is CancellationError: return error
        default:
            logger.error("a request failed", metadata: ["error": "\(error)"])
            return APIError.unavailable
        }
    }
}

extension APIError {
    fileprivate static var writesStopped: APIError {
        APIError(
            .serviceUnavailable, "writesStopped",
            "the store's disk has failed: it changes nothing until its operator has read its log and started it again",
            skError: 0)
    }

    fileprivate static var unavailable: APIError {
        APIError(
            .serviceUnavailable, "unavailable", "the store can't answer now; send the same request again", skError: 0,
            headers: [.retryAfter: "1"])
    }
}
