import Perennial
import Testing

/// Rows of Sales and Trends for each kind of journal entry (docs/reference/report-files.md).
struct SalesClassificationTests {
    private static let app = App(
        bundleID: App.BundleID(rawValue: "com.example.magazine"), appleID: 1_234_567, name: "Magazine",
        products: [
            Product(
                id: Product.ID(rawValue: "monthly"), type: .autoRenewable, referenceName: "Monthly",
                basePrice: usd(4990),
                subscription: Product.Subscription(groupID: "magazine", level: 1, period: .month))
        ])
    private static let now = Instant(milliseconds: 1_800_000_000_000)

    private static func usd(_ milliunits: Int64) -> Money { Money(milliunits: milliunits, .usd) }

    private static func transaction(
        _ product: String, _ type: ProductType, quantity: Int = 1, price: Int64,
        ownership: Transaction.Ownership = .purchased, reason: Transaction.Reason = .purchase,
        offer: AppliedOffer? = nil, storefront: Storefront = .usa
    ) -> Transaction {
        Transaction(
            id: TransactionID(rawValue: 7), originalID: TransactionID(rawValue: 5),
            accountID: Account.ID(rawValue: 3), productID: Product.ID(rawValue: product), type: type,
            quantity: quantity,
            purchaseDate: now, originalPurchaseDate: now, price: usd(price), storefront: storefront,
            ownership: ownership, reason: reason, offer: offer)
    }

    /// A sale: 30 % commission, and what else is tax.
    private static func sale(_ price: Int64, proceeds: Int64, commission: Int64, tax: Int64 = 0) -> [Posting] {
        [
            Posting(.customer, usd(-price)), Posting(.proceeds, usd(proceeds)), Posting(.commission, usd(commission)),
            Posting(.tax, usd(tax)),
        ]
    }

    private static func totals(
        _ kind: JournalEntry.Kind, _ transaction: Transaction, _ postings: [Posting] = [], facts: SaleFacts? = nil,
        refunding: SaleFacts? = nil
    ) -> [SalesTotal] {
        var entry = JournalEntry(kind, at: now, transaction, postings: postings)
        entry.facts = facts
        return SalesTotal.totals(of: entry, transaction, refunding: refunding, in: app)
    }

    /// A row as a test compares it: type, units, price, proceeds, tax, commission.
    private static func row(_ total: SalesTotal) -> String {
        let key = total.key
        return
            "\(key.type.rawValue) \(total.units) × \(key.customerPrice.milliunits) \(key.proceeds.milliunits) "
            + "\(key.tax.milliunits) \(key.commission.milliunits)"
    }

    @Test func `a sale has the amounts of one unit`() {
        let film = Self.transaction("film", .consumable, quantity: 3, price: 2970)
        let rows = Self.totals(.purchased, film, Self.sale(2970, proceeds: 2100, commission: 870))
        #expect(rows.map(Self.row) == ["IA1 3 × 990 700 0 290"])
    }

    @Test func `amounts that don't divide are two rows with the exact sum`() {
        let film = Self.transaction("film", .consumable, quantity: 3, price: 1000)
        let rows = Self.totals(.purchased, film, Self.sale(1000, proceeds: 701, commission: 299))
        #expect(rows.map(Self.row) == ["IA1 2 × 333 233 0 99", "IA1 1 × 334 235 0 101"])
        #expect(rows.reduce(0) { $0 + $1.units * $1.key.proceeds.milliunits } == 701)
        #expect(rows.reduce(0) { $0 + $1.units * $1.key.commission.milliunits } == 299)
    }

    @Test func `a refund has negative units, a negative price and positive proceeds`() {
        let film = Self.transaction("film", .consumable, quantity: 2, price: 1980)
        let postings = Self.sale(1980, proceeds: 1400, commission: 580).reversed
        #expect(Self.totals(.refunded, film, postings).map(Self.row) == ["IA1 -2 × -990 700 0 290"])
    }

    @Test func `a partial refund has the refunded share`() {
        let month = Self.transaction("monthly", .autoRenewable, price: 4990, reason: .renewal)
        let postings = Self.sale(2495, proceeds: 1746, commission: 749).reversed
        let rows = Self.totals(.subscription(.subscriptionRefunded), month, postings)
        #expect(rows.map(Self.row) == ["IAY -1 × -2495 1746 0 749"])
        #expect(rows.first?.key.subscription == .renewal)
        #expect(rows.first?.key.isRefund == true)
    }

