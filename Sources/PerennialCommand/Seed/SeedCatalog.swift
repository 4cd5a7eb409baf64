import Perennial
import PerennialSimulation

/// The products of a running store as invented customers choose from them.
enum SeedCatalog {
    private struct Answer: Decodable {
        struct Product: Decodable {
            struct Subscription: Decodable {
                var groupId: String
                var level: Int
                var period: String
                var introductoryPeriod: String?
            }

            var productId: String
            var type: String
            var clearedForSale: Bool
            var subscription: Subscription?
            var codeOffers: [String]?
        }

        var products: [Product]
    }

    /// Reads the products that are for sale.
    ///
    /// - Throws: ``CommandError`` if there are none.
    static func read(_ bundleID: String, _ client: StoreClient) async throws -> HistoryCatalog {
        let answer: StoreAnswer<Answer> = try await client.get("control/v1/apps/\(bundleID.percentEncoded)/products")
        let sold = answer.value.products.filter(\.clearedForSale).sorted { $0.productId < $1.productId }
        guard !sold.isEmpty else {
            throw CommandError("\(bundleID) has no products for sale, so nothing can be bought")
        }
        func products(_ type: ProductType) -> [String] {
            sold.filter { $0.type == type.rawValue }.map(\.productId)
        }
        return HistoryCatalog(
            consumables: products(.consumable), nonConsumables: products(.nonConsumable),
            nonRenewing: products(.nonRenewing), free: products(.free), subscriptions: sold.compactMap(subscription))
    }

    private static func subscription(_ product: Answer.Product) -> HistoryCatalog.Subscription? {
        guard let subscription = product.subscription, let period = Period(iso8601: subscription.period) else {
            return nil
        }
        return HistoryCatalog.Subscription(
            id: product.productId, group: subscription.groupId, level: subscription.level, period: period,
            introduction: subscription.introductoryPeriod.flatMap { Period(iso8601: $0) },
            codeOffer: product.codeOffers?.first)
    }
}

/// The messages of the control API that an invented history consists of.
enum SeedMessages {
    struct Environment: Encodable {
        var name: String
        var kind = "Production"
        var clock = "manual"
        var now: String
        var seed: Int64
    }

    struct Clock: Decodable {
        var now: String
        var kind: String
    }

    struct Advance: Encodable { var to: String }
    struct Advanced: Decodable { var events: Int }

    struct Accounts: Decodable {
        struct Account: Decodable { var account: String }
        var accounts: [Account]
    }

    struct Account: Encodable {
        var account: String
        var storefront: String?
        var paymentMethod: String?
    }

    struct Download: Encodable {
        var bundleId: String
        var account: String
        var device: String
        var version: String
        var deviceFamily: String
    }

    struct Purchase: Encodable {
        var bundleId: String
        var account: String
        var productId: String
        var quantity: Int
        var device: String
        var appVersion: String
    }

    struct Code: Encodable {
        var productId: String
        var offerId: String
        var kind = "custom"
        var code: String
    }

    struct Redemption: Encodable {
        var bundleId: String
        var account: String
        var code: String
    }

    struct Bought: Decodable {
        var transactionId: String
        var originalTransactionId: String
    }

    struct AutoRenew: Encodable { var enabled: Bool }
    struct Refund: Encodable { var period: String? }
    struct Done: Decodable {}
}
