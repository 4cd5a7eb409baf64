import StoreKit

/// The state of the customer's subscription, as an app shows it.
@MainActor
final class SubscriptionModel {
    enum State: Equatable {
        case none
        case active(productID: String, renews: Bool, next: String?)
        case retrying(productID: String)
        case ended(Product.SubscriptionInfo.RenewalInfo.ExpirationReason?)
        case revoked
    }

    private(set) var state = State.none
    private let groupID: String

    init(groupID: String) {
        self.groupID = groupID
    }

    func refresh() async throws {
        let statuses = try await Product.SubscriptionInfo.status(for: groupID)
        // The customer's own and one shared by the family: the better one counts.
        guard let status = statuses.max(by: { Self.rank($0.state) < Self.rank($1.state) }) else {
            state = .none
            return
        }
        let transaction = try status.transaction.payloadValue
        let renewal = try status.renewalInfo.payloadValue
        switch status.state {
        case .subscribed, .inGracePeriod:
            state = .active(
                productID: transaction.productID, renews: renewal.willAutoRenew,
                next: renewal.willAutoRenew ? renewal.autoRenewPreference : nil)
        case .inBillingRetryPeriod: state = .retrying(productID: transaction.productID)
        case .revoked: state = .revoked
        default: state = .ended(renewal.expirationReason)
        }
    }

    private static func rank(_ state: Product.SubscriptionInfo.RenewalState) -> Int {
        switch state {
        case .subscribed: 4
        case .inGracePeriod: 3
        case .inBillingRetryPeriod: 2
        case .expired: 1
        default: 0
        }
    }
}
