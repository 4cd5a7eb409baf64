import Foundation
import Hummingbird
import Perennial
import PerennialStore

/// control/v1/billing: how subscription time and billing run in an environment, of all apps or of one.
struct BillingRoutes {
    let control: ControlRoutes

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        for path in ["control/v1/billing", "control/v1/apps/:bundleId/billing"] {
            let path = RouterPath(path)
            router.get(path) { request, context in
                let store = try await control.authorized(request, context)
                let settings = try await store.billingSettings(for: control.app(context))
                return try JSONResponse.make(settings)
            }
            router.put(path) { request, context in
                let store = try await control.authorized(request, context)
                let settings = try await request.controlJSON(Body.self).settings(control)
                return try JSONResponse.make(try await store.setBillingSettings(settings, for: control.app(context)))
            }
        }
    }

    /// What a request says, before it is checked.
    struct Body: Decodable {
        var timeRate: String?
        var maximumRenewals: Int?
        var gracePeriodDays: Int64?
        var gracePeriodScope: String?
        var renewalsFail: Bool?

        /// - Throws: ``APIError`` `malformedRequest`.
        func settings(_ control: ControlRoutes, in parent: String = "") throws -> BillingSettings {
            BillingSettings(
                timeRate: try timeRate.map { try control.parse($0, field: parent + "timeRate") },
                maximumRenewals: maximumRenewals, gracePeriodDays: gracePeriodDays,
                gracePeriodScope: try gracePeriodScope.map {
                    try control.parse($0, field: parent + "gracePeriodScope")
                }, renewalsFail: renewalsFail)
        }
    }
}

extension ControlRoutes {
    /// The app that a path names; `nil` where it names none.
    func app(_ context: some RequestContext) -> App.BundleID? {
        context.parameters.get("bundleId").map { App.BundleID(rawValue: $0.removingPercentEncoding ?? $0) }
    }
}
