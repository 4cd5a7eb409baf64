import HTTPTypes
import Hummingbird
import Logging
import Perennial
import PerennialStorage
import PerennialStore

/// Translates every error below `v1`, `v2` and `v3` into the form of the App Store Connect API, that of an unknown path as
/// well.
enum ConnectErrors {
    /// Translates an error.
    ///
    /// - Throws: `CancellationError`, for a client that has gone.
    static func response(_ error: any Error, to request: Request, _ logger: Logger) throws -> Response {
        switch error {
        case let error as ConnectFailure: return try error.response()
        case let error as CatalogEditError:
            return try ConnectFailure(error, path: ConnectPath(request.uri.path)?.path ?? "").response()
        case let error as StoreError where error.code == .unauthorized:
            return try ConnectFailure.unauthenticated.response()
        case let error as ReportError: return try response(error)
        case let error as APIError: return try response(error, to: request)
        case let error as any HTTPResponseError where error.status == .notFound:
            return try unknownPath(request).response()
        case is CancellationError: throw error
        case let error as StorageError where error.code == .writesStopped:
            return try unexpected(.serviceUnavailable).response()
        case let error as StorageError where error.code == .invalidText: return try unstorable(request).response()
        case let error as StorageError where error.isTemporary:
            logger.error("storage failed", metadata: ["error": "\(error)"])
            return try unexpected(.serviceUnavailable, headers: [.retryAfter: APIError.unavailableSeconds]).response()
        default:
            logger.error("a request failed", metadata: ["error": "\(error)"])
            return try unexpected(.internalServerError).response()
        }
    }

    private static func response(_ error: ReportError) throws -> Response {
        // The chapter names a filter, clients the whole parameter.
        let parameter = error.parameter.map { $0.contains("[") ? $0 : "filter[\($0)]" } ?? ""
        switch error.code {
        case .missingParameter: return try ConnectFailure.missingParameter(parameter, error.detail).response()
        case .invalidParameter: return try ConnectFailure.invalidParameter(parameter, error.detail).response()
        case .notFound:
            return try ConnectFailure(
                .notFound, "NOT_FOUND", "The specified resource does not exist", error.detail
            ).response()
        case .unknownVendor:
            // Apple's service fails without a body: a 404 proves that the vendor number is right.
            return Response(status: .internalServerError, headers: [.contentType: "text/plain"])
        }
    }

    /// Translates paths without a route, environments that don't exist, and bodies that are too long.
    private static func response(_ error: APIError, to request: Request) throws -> Response {
        switch error.status.code {
        case 401: try ConnectFailure.unauthenticated.response()
        case 404, 405: try unknownPath(request).response()
        case 400, 413: try ConnectFailure.unprocessable(error.message).response()
        default: try unexpected(error.status, headers: error.headers).response()
        }
    }

    private static func unknownPath(_ request: Request) -> ConnectFailure {
        let path = request.uri.path
        return .unknownPath(ConnectPath(path)?.path ?? path)
    }

    /// A text with a NUL, which no database holds: nothing has such an ID, and no filter finds it.
    private static func unstorable(_ request: Request) -> ConnectFailure {
        let detail = "A text can't hold a NUL character."
        guard request.uri.path.contains("%00") else { return .invalidParameter("", detail) }
        return ConnectFailure(.notFound, "NOT_FOUND", "The specified resource does not exist", detail)
    }

    private static func unexpected(_ status: HTTPResponse.Status, headers: HTTPFields = [:]) -> ConnectFailure {
        ConnectFailure(
            status, "UNEXPECTED_ERROR", "An unexpected error occurred.",
            "An unexpected error occurred on the server side. Send the same request again later.", headers: headers)
    }
}

/// A path of the App Store Connect API, apart from the environment before it.
struct ConnectPath {
    private static let versions: Set<Substring> = ["v1", "v2", "v3"]

    /// The environment's part of the path: empty in Production, `/sandbox`, or `/environments/NAME`.
    let prefix: String
    /// The rest: `/v1/salesReports`.
    let path: String

    /// - Returns: `nil` for a path of another API.
    init?(_ path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        let count =
            switch parts.first {
            case "sandbox": 1
            case "environments": 2
            default: 0
            }
        guard parts.count > count, Self.versions.contains(parts[count]) else { return nil }
        prefix = parts.prefix(count).map { "/\($0)" }.joined()
        self.path = parts.dropFirst(count).map { "/\($0)" }.joined()
    }
}
