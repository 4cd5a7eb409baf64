import Perennial
import PerennialStorage

/// A term that ends soon, with its customer.
package struct ExpiringTerm: Sendable, Hashable {
    package let customer: String
    package let term: NonRenewingTerm
}

extension Delivery {
    /// Maximum non-renewing purchases of one customer; a limit of ours.
    static let maximumPurchasesPerCustomer = 10_000
    /// Customers in one read.
    private static let customersPerPage = 200

    /// Returns a customer's non-renewing subscriptions of all devices and accepted environments, with a grant for their content.
    ///
    /// - Throws: ``DeliveryError`` with `unauthorized` or `appNotFound`.
    package func terms(customerToken: String) async throws -> Grant {
        let (customer, bundleID) = try await session(customerToken)
        let entry = try catalog().entry(bundleID)
        var decided = clock()
        var terms: [NonRenewingTerm] = []
        var refused: [RefusedPurchase] = []
        var contents: [GrantedContent] = []
        for environment in StoreEnvironment.Kind.allCases where environments.contains(environment) {
            let scope = DeliveryScope(environment: environment, bundleID: bundleID)
            let now = try await storeTime.now(in: environment)
            let own = NonRenewingTerms(
                of: try await recordedPurchases(of: customer, scope), policy: entry.app.nonRenewing)
            let entitlements = EntitlementRules(contents: entry.contents)
                .entitlements(from: [], terms: own.terms, at: now)
                .filter { entitlement in !contents.contains { $0.content.id == entitlement.contentID } }
            contents += await described(entitlements, entry, environment)
            if !own.terms.isEmpty { decided = now }
            terms += own.terms
            refused += own.refused
        }
        return try await issue(
            contents, terms: terms, refused: refused, customer: customer,
            DeliveryScope(environment: contents.first?.environment ?? .production, bundleID: bundleID), decided: decided
        )
    }

    /// Returns the running terms that end within some milliseconds and have no successor of the same product, by their end.
    ///
    /// - Throws: ``DeliveryError`` with `appNotFound`.
    package func expiringTerms(within milliseconds: Int64, _ scope: DeliveryScope) async throws -> [ExpiringTerm] {
        let policy = try catalog().entry(scope.bundleID).app.nonRenewing
        let now = try await storeTime.now(in: scope.environment)
        var expiring: [ExpiringTerm] = []
        var last = ""
        while true {
            let after = last
            let page = try await database.read { connection in
                try DeliveryPurchasesTable.customers(
                    after: after, scope, limit: Self.customersPerPage, on: connection
                ).map { ($0, try Self.purchases(of: $0, scope, connection)) }
            }
            for (customer, purchases) in page {
                let terms = NonRenewingTerms(of: purchases, policy: policy).terms
                expiring +=
                    terms
                    .filter { $0.isActive(at: now) && $0.end <= now + milliseconds && !$0.isFollowed(in: terms) }
                    .map { ExpiringTerm(customer: customer, term: $0) }
            }
            guard let (customer, _) = page.last else { break }
            last = customer
        }
        return expiring.sorted { ($0.term.end, $0.customer) < ($1.term.end, $1.customer) }
    }

    func recordedPurchases(of customer: String, _ scope: DeliveryScope) async throws -> [VerifiedPurchase] {
        try await database.read { connection in try Self.purchases(of: customer, scope, connection) }
    }

    private static func purchases(
        of customer: String, _ scope: DeliveryScope, _ connection: any Connection
    ) throws -> [VerifiedPurchase] {
        try DeliveryPurchasesTable.purchases(of: customer, scope, limit: maximumPurchasesPerCustomer, on: connection)
    }
}

extension NonRenewingTerm {
    /// True if another term of the product begins where this one ends.
    fileprivate func isFollowed(in terms: [NonRenewingTerm]) -> Bool {
        terms.contains { $0.productID == productID && $0.start == end }
    }
}
