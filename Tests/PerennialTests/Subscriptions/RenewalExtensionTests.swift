import Perennial
import Testing

/// Facts sheet 4.6: extensions of the renewal date.
struct RenewalExtensionTests {
    private func request(_ days: Int64, _ id: String = "r") -> RenewalExtension {
        RenewalExtension(days: days, reason: .serviceIssue, requestID: id)
    }

    @Test func `an extension moves the renewal date`() throws {
        var life = try Life(.monthly)
        let end = life.subscription.paidUntil
        #expect(try life.happen(.extended(request(10)), at: Life.start + .days(1)) == [.renewalExtended])
        #expect(life.newest.expiresDate == end + .days(10))
        #expect(try life.advance(to: end + .days(10)) == [.renewed])
        #expect(life.newest.purchaseDate == end + .days(10))
        #expect(life.newest.expiresDate == Period.month.end(after: end + .days(10)))
    }

    @Test(arguments: [Int64(0), 91, -1])
    func `an extension is 1 to 90 days`(days: Int64) throws {
        var life = try Life(.monthly)
        #expect(throws: SubscriptionError(.invalidExtensionDays, nil, "")) {
            try life.happen(.extended(request(days)), at: Life.start)
        }
    }

    @Test func `at most two extensions in any 365 days`() throws {
        var life = try Life(.yearly)
        try life.happen(.extended(request(90)), at: Life.start)
        try life.happen(.extended(request(90)), at: Life.start + .days(10))
        #expect(throws: SubscriptionError(.maximumExtensions, nil, "")) {
            try life.happen(.extended(request(1)), at: Life.start + .days(364))
        }
        #expect(try life.happen(.extended(request(1)), at: Life.start + .days(365)) == [.renewalExtended])
        #expect(throws: SubscriptionError(.maximumExtensions, nil, "")) {
            try life.happen(.extended(request(1)), at: Life.start + .days(366))
        }
    }

    @Test func `a free offer period can't be extended, a paid one can`() throws {
        var trial = try Life(.monthly, offers: [.trial])
        #expect(throws: SubscriptionError(.extensionIneligible, nil, "")) {
            try trial.happen(.extended(request(1)), at: Life.start)
        }
        try trial.advance(to: trial.subscription.paidUntil)
        #expect(try trial.happen(.extended(request(1)), at: Life.start + .days(8)) == [.renewalExtended])
    }

    @Test func `neither grace nor retry nor an end can be extended`() throws {
        let billing = BillingPolicy(grace: BillingPolicy.Grace(.threeDays), chargeLead: 0)
        var life = try Life(.monthly, billing: billing)
        life.cardWorks = false
        let end = life.subscription.paidUntil
        for days: Int64 in [0, 5, 60] {
            try life.advance(to: end + .days(days))
            #expect(throws: SubscriptionError(.extensionIneligible, nil, "")) {
                try life.happen(.extended(request(1)), at: end + .days(days))
            }
        }
    }

    @Test func `a family member's copy can't be extended, the purchaser's extension covers it`() throws {
        var life = try Life(.family)
        var id: Int64 = 5000
        let next: () -> Int64 = {
            id += 1
            return id
        }
        let shared = try life.subscription.shared(with: Account.ID(rawValue: 8), at: Life.start, id: next).subscription
        #expect(throws: SubscriptionError(.familySharedExtensionIneligible, nil, "")) {
            try shared.decide(.extended(request(1)), at: Life.start, in: life.context, id: next)
        }
        let before = life.subscription
        try life.happen(.extended(request(5)), at: Life.start)
        let followed = try shared.following(life.last, from: before, at: Life.start, id: next)
        #expect(followed.subscription.paidUntil == life.subscription.paidUntil)
        #expect(followed.facts.map(\.kind) == [.renewalExtended])
        #expect(followed.changes == [.expires(shared.current.transactionID, life.subscription.paidUntil)])
    }

    @Test func `a mass extension counts who was extended and who could not be, once each`() throws {
        var mass = MassExtension(
            productID: SubscriptionPlan.monthly.productID, storefronts: [.usa], request: request(7, "mass"))
        let active = try Life(.monthly)
        let trial = try Life(.monthly, offers: [.trial])
        let other = try Life(.premium)
        let now = Life.start + .days(1)
        #expect(mass.concerns(active.subscription, at: now))
        #expect(!mass.concerns(other.subscription, at: now))
        let extended = mass.extend(active.subscription, at: now, in: active.context)
        #expect(extended.facts.map(\.kind) == [.renewalExtended])
        #expect(!mass.concerns(extended.subscription, at: now))
        let failed = mass.extend(trial.subscription, at: now, in: trial.context)
        #expect(failed.facts.map(\.kind) == [.renewalExtensionFailed])
        #expect(failed.subscription == trial.subscription)
        #expect(mass.succeededCount == 1)
        #expect(mass.failedCount == 1)
        #expect(mass.completed(at: now).notification?.subtype == "SUMMARY")
        let elsewhere = MassExtension(
            productID: SubscriptionPlan.monthly.productID, storefronts: [Storefront(rawValue: "DEU")],
            request: request(7))
        #expect(!elsewhere.concerns(active.subscription, at: now))
    }
}
