import AppStoreFormats
import HTTPTypes
import Hummingbird
import Logging
import PerennialStorage
import PerennialStore

/// Answers every error below `inApps` in the form of the App Store Server API.
///
/// It stands above the router, because an unknown path is answered in that form as well.
struct ServerAPIErrorMiddleware<Context: RequestContext>: RouterMiddleware {

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch  where !Self.answers(request.uri.path) {
            throw error
        } catch let error as ServerAPIError {
            return Self.response(error)
        } catch let error as StoreError {
            return Self.response(error)
        } catch let error as APIError {
            return Self.response(error)
        } catch let error as any HTTPResponseError {
            return Response(status: error.status)
        } catch let error as CancellationError {
            throw error
        } catch let error as StorageError {
            if error.code != .writesStopped {
                context.logger.error("storage failed", metadata: ["error": "\(error)"])
            }
            return Self.response(ServerAPIError(.generalInternalRetryable))
        } catch {
            context.logger.error("a request failed", metadata: ["error": "\(error)"])
            return Self.response(ServerAPIError(.generalInternal))
        }
    }

    /// Returns true for a path of the App Store Server API: as it is in Production, below `sandbox`, or below
    /// `environments/NAME`.
    static func answers(_ path: String) -> Bool {
        path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 3).prefix(3).contains {
            $0.elementsEqual("inApps".utf8) || $0.elementsEqual("advancedCommerce".utf8)
        }
    }

    /// Makes an answer whose type is exactly `application/json`: Apple's libraries read the code only then.
    static func response(_ error: ServerAPIError) -> Response {
        var response = JSONResponse.bytes(error.body, status: .init(code: error.status))
        if let retryAfter = error.retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        return response
    }

    private static func response(_ error: StoreError) -> Response {
        switch error.code {
        case .unauthorized: unauthenticated
        case .accountNotFound: response(ServerAPIError(.accountNotFound))
        case .appNotFound: response(ServerAPIError(.appNotFound))
        case .transactionNotFound: response(ServerAPIError(.transactionIDNotFound))
        case .malformed: response(ServerAPIError(.generalBadRequest))
        default: response(ServerAPIError(.generalInternal))
        }
    }

    /// Translates bodies that are too large or no JSON, and unknown environments.
    private static func response(_ error: APIError) -> Response {
        switch error.status.code {
        case 400, 413: response(ServerAPIError(.generalBadRequest))
        case 401: unauthenticated
        case 404: Response(status: .notFound)
        default: response(ServerAPIError(.generalInternalRetryable))
        }
    }

    /// The plain word that Apple answers, without JSON.
    private static var unauthenticated: Response {
        Response(
            status: .unauthorized, headers: [.contentType: "text/plain"],
            body: ResponseBody(byteBuffer: .init(string: "Unauthenticated")))
    }
}
