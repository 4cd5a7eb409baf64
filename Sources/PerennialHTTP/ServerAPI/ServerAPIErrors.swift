import AppStoreFormats
import HTTPTypes
import Hummingbird
import Logging
import PerennialStorage
import PerennialStore

/// Translates every error below `inApps` into the form of the App Store Server API, that of an unknown path as well.
enum ServerAPIErrors {
    /// Translates an error.
    ///
    /// - Throws: `CancellationError`, for a client that has gone.
    static func response(_ error: any Error, _ logger: Logger) throws -> Response {
        switch error {
        case let error as ServerAPIError: return response(error)
        case let error as StoreError: return response(error)
        case let error as APIError: return response(error)
        case let error as any HTTPResponseError: return Response(status: error.status)
        case is CancellationError: throw error
        case let error as StorageError where error.code == .invalidText:
            return response(ServerAPIError(.generalBadRequest))
        case let error as StorageError:
            // Stopped writes were logged when they stopped.
            if error.code != .writesStopped { logger.error("storage failed", metadata: ["error": "\(error)"]) }
            return error.isTemporary ? unavailable : response(ServerAPIError(.generalInternalRetryable))
        default:
            logger.error("a request failed", metadata: ["error": "\(error)"])
            return response(ServerAPIError(.generalInternal))
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
    private static func response(_ error: ServerAPIError) -> Response {
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
        case 503: unavailable
        default: response(ServerAPIError(.generalInternalRetryable))
        }
    }

    /// The error that Apple's libraries repeat a request for, with 503 for proxies and other clients.
    private static var unavailable: Response {
        var response = JSONResponse.bytes(
            ServerAPIError(.generalInternalRetryable).body, status: .serviceUnavailable)
        response.headers[.retryAfter] = APIError.unavailableSeconds
        return response
    }

    /// The plain word that Apple answers, without JSON.
    private static var unauthenticated: Response {
        Response(
            status: .unauthorized, headers: [.contentType: "text/plain"],
            body: ResponseBody(byteBuffer: .init(string: "Unauthenticated")))
    }
}
