import AppStoreFormats
import Hummingbird
import Logging
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore

/// Translates the services' errors into answers, once, at the edge, in the form of the protocol that the path belongs to.
///
/// One middleware does it for all protocols, because each costs every request a call. It looks at the path only after an
/// error. It stands above the router, because an unknown path is answered in its protocol's form as well.
package struct ErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    private let answersAppleProtocols: Bool
    private let observer: RequestObserver?

    /// - Parameter answersAppleProtocols: False for a server without the App Store Server API and the App Store Connect API.
    package init(answersAppleProtocols: Bool) {
        self.init(answersAppleProtocols: answersAppleProtocols, observer: nil)
    }

    /// - Parameter observer: Tells watchers and the log of each request and its error.
    init(answersAppleProtocols: Bool, observer: RequestObserver?) {
        self.answersAppleProtocols = answersAppleProtocols
        self.observer = observer
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let observer, observer.isNeeded(context.logger) else {
            return try await answer(request, context, next)
        }
        return try await observer.observe(request, context.logger) { try await answer(request, context, next) }
    }

    private func answer(
        _ request: Request, _ context: Context, _ next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let isUnknownName = Self.isUnstorable(error) && request.uri.path.contains("%00")
            let own: any Error =
                isUnknownName ? APIError(.notFound, "notFound", APIError.unstorable.message, skError: 0) : error
            if let notes = RequestNotes.current, let refusal = RequestNotes.Refusal(own) { notes.refuse(refusal) }
            if answersAppleProtocols {
                let path = request.uri.path
                if ConnectPath(path) != nil { return try ConnectErrors.response(error, to: request, context.logger) }
                if ServerAPIErrors.answers(path) { return try ServerAPIErrors.response(error, context.logger) }
            }
            throw Self.translated(own, context.logger)
        }
    }

    /// Returns true for a text with a NUL, which no database holds: nothing has such a name.
    private static func isUnstorable(_ error: any Error) -> Bool { (error as? StorageError)?.code == .invalidText }

    /// Translates an error into one of our own protocols. An unforeseen error is logged, and answered as `unavailable`.
    private static func translated(_ error: any Error, _ logger: Logger) -> any Error {
        if let known = APIError(translating: error) { return known }
        switch error {
        case let error as StorageError:
            logger.error("storage failed", metadata: ["error": "\(error)"])
            return error.isTemporary ? APIError.unavailable : APIError.failed
        case is any HTTPResponseError, is CancellationError: return error
        default:
            logger.error("a request failed", metadata: ["error": "\(error)"])
            return APIError.unavailable
        }
    }
}

extension APIError {
    /// Describes the error of a use case; `nil` for an unforeseen one.
    package init?(translating error: any Error) {
        switch error {
        case let refusal as PurchaseRefusal: self.init(refusal)
        case let error as StoreError: self.init(error)
        case let error as ExplainError: self.init(error)
        case let error as ServerAPIError: self.init(error)
        case let error as SubscriptionError: self.init(.conflict, error.code.rawValue, error.reason)
        case let error as RefundError: self.init(.conflict, error.code.rawValue, error.reason)
        case let error as FamilyError: self.init(.conflict, error.code.rawValue, error.reason)
        case let error as NotificationError: self.init(error)
        case let error as CatalogEditError: self.init(error)
        case let error as ExtensionError: self.init(error)
        case let error as FinanceError: self.init(error)
        case let error as PasswordRefusal: self.init(error)
        case let error as ConsoleSignInError: self.init(error)
        // Logged when it happened, with the cure.
        case let error as StorageError where error.code == .writesStopped: self = .writesStopped
        case let error as StorageError where error.code == .invalidText: self = .unstorable
        case let error as APIError: self = error
        default: return nil
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

    /// Refuses a text with a NUL where no database does it.
    ///
    /// - Throws: ``APIError`` `malformedRequest`.
    static func refuseNUL(in text: String) throws {
        guard !text.utf8.contains(0) else { throw unstorable }
    }

    fileprivate static var unstorable: APIError {
        APIError(.badRequest, "malformedRequest", "a text can't hold a NUL character", skError: 0)
    }

    /// A defect of the store or of its database: the same request fails again.
    fileprivate static var failed: APIError {
        APIError(.internalServerError, "internalError", "the store has failed; its log has the reason", skError: 0)
    }

    /// The `Retry-After` of a store that can't answer now, in seconds.
    static let unavailableSeconds = "1"

    fileprivate static var unavailable: APIError {
        APIError(
            .serviceUnavailable, "unavailable", "the store can't answer now; send the same request again", skError: 0,
            headers: [.retryAfter: unavailableSeconds])
    }
}