    @Test func `the prorated refund of an upgrade is a refund of the old product`() {
        let month = Self.transaction("monthly", .autoRenewable, price: 4990)
        let postings = Self.sale(1000, proceeds: 700, commission: 300).reversed
        let rows = Self.totals(.subscription(.upgradeRefunded), month, postings)
        #expect(rows.map(Self.row) == ["IAY -1 × -1000 700 0 300"])
        #expect(rows.first?.key.subscription == .new)
        #expect(rows.first?.key.period == .month)
    }

    @Test func `a refund's reversal is a sale again`() {
        let film = Self.transaction("film", .consumable, price: 990)
        let postings = Self.sale(990, proceeds: 700, commission: 290)
        #expect(Self.totals(.purchaseRefundReversed, film, postings).map(Self.row) == ["IA1 1 × 990 700 0 290"])
        let month = Self.transaction("monthly", .autoRenewable, price: 990)
        #expect(
            Self.totals(.subscription(.subscriptionRefundReversed), month, postings).map(Self.row)
                == ["IAY 1 × 990 700 0 290"])
    }

    @Test func `free purchases count at price 0`() {
        let film = Self.transaction("film", .consumable, price: 0)
        #expect(Self.totals(.purchased, film).map(Self.row) == ["IA1 1 × 0 0 0 0"])
        let trial = Self.transaction(
            "monthly", .autoRenewable, price: 0,
            offer: AppliedOffer(kind: .introductory, id: nil, paymentMode: .freeTrial, period: .week))
        let rows = Self.totals(.subscription(.subscribed), trial)
        #expect(rows.map(Self.row) == ["IAY 1 × 0 0 0 0"])
        #expect(rows.first?.key.promoCode == "")
        // Nothing came back.
        #expect(Self.totals(.refunded, film).isEmpty)
    }

    @Test func `a family member's share is no sale`() {
        let shared = Self.transaction("monthly", .autoRenewable, price: 0, ownership: .familyShared)
        #expect(Self.totals(.subscription(.subscribed), shared).isEmpty)
        #expect(Self.totals(.shared, shared).isEmpty)
        #expect(Self.totals(.sharingEnded, shared).isEmpty)
    }

    @Test func `an owned non-consumable bought again is restored`() {
        let filter = Self.transaction("filter", .nonConsumable, price: 0)
        #expect(Self.totals(.boughtAgain, filter).map(Self.row) == ["IA3 1 × 0 0 0 0"])
        let news = Self.transaction("news", .free, price: 0)
        #expect(Self.totals(.boughtAgain, news).map(Self.row) == ["IAC 1 × 0 0 0 0"])
    }

    @Test(arguments: [
        JournalEntry.Kind.finished, .purchaseRefundRequested, .purchaseRefundDeclined, .freeSubscriptionEnded,
        .subscription(.expired), .subscription(.autoRenewDisabled), .subscription(.offerRedeemed),
        .subscription(.downgradeScheduled), .subscription(.refundRequested), .subscription(.renewalExtended),
    ])
    func `events without a sale add nothing`(kind: JournalEntry.Kind) {
        #expect(Self.totals(kind, Self.transaction("monthly", .autoRenewable, price: 4990)).isEmpty)
    }

    @Test(arguments: [
        (DomainEvent.Kind.subscribed, Transaction.Reason.purchase, SalesKey.SubscriptionSale.new),
        (.resubscribed, .purchase, .new), (.upgraded, .purchase, .new), (.upgradedWithOffer, .purchase, .new),
        (.renewed, .renewal, .renewal), (.recovered, .renewal, .renewal),
    ])
    func `a subscription is new or renewed`(
        event: DomainEvent.Kind, reason: Transaction.Reason, expected: SalesKey.SubscriptionSale
    ) {
        let month = Self.transaction("monthly", .autoRenewable, price: 4990, reason: reason)
        let rows = Self.totals(.subscription(event), month, Self.sale(4990, proceeds: 3493, commission: 1497))
        #expect(rows.map(Self.row) == ["IAY 1 × 4990 3493 0 1497"])
        #expect(rows.first?.key.subscription == expected)
        #expect(rows.first?.key.period == .month)
    }

    @Test func `a refund has the facts of its sale`() {
        let facts = SaleFacts(device: .iPad, proceedsReason: .rateAfterOneYear, isPricePreserved: true)
        let month = Self.transaction("monthly", .autoRenewable, price: 4990, reason: .renewal)
        let postings = Self.sale(4990, proceeds: 4241, commission: 749)
        let sold = Self.totals(.subscription(.renewed), month, postings, facts: facts)
        let back = Self.totals(.subscription(.subscriptionRefunded), month, postings.reversed, refunding: facts)
        for rows in [sold, back] {
            #expect(rows.first?.key.device == .iPad)
            #expect(rows.first?.key.proceedsReason == .rateAfterOneYear)
            #expect(rows.first?.key.isPricePreserved == true)
            // Only rows of the app itself have a version.
            #expect(rows.first?.key.version == "")
        }
    }

    @Test(arguments: [
        (ProductType.consumable, "IA1", "IA1-M"), (.nonConsumable, "IA1", "IA1-M"), (.nonRenewing, "IA9", "IA9-M"),
        (.autoRenewable, "IAY", "IAY-M"), (.free, "IAC", "IAC-M"),
    ])
    func `a Mac's products have codes of their own`(type: ProductType, code: String, onMac: String) {
        for device in DeviceFamily.allCases {
            #expect(ProductTypeIdentifier(type, on: device).rawValue == (device == .desktop ? onMac : code))
        }
        #expect(ProductTypeIdentifier(type, on: nil).rawValue == code)
    }

    @Test func `a code for a product that doesn't renew is a promo code`() {
        let code = AppliedOffer(kind: .code, id: "gift", paymentMode: .oneTime, period: nil)
        let film = Self.transaction("film", .consumable, price: 0, offer: code)
        #expect(Self.totals(.purchased, film).first?.key.promoCode == "CR-RW")
    }

    @Test func `an included tax is part of the price`() {
        let film = Self.transaction("film", .consumable, price: 1190)
        let rows = Self.totals(.purchased, film, Self.sale(1190, proceeds: 700, commission: 300, tax: 190))
        #expect(rows.map(Self.row) == ["IA1 1 × 1190 700 190 300"])
    }

    @Test(arguments: [
        (JournalEntry.Kind.appDownloaded, DeviceFamily.iPhone, "1F"), (.appDownloaded, .desktop, "F1"),
        (.appRedownloaded, .iPad, "3F"), (.appRedownloaded, .desktop, "F3"), (.appUpdated, .appleVision, "7F"),
        (.appUpdated, .desktop, "F7"), (.appDownloaded, .appleTV, "1"), (.appUpdated, .appleTV, "7"),
    ])
    func `a download of the app has its version, device and storefront`(
        kind: JournalEntry.Kind, device: DeviceFamily, type: String
    ) {
        let facts = SaleFacts(device: device, appVersion: "2.1", storefront: Storefront(rawValue: "DEU"))
        let entry = JournalEntry(kind, at: Self.now, accountID: Account.ID(rawValue: 3), facts: facts)
        let rows = SalesTotal.totals(of: entry, nil, refunding: nil, in: Self.app)
        #expect(rows.map(Self.row) == ["\(type) 1 × 0 0 0 0"])
        #expect(rows.first?.key.version == "2.1")
        #expect(rows.first?.key.device == device)
        #expect(rows.first?.key.product == nil)
        #expect(rows.first?.key.storefront.rawValue == "DEU")
        #expect(rows.first?.key.customerPrice.currency == .eur)
    }

    @Test func `a paid download has its money`() {
        let entry = JournalEntry(
            .appDownloaded, at: Self.now, accountID: Account.ID(rawValue: 3),
            postings: Self.sale(990, proceeds: 700, commission: 290), facts: SaleFacts(storefront: .usa))
        let rows = SalesTotal.totals(of: entry, nil, refunding: nil, in: Self.app)
        #expect(rows.map(Self.row) == ["1F 1 × 990 700 0 290"])
    }

    @Test func `a tax on top isn't part of the price`() {
        let film = Self.transaction("film", .consumable, quantity: 2, price: 1980)
        let postings = Self.sale(2138, proceeds: 1386, commission: 594, tax: 158)
        #expect(Self.totals(.purchased, film, postings).map(Self.row) == ["IA1 2 × 990 693 79 297"])
        #expect(Self.totals(.refunded, film, postings.reversed).map(Self.row) == ["IA1 -2 × -990 693 79 297"])
        // Half of it: that tax is added in the United States, the app's terms say.
        let half = Self.sale(1069, proceeds: 693, commission: 297, tax: 79).reversed
        let month = Self.transaction("monthly", .autoRenewable, price: 1980)
        #expect(
            Self.totals(.subscription(.subscriptionRefunded), month, half).map(Self.row)
                == ["IAY -1 × -990 693 79 297"])
    }
}
