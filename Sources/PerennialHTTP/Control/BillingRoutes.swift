import Hummingbird
import Perennial
import PerennialStore

/// control/v1/billing: how subscription time and billing run in an environment, of all apps or of one.
struct BillingRoutes {
    private struct BillingModel: AnswerModel {
        var timeRate: String?
        var maximumRenewals: Int?
        var gracePeriodDays: Int64?
        var gracePeriodScope: String?
        var renewalsFail: Bool?

        init(_ settings: BillingSettings) {
            timeRate = settings.timeRate?.rawValue
            maximumRenewals = settings.maximumRenewals
            gracePeriodDays = settings.gracePeriodDays
            gracePeriodScope = settings.gracePeriodScope?.rawValue
            renewalsFail = settings.renewalsFail
        }
    }

    func add(to routes: RouteGroup<ControlContext>) {
        for (path, subject) in [("billing", "all apps"), ("apps/:bundleId/billing", "an app")] {
            routes.get(path, "How subscription time and billing run, of \(subject)", use: settings)
            routes.put(path, "Set how subscription time and billing run, of \(subject)", use: set)
        }
    }

    private func settings(_ call: Call<NoBody>, _ context: ControlContext) async throws -> BillingModel {
        BillingModel(try await context.store.renewals.billingSettings(for: Self.app(context)))
    }

    private func set(_ call: Call<BillingBody>, _ context: ControlContext) async throws -> BillingModel {
        let settings = try await call.body().settings()
        return BillingModel(try await context.store.renewals.setBillingSettings(settings, for: Self.app(context)))
    }

    /// The app that the path names; `nil` for all apps.
    private static func app(_ context: ControlContext) -> App.BundleID? {
        context.parameters.get("bundleId") == nil ? nil : context.bundleID
    }
}

/// Billing settings as a request says them.
struct BillingBody: RequestModel {
    var timeRate: String?
    var maximumRenewals: Int?
    var gracePeriodDays: Int64?
    var gracePeriodScope: String?
    var renewalsFail: Bool?

    static let constraints: [String: Constraint] = [
        "timeRate": .oneOf(RenewalRate.self),
        "maximumRenewals": .range(BillingSettings.maximumRenewalsRange)
            .and(.described("\(BillingSettings.withoutEnd) for no end")),
        "gracePeriodDays": .oneOf(BillingSettings.gracePeriodDays),
        "gracePeriodScope": .oneOf(BillingPolicy.GraceScope.self),
    ]
    // Only compressed time ends after so many renewals.
    static let rule: Constraint? = .oneOf(fields: [
        ["timeRate": .absent], ["timeRate": ["not": ["const": .string(RenewalRate.real.rawValue)]]],
        ["maximumRenewals": .absent], ["maximumRenewals": ["const": .integer(Int64(BillingSettings.withoutEnd))]],
    ])

    /// - Throws: ``APIError`` `malformedRequest`.
    func settings(in parent: String = "") throws -> BillingSettings {
        BillingSettings(
            timeRate: try timeRate.map { try ControlFields.value($0, field: parent + "timeRate") },
            maximumRenewals: maximumRenewals, gracePeriodDays: gracePeriodDays,
            gracePeriodScope: try gracePeriodScope.map {
                try ControlFields.value($0, field: parent + "gracePeriodScope")
            }, renewalsFail: renewalsFail)
    }
}
