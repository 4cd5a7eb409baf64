import Perennial
import Testing

struct EntitlementRulesTests {
    /// A receipt with one purchase, and the expected access to an issue of some date at some time.
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
            rule: "refunded: published before the refund", expires: "2026-02-10", cancelled: "2026-01-25",
            published: "2026-01-20", isOpen: false),
        Case(
            rule: "refunded: published after the refund", expires: "2026-02-10", cancelled: "2026-01-15",
            published: "2026-01-20", isOpen: false),
        Case(
            rule: "refunded: undated, before its end", expires: "2026-02-10", cancelled: "2026-02-05",
            now: "2026-02-04",
            isOpen: false),
        Case(
            rule: "free, refunded: published while it ran", type: .free, cancelled: "2026-04-01",
            published: "2026-03-01", isOpen: false),
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
    func `the receipt decides about access`(_ row: Case) throws {
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

    @Test func `an issue is granted once, for the period of its publication`() throws {
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
        // Between the first and the third period there was no subscription.
        let periods = [
            try period(3, "2026-03-01", "2026-04-01"), try period(1, "2026-01-01", "2026-02-01"),
        ]
        let entitlements = EntitlementRules(contents: contents).entitlements(from: periods, at: try day("2026-12-01"))
        #expect(entitlements.map(\.contentID.rawValue) == ["2026-03-01", "2026-01-15"])
        #expect(entitlements.map(\.transactionID.rawValue) == [3, 1])
    }

    @Test func `a refund of one period keeps the content of the others`() throws {
        let monthly = Product.ID(rawValue: "monthly")
        func period(_ id: Int64, _ start: String, _ end: String, cancelled: String? = nil) throws -> VerifiedPurchase {
            VerifiedPurchase(
                productID: monthly, transactionID: TransactionID(rawValue: id), purchaseDate: try day(start),
                expiresDate: try day(end), cancellationDate: try cancelled.map(day), type: .autoRenewable)
        }
        let contents = try ["2026-01-15", "2026-02-15", "2026-03-15"].map {
            Content(
                id: Content.ID(rawValue: $0), unlockedBy: [], file: $0, published: try day($0), includedIn: [monthly])
        }
        let periods = [
            try period(1, "2026-01-01", "2026-02-01"),
            try period(2, "2026-02-01", "2026-03-01", cancelled: "2026-02-20"),
            try period(3, "2026-03-01", "2026-04-01"),
        ]
        let entitlements = EntitlementRules(contents: contents).entitlements(from: periods, at: try day("2026-12-01"))
        #expect(entitlements.map(\.contentID.rawValue) == ["2026-01-15", "2026-03-15"])
    }

    /// Periods as `DAY/DAY`, an upgraded one with a `^`, its cancellation date after an `x`.
    struct Upgrade: CustomTestStringConvertible {
        let rule: String
        let periods: [String]
        /// The expected content, by the number of the period that grants it.
        let opens: [String: Int]

        var testDescription: String { rule }
    }

    static let upgrades: [Upgrade] = [
        Upgrade(
            rule: "a replaced period ends where the upgrade began",
            periods: ["2026-01-01/2026-02-01 ^", "2026-01-10/2026-02-10"],
            opens: ["2026-01-05": 0, "2026-01-10": 1, "2026-01-20": 1]),
        Upgrade(
            rule: "also where the receipt says so itself",
            periods: ["2026-01-01/2026-02-01 ^ x 2026-01-10", "2026-01-10/2026-02-10"],
            opens: ["2026-01-05": 0, "2026-01-20": 1]),
        Upgrade(
            rule: "each of several ends where the next began",
            periods: ["2026-01-01/2026-02-01 ^", "2026-01-10/2026-02-10 ^", "2026-01-20/2026-02-20"],
            opens: ["2026-01-05": 0, "2026-01-15": 1, "2026-01-25": 2]),
        Upgrade(
            rule: "one charged ahead is over before it begins",
            periods: ["2026-01-01/2026-02-01 ^", "2026-02-01/2026-03-01 ^", "2026-01-31/2027-01-31"],
            opens: ["2026-01-30": 0, "2026-02-15": 2]),
        Upgrade(
            rule: "a refund of the replaced period is a refund",
            periods: ["2026-01-01/2026-02-01 ^ x 2026-01-25", "2026-01-10/2026-02-10"], opens: ["2026-01-20": 1]),
        Upgrade(
            rule: "a refund of the upgrade brings nothing back",
            periods: ["2026-01-01/2026-02-01 ^", "2026-01-10/2026-02-10 x 2026-01-20"], opens: ["2026-01-05": 0]),
        Upgrade(
            rule: "where the upgrade isn't listed, what the receipt says of it counts",
            periods: ["2026-01-01/2026-02-01 ^ x 2026-01-10"], opens: ["2026-01-05": 0]),
    ]

    @Test(arguments: upgrades)
    func `an upgraded period keeps its content up to the upgrade`(_ row: Upgrade) throws {
        let purchases = try row.periods.enumerated().map { index, text in
            let parts = text.split(separator: " ").map(String.init)
            let days = parts[0].split(separator: "/").map(String.init)
            let cancelled = parts.firstIndex(of: "x").map { parts[$0 + 1] }
            return VerifiedPurchase(
                productID: Product.ID(rawValue: "plan.\(index)"), transactionID: TransactionID(rawValue: Int64(index)),
                originalTransactionID: TransactionID(rawValue: 0), purchaseDate: try day(days[0]),
                expiresDate: try day(days[1]), cancellationDate: try cancelled.map(day),
                isUpgraded: parts.contains("^"), type: .autoRenewable)
        }
        let issues = ["2026-01-05", "2026-01-10", "2026-01-15", "2026-01-20", "2026-01-25", "2026-01-30", "2026-02-15"]
        let rules = EntitlementRules(
            contents: try issues.map {
                Content(
                    id: Content.ID(rawValue: $0), unlockedBy: [], file: $0, published: try day($0),
                    includedIn: purchases.map(\.productID))
            })
        for order in [purchases, purchases.reversed()] {
            let opened = rules.entitlements(from: order, at: try day("2026-12-01"))
            for (issue, period) in row.opens {
                #expect(
                    opened.first { $0.contentID.rawValue == issue }?.transactionID.rawValue == Int64(period), "\(issue)"
                )
            }
            if row.opens.count == 1, row.periods.count == 2 {
                #expect(opened.allSatisfy { row.opens.values.map(Int64.init).contains($0.transactionID.rawValue) })
            }
        }
    }

    @Test func `a term grants issues published in it, and undated content while it runs`() throws {
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

    @Test func `revoked purchases are listed`() throws {
        let bought = try day("2026-01-01")
        let purchases = ProductType.allCases.enumerated().map { index, type in
            VerifiedPurchase(
                productID: Product.ID(rawValue: type.rawValue), transactionID: TransactionID(rawValue: Int64(index)),
                purchaseDate: bought, expiresDate: bought, cancellationDate: bought, type: type)
        }
        let revoked = EntitlementRules.revoked(among: purchases)
        // Refused terms of non-renewing subscriptions are listed with the terms.
        #expect(
            revoked.map(\.productID.rawValue)
                == ProductType.allCases.filter { $0 != .nonRenewing }.map(\.rawValue))
        #expect(revoked.allSatisfy { $0.code == .revoked })
    }
}

/// Midnight UTC of a day.
func day(_ text: String) throws -> Instant {
    try #require(Instant(rfc3339: text.count == 10 ? "\(text)T00:00:00Z" : text))
}
