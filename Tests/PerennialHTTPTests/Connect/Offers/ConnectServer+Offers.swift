import HTTPTypes
import TestSupport
import Testing

/// A price that a request creates inline.
struct InlinePrice {
    let point: String?
    let territory: String?

    init(_ point: String?, in territory: String? = nil) {
        (self.point, self.territory) = (point, territory)
    }
}

extension ConnectServer {
    /// Returns a price point of a product in a storefront, by its price.
    func pricePoint(_ path: String, _ product: String, in territory: String, _ price: String) async throws -> String {
        let reply = try await read("\(path)/\(product)/pricePoints?filter[territory]=\(territory)&limit=8000")
        let found = reply.data?.elements?.first { $0["attributes"]?["customerPrice"]?.text == price }
        return try #require(found?["id"]?.text)
    }

    /// Creates an offer with its prices inline.
    func createOffer(
        _ type: String, _ attributes: [String: JSONValue], _ relationships: [String: ConnectLink],
        _ prices: [InlinePrice], of priceType: String, point: String = "subscriptionPricePoint"
    ) async throws -> StoreServer.Reply {
        let pointType = point == "pricePoint" ? "inAppPurchasePricePoints" : "subscriptionPricePoints"
        var related = relationships.mapValues { JSONValue.object(["data": $0.json]) }
        related["prices"] = [
            "data": .array(prices.indices.map { ConnectLink(priceType, "${price\($0)}").json })
        ]
        let included = prices.enumerated().map { index, price in
            var members: [String: JSONValue] = [:]
            if let id = price.point { members[point] = ["data": ConnectLink(pointType, id).json] }
            if let code = price.territory { members["territory"] = ["data": ConnectLink("territories", code).json] }
            return JSONValue.object([
                "type": .string(priceType), "id": .string("${price\(index)}"), "relationships": .object(members),
            ])
        }
        return try await ask(
            .post, "/sandbox/v1/\(type)",
            [
                "data": [
                    "type": .string(type), "attributes": .object(attributes), "relationships": .object(related),
                ], "included": .array(included),
            ])
    }
}
