import AppStoreFormats
import HTTPTypes
import Hummingbird
import PerennialStore

/// Lets programs in by a token that a team key of the App Store Connect API has signed, within the key's rate limit.
struct ConnectKeyMiddleware: AuthenticationMiddleware {
    typealias Proof = ConnectKeyCaller

    let stores: StoreResolver
    let limiter: ConnectRateLimiter

    /// Answers errors here, so that they have the header of the rate limit.
    func handle(
        _ request: Request, context: BasicConnectionContext,
        next: (Request, BasicConnectionContext) async throws -> Response
    ) async throws -> Response {
        let proof = try await proof(of: request, context)
        let allowance = limiter.count(proof.key.keyID)
        var context = context
        context.caller = .connect(proof)
        var response: Response
        do {
            if let seconds = allowance.retryAfter { throw ConnectFailure.rateLimitExceeded(seconds: seconds) }
            try authorize(proof.key, request)
            response = try await next(request, context)
        } catch {
            response = try ConnectErrors.response(error, to: request, context.logger)
        }
        response.headers[.rateLimit] = allowance.header
        return response
    }

    func caller(of request: Request, _ context: BasicConnectionContext) async throws -> Caller {
        .connect(try await proof(of: request, context))
    }

    private func proof(of request: Request, _ context: BasicConnectionContext) async throws -> ConnectKeyCaller {
        let store = try await stores.store(for: context)
        guard let token = request.signedBearer else {
            throw ConnectFailure.unauthenticated
        }
        return ConnectKeyCaller(
            store: store, key: try await stores.registry.connectAuthenticator.caller(of: token))
    }

    /// Checks that the token is for a request.
    ///
    /// - Throws: ``ConnectFailure`` 401 for a token whose scope has no such request.
    private func authorize(_ key: ConnectCaller, _ request: Request) throws {
        guard key.claims.scope != nil else { return }
        let path = ConnectPath(request.uri.path)?.path ?? request.uri.path
        let query = QueryText.parameters(request.uri.query ?? "") ?? []
        // A HEAD is a GET without the body.
        let method = request.method == .head ? "GET" : request.method.rawValue
        guard key.claims.allow(method: method, path: path, query: query) else {
            throw ConnectFailure.unauthenticated
        }
    }
}

extension HTTPField.Name {
    static let rateLimit = Self("X-Rate-Limit")!
}
