import Perennial
import Testing

/// The rules of Ask to Buy (docs/reference/apple-behaviour.md, "Ask to Buy").
struct ApprovalRulesTests {
    @Test(arguments: [
        (true, StoreEnvironment.Kind.sandbox, true), (false, .sandbox, false), (true, .production, false),
        (false, .production, false),
    ])
    func `only Sandbox simulates Ask to Buy`(simulated: Bool, environment: StoreEnvironment.Kind, needed: Bool) {
        #expect(PendingPurchase.needsApproval(simulated: simulated, in: environment) == needed)
    }

    @Test(
        arguments: [
            ("monthly", nil, "monthly", nil, true), ("monthly", "a", "monthly", "a", true),
            ("monthly", "a", "monthly", "b", false), ("monthly", "a", "monthly", nil, false),
            ("monthly", "a", "yearly", "a", false),
        ] as [(String, String?, String, String?, Bool)])
    func `a request repeats one for the same product under the same key`(
        product: String, key: String?, earlierProduct: String, earlierKey: String?, isRepeat: Bool
    ) {
        let request = PurchaseRequest(productID: Product.ID(rawValue: product), idempotencyKey: key)
        let earlier = PurchaseRequest(productID: Product.ID(rawValue: earlierProduct), idempotencyKey: earlierKey)
        #expect(request.isRepeat(of: earlier) == isRepeat)
    }
}
