import Hummingbird
import Perennial
import PerennialStore

/// Signed app transactions: for the app on a device, and for whoever tests with an account.
struct AppTransactionRoutes {
    private struct Answer: Encodable {
        var signedAppTransaction: String
    }

    let stores: StoreResolver
    let control: ControlRoutes

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("store/v1/app-transaction") { request, context in
            let store = try await stores.store(for: context)
            let customer = try await store.customer(token: try request.bearerToken())
            return try JSONResponse.make(
                Answer(signedAppTransaction: try await store.signedAppTransaction(for: customer)))
        }
        router.get("control/v1/app-transaction") { request, context in
            let store = try await control.authorized(request, context)
            let customer = try await control.askedCustomer(request, store)
            return try JSONResponse.make(
                Answer(signedAppTransaction: try await store.signedAppTransaction(for: customer)))
        }
    }
}
