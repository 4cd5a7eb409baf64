import HTTPTypes
import Hummingbird
import PerennialConnect
import PerennialStore

/// The App Store Connect API of one environment, under `v1`, `v2` and `v3` (docs/reference/connect-api.md).
///
/// The tables in `Schema/` say which paths there are; ``ConnectEngine`` serves them all. The middleware of the routes,
/// ``ConnectKeyMiddleware``, lets keys in.
struct ConnectRoutes {
    /// The first parts of the paths.
    static let versions = ["v1", "v2", "v3"]

    let engine: ConnectEngine

    func add(to router: RouterGroup<ConnectContext>) {
        let methods: [HTTPRequest.Method] = [.get, .post, .patch, .put, .delete]
        for version in Self.versions {
            for method in methods {
                router.on("\(version)/**", method: method) { [engine] request, context in
                    try await engine.answer(request, context)
                }
            }
        }
    }
}
