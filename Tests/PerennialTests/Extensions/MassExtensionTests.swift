import Perennial
import Testing

/// Extensions for all subscribers of a product (docs/reference/apple-behaviour.md, "Renewal date extensions").
struct MassExtensionTests {
    @Test func `a mass extension counts each success and failure once`() throws {
        var mass = MassExtension(
            productID: SubscriptionPlan.monthly.productID, storefronts: [.usa],
            request: RenewalExtension(days: 7, reason: .serviceIssue, requestID: "mass"))
        let active = try Life(.monthly)
        let trial = try Life(.monthly, offers: [.trial])
        let other = try Life(.premium)
        let now = Life.start + .days(1)
        #expect(mass.concerns(active.subscription, at: now))
        #expect(!mass.concerns(other.subscription, at: now))
        let extended = mass.extend(active.subscription, at: now, in: active.context)
        #expect(extended.events.map(\.kind) == [.renewalExtended])
        #expect(!mass.concerns(extended.subscription, at: now))
        let failed = mass.extend(trial.subscription, at: now, in: trial.context)
        #expect(failed.events.map(\.kind) == [.renewalExtensionFailed])
        #expect(failed.subscription == trial.subscription)
        #expect(mass.succeededCount == 1)
        #expect(mass.failedCount == 1)
        #expect(mass.completed(at: now).notification?.subtype == "SUMMARY")
        let elsewhere = MassExtension(
            productID: SubscriptionPlan.monthly.productID, storefronts: [Storefront(rawValue: "DEU")],
            request: RenewalExtension(days: 7, reason: .serviceIssue, requestID: "other"))
        #expect(!elsewhere.concerns(active.subscription, at: now))
    }
}
