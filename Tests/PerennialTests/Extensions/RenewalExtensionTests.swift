import Perennial
import Testing

/// Extensions of the renewal date (docs/reference/apple-behaviour.md, "Renewal date extensions").
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

    @Test func `a third extension within 365 days is refused`() throws {
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

    @Test func `only a paid period can be extended`() throws {
        var trial = try Life(.monthly, offers: [.trial])
        #expect(throws: SubscriptionError(.extensionIneligible, nil, "")) {
            try trial.happen(.extended(request(1)), at: Life.start)
        }
        try trial.advance(to: trial.subscription.paidUntil)
        #expect(try trial.happen(.extended(request(1)), at: Life.start + .days(8)) == [.renewalExtended])
    }

    @Test func `an extension in grace, retry or after the end is refused`() throws {
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

    @Test func `the purchaser's extension extends members, who can't extend`() throws {
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
        let followed = try shared.applyingPurchaserChange(life.last, from: before, at: Life.start, id: next)
        #expect(followed.subscription.paidUntil == life.subscription.paidUntil)
        #expect(followed.events.map(\.kind) == [.renewalExtended])
        #expect(followed.changes == [.expires(shared.current.transactionID, life.subscription.paidUntil)])
    }
}
