import Testing

@testable import Perennial

struct RestorationTests {
    @Test(arguments: ProductType.allCases)
    func `non-consumables, free and auto-renewable subscriptions are restored`(type: ProductType) {
        let restored = Restoration.restorable([Self.transaction(1, type: type)])
        #expect(restored.map(\.id.rawValue) == ([.nonConsumable, .free, .autoRenewable].contains(type) ? [1] : []))
    }

    @Test func `unfinished, revoked, replaced and other users' purchases aren't restored`() {
        var unfinished = Self.transaction(1, type: .nonConsumable)
        unfinished.isFinished = false
        var revoked = Self.transaction(2, type: .nonConsumable)
        revoked.revocation = .init(date: Instant(seconds: 0), reason: .other)
        var upgraded = Self.transaction(3, type: .autoRenewable)
        upgraded.isUpgraded = true
        var other = Self.transaction(4, type: .nonConsumable)
        other.applicationUsername = "bob"
        var own = Self.transaction(5, type: .nonConsumable)
        own.applicationUsername = "ann"
        let restored = Restoration.restorable(
            [unfinished, revoked, upgraded, other, own], applicationUsername: "ann")
        #expect(restored.map(\.id.rawValue) == [5])
    }

    @Test func `every period of a subscription is restored, a non-consumable once`() {
        let transactions = [
            Self.transaction(1, type: .autoRenewable), Self.transaction(2, original: 1, type: .autoRenewable),
            Self.transaction(3, type: .nonConsumable), Self.transaction(4, original: 3, type: .nonConsumable),
        ]
        #expect(Restoration.restorable(transactions).map(\.id.rawValue) == [1, 2, 3])
    }

    @Test func `an ended free subscription isn't restored`() {
        var ended = Self.transaction(1, type: .free)
        ended.expiresDate = Instant(seconds: 1)
        #expect(Restoration.restorable([ended]).isEmpty)
    }

    private static func transaction(_ id: Int64, original: Int64? = nil, type: ProductType) -> Transaction {
        Transaction(
            id: TransactionID(rawValue: id), originalID: TransactionID(rawValue: original ?? id),
            accountID: Account.ID(rawValue: 1), productID: Product.ID(rawValue: "p\(type)"), type: type,
            purchaseDate: Instant(seconds: id), originalPurchaseDate: Instant(seconds: original ?? id),
            price: .zero(.usd), storefront: .usa, isFinished: true)
    }
}
