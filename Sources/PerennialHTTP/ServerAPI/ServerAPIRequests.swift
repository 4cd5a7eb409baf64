import AppStoreFormats
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Perennial
import PerennialStore

extension ServerAPIRoutes {
    /// Lets a request in, and runs a use case for the app that it is signed for.
    func answering(
        _ request: Request, _ context: some RequestContext, _ endpoint: ServerAPIEndpoint,
        _ body: (Store, App) async throws -> Response
    ) async throws -> Response {
        let (store, app) = try await authorized(request, context, endpoint)
        return try await body(store, app)
    }
}

extension Request {
    /// The body's JSON object.
    ///
    /// - Throws: ``ServerAPIError`` 4000000.
    func serverAPIBody() async throws -> ServerAPIRequestBody {
        do {
            return try ServerAPIRequestBody(
                try await wholeBody(upTo: ServerAPIRoutes.maximumBodyBytes).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw ServerAPIError(
                .generalBadRequest, nil, "a body has at most \(ServerAPIRoutes.maximumBodyBytes) bytes")
        }
    }
}

extension RequestContext {
    /// What is named by a UUID in the path, in either case.
    ///
    /// - Throws: ``ServerAPIError`` 4000000.
    func uuid(_ name: String) throws -> UUID {
        guard let id = parameters.get(name).flatMap(UUID.init(uuidString:)) else {
            throw ServerAPIError(.generalBadRequest, name, "\(name) is a UUID")
        }
        return id
    }

    /// Any other name in the path, such as a product's.
    func name(_ name: String) -> String {
        parameters.get(name).flatMap(\.removingPercentEncoding) ?? ""
    }
}
