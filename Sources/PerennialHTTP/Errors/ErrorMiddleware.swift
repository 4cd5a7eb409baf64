import AppStoreFormats
import Hummingbird
import Logging
import Perennial
import PerennialStorage
import PerennialStore

/// Translates the services' errors into answers, once, at the edge. An unforeseen error is logged, and answered as
/// `unavailable`.
package struct ErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as PurchaseRefusal {
            throw APIError(refusal)
        } catch let error as StoreError {
            throw APIError(error)
        } catch let error as ServerAPIError {
            throw APIError(error)
        } catch let error as SubscriptionError {
            throw APIError(.conflict, error.code.rawValue, error.reason)
        } catch let error as RefundError {
            throw APIError(.conflict, error.code.rawValue, error.reason)
        } catch let error as FamilyError {
            throw APIError(.conflict, error.code.rawValue, error.reason)
        } catch let error as NotificationError {
            throw APIError(error)
        } catch let error as ExtensionError {
            throw APIError(error)
        } catch let error as PasswordRefusal {
            throw APIError(error)
        } catch let error as StorageError where error.code == .writesStopped {
            // Logged when it happened, with the cure.
            throw APIError.writesStopped
        } catch let error as StorageError {
            context.logger.error("storage failed", metadata: ["error": "\(error)"])
            throw APIError.unavailable
        } catch let error as any HTTPResponseError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            context.logger.error("a request failed", metadata: ["error": "\(error)"])
            throw APIError.unavailable
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
