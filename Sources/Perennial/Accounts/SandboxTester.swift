/// A customer's account of Sandbox as App Store Connect shows it: a tester.
package struct SandboxTester: Hashable, Sendable {
    /// Stays the same when the purchase history is cleared, after which the tester has another account.
    package var id: Int64
    package var account: Account
    package var firstName: String?
    package var lastName: String?

    package init(id: Int64, account: Account, firstName: String? = nil, lastName: String? = nil) {
        self.id = id
        self.account = account
        self.firstName = firstName
        self.lastName = lastName
    }

    /// The renewal rates that App Store Connect offers, by Apple's names.
    package static let renewalRates: [(name: String, rate: TimeRate)] = [
        ("MONTHLY_RENEWAL_EVERY_ONE_HOUR", .monthlyRenewalEveryHour),
        ("MONTHLY_RENEWAL_EVERY_THIRTY_MINUTES", .monthlyRenewalEveryThirtyMinutes),
        ("MONTHLY_RENEWAL_EVERY_FIFTEEN_MINUTES", .monthlyRenewalEveryFifteenMinutes),
        ("MONTHLY_RENEWAL_EVERY_FIVE_MINUTES", .monthlyRenewalEveryFiveMinutes),
        ("MONTHLY_RENEWAL_EVERY_THREE_MINUTES", .monthlyRenewalEveryThreeMinutes),
    ]

    /// Apple's name of the tester's renewal rate; `nil` for the environment's rate and for one that Apple's testers can't have.
    package var renewalRateName: String? {
        Self.renewalRates.first { $0.rate == account.renewalRate }?.name
    }
}

extension Account {
    /// The longest name, in bytes.
    package static let maximumNameLength = 254

    /// Returns the name of an account whose purchases a tester has left behind. It is unique, because the ID is.
    package func nameAfterClearing() -> String {
        let suffix = " (cleared, account \(id.rawValue))"
        var kept = name
        while kept.utf8.count + suffix.utf8.count > Self.maximumNameLength { kept.removeLast() }
        return kept + suffix
    }
}
