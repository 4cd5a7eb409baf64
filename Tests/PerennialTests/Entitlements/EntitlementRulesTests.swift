import Perennial
import Testing

struct EntitlementRulesTests {
    /// A receipt with one purchase, and whether an issue of some date is open at some time.
    struct Case: CustomTestStringConvertible {
        let rule: String
        var type = ProductType.autoRenewable
        var bought = "2026-01-10"
        var expires: String?
        var cancelled: String?
        var published: String?
        var unlocks = false
        var now = "2026-06-01"
        let isOpen: Bool

        var testDescription: String { rule }
    }

    static let cases: [Case] = [
        Case(rule: "published in the paid period", expires: "2026-02-10", published: "2026-01-20", isOpen: true),
        Case(rule: "published as the period begins", expires: "2026-02-10", published: "2026-01-10", isOpen: true),
        Case(rule: "published as the period ends", expires: "2026-02-10", published: "2026-02-10", isOpen: false),
        Case(rule: "published before the period", expires: "2026-02-10", published: "2026-01-09", isOpen: false),
        Case(
            rule: "published tomorrow", expires: "2026-02-10", published: "2026-01-20", now: "2026-01-19", isOpen: false
        ),
        Case(
            rule: "published before the cancellation", expires: "2026-02-10", cancelled: "2026-01-25",
            published: "2026-01-20",
            isOpen: true),
        Case(
            rule: "published after the cancellation", expires: "2026-02-10", cancelled: "2026-01-15",
            published: "2026-01-20",
            isOpen: false),
        Case(rule: "undated, subscribed", expires: "2026-02-10", now: "2026-02-09", isOpen: true),
        Case(rule: "undated, subscription ended", expires: "2026-02-10", now: "2026-02-10", isOpen: false),
        Case(rule: "undated, not yet begun", expires: "2026-02-10", now: "2026-01-09", isOpen: false),
        Case(rule: "a paid period without an end is a doubt", published: "2026-01-20", isOpen: false),
        Case(rule: "unlocked while subscribed", expires: "2026-02-10", unlocks: true, now: "2026-02-09", isOpen: true),
        Case(rule: "unlocked, subscription ended", expires: "2026-02-10", unlocks: true, isOpen: false),
        Case(rule: "free: published since", type: .free, published: "2026-05-01", isOpen: true),
        Case(rule: "free: published before", type: .free, published: "2026-01-01", isOpen: false),
        Case(
            rule: "free: published after it ended", type: .free, expires: "2026-04-01", published: "2026-05-01",
            isOpen: false),
        Case(
            rule: "free: published while it ran", type: .free, expires: "2026-04-01", published: "2026-03-01",
            isOpen: true),
        Case(rule: "non-consumable", type: .nonConsumable, unlocks: true, isOpen: true),
        Case(
            rule: "non-consumable, refunded", type: .nonConsumable, cancelled: "2026-03-01", unlocks: true,
            isOpen: false),
        Case(rule: "consumable in the receipt", type: .consumable, unlocks: true, isOpen: true),
        Case(rule: "consumable, refunded", type: .consumable, cancelled: "2026-03-01", unlocks: true, isOpen: false),
        Case(rule: "non-renewing opens nothing by itself", type: .nonRenewing, unlocks: true, isOpen: false),
    ]

    @Test(arguments: cases)
    func `access follows what the receipt proves`(_ row: Case) throws {
        let product = Product.ID(rawValue: "product")
        let purchase = VerifiedPurchase(
            productID: product, transactionID: TransactionID(rawValue: 7), purchaseDate: try day(row.bought),
            expiresDate: try row.expires.map(day), cancellationDate: try row.cancelled.map(day), type: row.type)
        let content = Content(
            id: Content.ID(rawValue: "issue"), unlockedBy: row.unlocks ? [product] : [], file: "issue",
            published: try row.published.map(day), includedIn: row.unlocks ? [] : [product])
        let entitlements = EntitlementRules(contents: [content]).entitlements(from: [purchase], at: try day(row.now))
        let expected = Entitlement(contentID: content.id, productID: product, transactionID: TransactionID(rawValue: 7))
        #expect(entitlements == (row.isOpen ? [expected] : []))
    }

    @Test func `an issue belongs to the period that ran when it was published, in the seller's order, once`() throws {
        let monthly = Product.ID(rawValue: "monthly")
        func period(_ id: Int64, _ start: String, _ end: String) throws -> VerifiedPurchase {
            VerifiedPurchase(
                productID: monthly, transactionID: TransactionID(rawValue: id), purchaseDate: try day(start),
                expiresDate: try day(end), type: .autoRenewable)
        }
        func issue(_ date: String) throws -> Content {
            Content(
                id: Content.ID(rawValue: date), unlockedBy: [], file: date, published: try day(date),
                includedIn: [monthly])
        }
        let contents = [try issue("2026-03-01"), try issue("2026-01-15"), try issue("2026-02-15")]
        // Between the first and the third period the customer was no subscriber.
        let periods = [
            try period(3, "2026-03-01", "2026-04-01"), try period(1, "2026-01-01", "2026-02-01"),
        ]
        let entitlements = EntitlementRules(contents: contents).entitlements(from: periods, at: try day("2026-12-01"))
        #expect(entitlements.map(\.contentID.rawValue) == ["2026-03-01", "2026-01-15"])
        #expect(entitlements.map(\.transactionID.rawValue) == [3, 1])
    }

    @Test func `a term opens what was published while it ran, and what is undated while it runs`() throws {
        let pass = Product.ID(rawValue: "pass.1month")
        let term = NonRenewingTerm(
            productID: pass, transactionID: TransactionID(rawValue: 4), start: try day("2026-01-01"),
            end: try day("2026-02-01"))
        let contents = [
            Content(
                id: Content.ID(rawValue: "in"), unlockedBy: [], file: "a", published: try day("2026-01-31"),
                includedIn: [pass]),
            Content(
                id: Content.ID(rawValue: "out"), unlockedBy: [], file: "b", published: try day("2026-02-01"),
                includedIn: [pass]),
            Content(id: Content.ID(rawValue: "archive"), unlockedBy: [], file: "c", includedIn: [pass]),
        ]
        let rules = EntitlementRules(contents: contents)
        func open(_ now: String) throws -> [String] {
            rules.entitlements(from: [], terms: [term], at: try day(now)).map(\.contentID.rawValue)
        }
        #expect(try open("2026-01-31") == ["in", "archive"])
        #expect(try open("2026-02-01") == ["in"])
    }

    @Test func `what was taken back is named, but not a cut period of a subscription`() throws {
        let bought = try day("2026-01-01")
        let purchases = ProductType.allCases.enumerated().map { index, type in
            VerifiedPurchase(
                productID: Product.ID(rawValue: type.rawValue), transactionID: TransactionID(rawValue: Int64(index)),
                purchaseDate: bought, expiresDate: bought, cancellationDate: bought, type: type)
        }
        let revoked = EntitlementRules.revoked(among: purchases)
        #expect(revoked.map(\.productID.rawValue) == ["consumable", "nonConsumable"])
        #expect(revoked.allSatisfy { $0.code == .revoked })
    }
}

/// Midnight UTC of a day.
func day(_ text: String) throws -> Instant {
    try #require(Instant(rfc3339: text.count == 10 ? "\(text)T00:00:00Z" : text))
}
