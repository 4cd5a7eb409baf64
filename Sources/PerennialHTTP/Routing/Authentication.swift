import AppStoreFormats
import HTTPTypes
import Hummingbird
import Perennial
import PerennialDelivery
import PerennialStore

/// A middleware that lets the proven senders of one kind in to a group of routes.
protocol AuthenticationMiddleware: RouterMiddleware where Context == BasicConnectionContext {
    associatedtype Proof: CallerProof

    /// - Throws: What the group's protocol answers to a sender who isn't let in.
    func caller(of request: Request, _ context: BasicConnectionContext) async throws -> Caller
}

extension AuthenticationMiddleware {
    func handle(
        _ request: Request, context: BasicConnectionContext,
        next: (Request, BasicConnectionContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let caller = try await caller(of: request, context)
        RequestNotes.current?.note(caller)
        context.caller = caller
        return try await next(request, context)
    }
}

/// Lets bearers of the control token in.
struct ControlTokenMiddleware: AuthenticationMiddleware {
    typealias Proof = ControlCaller

    let stores: StoreResolver
    let token: SharedToken

    func caller(of request: Request, _ context: BasicConnectionContext) async throws -> Caller {
        guard token.matches(try request.bearerToken()) else {
            throw APIError(.unauthorized, "unauthorized", "the control token is wrong")
        }
        return .controller(ControlCaller(store: try await stores.store(for: context)))
    }
}

/// Lets devices in that send a token; the use case looks it up.
struct DeviceTokenMiddleware: AuthenticationMiddleware {
    typealias Proof = DeviceCaller

    let stores: StoreResolver

    func caller(of request: Request, _ context: BasicConnectionContext) async throws -> Caller {
        .device(DeviceCaller(store: try await stores.store(for: context), token: try request.bearerToken()))
    }
}

/// Lets customers in who are signed in on a device.
struct CustomerMiddleware: AuthenticationMiddleware {
    typealias Proof = CustomerCaller

    let stores: StoreResolver

    func caller(of request: Request, _ context: BasicConnectionContext) async throws -> Caller {
        let store = try await stores.store(for: context)
        let customer = try await store.accounts.customer(token: try request.bearerToken())
        return .customer(CustomerCaller(store: store, customer: customer))
    }
}

/// Lets sellers' servers in by a token that a key of the App Store Server API has signed.
struct APIKeyMiddleware: AuthenticationMiddleware {
    typealias Proof = SellerCaller

    let stores: StoreResolver

    func caller(of request: Request, _ context: BasicConnectionContext) async throws -> Caller {
        let store = try await stores.store(for: context)
        guard let token = request.signedBearer else {
            throw StoreError(.unauthorized, "token", "the request needs the header Authorization: Bearer TOKEN")
        }
        let key = try await stores.registry.apiKeyAuthenticator.caller(of: token)
        return .seller(SellerCaller(store: store, key: key))
    }
}

/// Lets customers of the content server in that send a session's token; the use case looks it up.
struct ContentCustomerMiddleware: AuthenticationMiddleware {
    typealias Proof = ContentCustomerCaller

    func caller(of request: Request, _ context: BasicConnectionContext) async throws -> Caller {
        guard let token = request.bearer else {
            throw DeliveryError(.unauthorized, "customer token", "terms belong to a customer: sign in")
        }
        return .contentCustomer(ContentCustomerCaller(token: token))
    }
}

/// Lets bearers of a grant in to the content that it opens.
struct GrantMiddleware: AuthenticationMiddleware {
    typealias Proof = GrantCaller

    let delivery: Delivery

    func caller(of request: Request, _ context: BasicConnectionContext) async throws -> Caller {
        let id = Content.ID(rawValue: try context.parameters.require("contentId"))
        return .grant(GrantCaller(content: try await delivery.authorize(id, grant: request.bearer)))
    }
}

/// Lets the seller's own programs in to the content server.
struct ContentOperatorMiddleware: AuthenticationMiddleware {
    typealias Proof = ContentOperatorCaller

    let token: SharedToken

    func caller(of request: Request, _ context: BasicConnectionContext) async throws -> Caller {
        guard token.matches(try request.bearerToken()) else {
            throw DeliveryError(.unauthorized, "token", "the operator's token is wrong")
        }
        return .contentOperator(ContentOperatorCaller())
    }
}
