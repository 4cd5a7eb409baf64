import Perennial

/// What control/v1 carries (the contract in docs/protocols/control.md).
enum ControlModels {
    struct AccountBody: Decodable {
        var account: String
        var storefront: String?
        var paymentMethod: String?
        var canMakePayments: Bool?
        var password: String?
        var interruptsPurchases: Bool?
        var renewalRate: String?
    }

    struct AccountModel: Encodable {
        var account: String
        var storefront: String
        var paymentMethod: String
        var canMakePayments: Bool
        var interruptsPurchases: Bool
        var renewalRate: String?

        init(_ account: Account) {
            self.account = account.name
            storefront = account.storefront.rawValue
            paymentMethod = account.paymentMethod.rawValue
            canMakePayments = account.canMakePayments
            interruptsPurchases = account.interruptsPurchases
            renewalRate = account.renewalRate?.rawValue
        }
    }

    struct PurchaseBody: Decodable {
        var bundleId: String
        var account: String
        var productId: String
        var quantity: Int?
        var offerId: String?
        var appAccountToken: String?
        var idempotencyKey: String?
    }

    struct PurchaseAnswer: Encodable {
        var transactionId: String
        var originalTransactionId: String
        /// What a customer reads in an e-mail; Production only.
        var orderId: String?
        var signedTransaction: String
        var signedRenewalInfo: String?
        var appReceipt: String
        var transactionReceipt: String
    }

    struct SignedTransactionAnswer: Encodable {
        /// One of a subscription's periods.
        struct Period: Encodable {
            /// RFC 3339.
            var begins: String
            var ends: String?
            var isNewest: Bool
            var newestTransactionId: String
        }

        var transactionId: String
        var originalTransactionId: String
        var signedTransaction: String
        /// Which period of a subscription was refunded.
        var period: Period?
    }

    struct RefundBody: Decodable {
        var reason: Int64?
        /// Of 100.
        var percentage: Int64?
        /// Which period of a subscription: a ``RefundedPeriod``.
        var period: String?
    }

    struct ClockAnswer: Encodable {
        var now: String
        var kind: String
    }

    struct AdvanceBody: Decodable {
        var by: String?
        var to: String?
    }

    struct AdvanceAnswer: Encodable {
        var now: String
        var events: Int
    }

    struct EnvironmentBody: Decodable {
        var name: String
        var kind: String
        var clock: String
        var now: String?
        var seed: Int64?
        var billing: BillingRoutes.Body?
    }

    struct EnvironmentModel: Encodable {
        var name: String
        var kind: String
        var clock: String
        var path: String

        init(_ environment: StoreEnvironment) {
            name = environment.name
            kind = environment.kind.rawValue
            clock = environment.clock.rawValue
            path =
                switch environment.id {
                case .production: "/"
                case .sandbox: "/sandbox"
                default: "/environments/\(environment.name)"
                }
        }
    }

    struct EnvironmentsAnswer: Encodable {
        var environments: [EnvironmentModel]
    }
}
