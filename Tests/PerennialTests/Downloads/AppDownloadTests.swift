import Testing

@testable import Perennial

/// Downloads, re-downloads and updates of an app.
struct AppDownloadTests {
    private static let phone = "A1010203-0405-0607-0809-0A0B0C0D0E0F"

    struct Case: Sendable, CustomTestStringConvertible {
        var known: String?
        var isInstalled = true
        var hasDownloaded: Bool
        var version: String
        var kind: AppDownload.Kind?

        var testDescription: String {
            "\(version) where \(known ?? "nothing") \(isInstalled ? "is" : "was"), downloaded before: \(hasDownloaded)"
        }
    }

    static let cases = [
        Case(hasDownloaded: false, version: "1.0", kind: .downloaded),
        Case(hasDownloaded: true, version: "1.0", kind: .redownloaded),
        Case(known: "1.0", hasDownloaded: true, version: "1.0", kind: nil),
        Case(known: "1.0", hasDownloaded: true, version: "1.0.0", kind: nil),
        Case(known: "1.0", hasDownloaded: true, version: "1.1", kind: .updated),
        Case(known: "1.9", hasDownloaded: true, version: "1.10", kind: .updated),
        Case(known: "2.0", hasDownloaded: true, version: "1.9", kind: nil),
        Case(known: "1.0", isInstalled: false, hasDownloaded: true, version: "1.0", kind: .redownloaded),
        Case(known: "2.0", isInstalled: false, hasDownloaded: true, version: "1.0", kind: .redownloaded),
    ]

    @Test(arguments: cases)
    func `a download's kind follows from what the device and the account had`(_ example: Case) throws {
        let download = try Self.decide(example, of: Self.app(price: 2990))
        #expect(download?.kind == example.kind)
        #expect(download.map { $0.price.milliunits } == example.kind.map { $0 == .downloaded ? 2990 : 0 })
    }

    @Test(arguments: ["USA": "USD 2.99", "DEU": "EUR 3.49", "JPN": "JPY 3"])
    func `a paid app costs the storefront's price`(code: String, price: String) throws {
        var account = Self.account
        account.storefront = Storefront(rawValue: code)
        let euros = Money(milliunits: 3490, .eur)
        let app = Self.app(price: 2990, prices: [Storefront(rawValue: "DEU"): euros])
        let download = try #require(try Self.decide(Self.cases[0], of: app, by: account))
        #expect(download.price.description == price)
        let entry = download.entry(at: Instant(seconds: 0), by: account.id, in: app)
        #expect(entry.kind == .appDownloaded)
        #expect(entry.postings.balances)
        #expect(entry.postings.first { $0.account == .customer }?.amount.milliunits == -download.price.milliunits)
        #expect(entry.facts?.storefront == account.storefront)
        #expect(entry.facts?.appVersion == "1.0")
        #expect(entry.facts?.device == .iPhone)
    }

    @Test func `a free app moves no money, and the payment method doesn't matter`() throws {
        var account = Self.account
        account.paymentMethod = .declined
        account.canMakePayments = false
        let download = try #require(try Self.decide(Self.cases[0], of: Self.app(price: nil), by: account))
        #expect(download.entry(at: Instant(seconds: 0), by: account.id, in: Self.app(price: nil)).postings.isEmpty)
    }

    @Test func `a paid app that the account can't pay is refused`() throws {
        var declined = Self.account
        declined.paymentMethod = .declined
        var forbidden = Self.account
        forbidden.canMakePayments = false
        for (account, code) in [(declined, PurchaseRefusal.Code.paymentDeclined), (forbidden, .paymentsNotAllowed)] {
            do {
                _ = try Self.decide(Self.cases[0], of: Self.app(price: 2990), by: account)
                Issue.record("it was downloaded")
            } catch let refusal as PurchaseRefusal {
                #expect(refusal.code == code)
            }
            // Only the first download is paid for.
            #expect(try Self.decide(Self.cases[1], of: Self.app(price: 2990), by: account)?.kind == .redownloaded)
        }
    }

    @Test(arguments: [
        ("2", "1", true), ("1", "2", false), ("1.10", "1.9", true), ("1.0", "1", false), ("1.0.1", "1", true),
        ("2.0b", "2.0a", true), ("", "", false), ("99999999999999999999", "1", true),
    ])
    func `versions are compared by their numbers`(one: String, other: String, isNewer: Bool) {
        #expect(AppInstallation.isNewer(one, than: other) == isNewer)
    }

    @Test func `an app is downloaded first only where it is offered, and updated anywhere`() throws {
        var app = Self.app(price: nil)
        try app.setAvailability([Storefront(rawValue: "DEU")], includesNew: true)
        let new = AppInstallation(device: Self.phone, family: .iPhone, version: "2.0")
        let old = AppInstallation(device: Self.phone, family: .iPhone, version: "1.0")
        func decide(known: AppInstallation?, hasDownloaded: Bool) throws -> AppDownload? {
            try AppDownload.decide(new, known: known, hasDownloaded: hasDownloaded, of: app, by: Self.account)
        }
        #expect(throws: PurchaseRefusal.self) { try decide(known: nil, hasDownloaded: false) }
        #expect(try decide(known: nil, hasDownloaded: true)?.kind == .redownloaded)
        #expect(try decide(known: old, hasDownloaded: true)?.kind == .updated)
    }

    @Test func `the kinds of downloads are kinds of the journal`() {
        for kind in AppDownload.Kind.allCases {
            #expect(JournalEntry.Kind(rawValue: kind.entry.rawValue) == kind.entry)
            #expect(JournalEntry.Kind.allCases.contains(kind.entry))
        }
    }

    private static let account = Account(
        id: Account.ID(rawValue: 7), name: "ann", storefront: .usa, created: Instant(seconds: 0))

    private static func app(price: Int64?, prices: [Storefront: Money] = [:]) -> App {
        App(
            bundleID: App.BundleID(rawValue: "com.example.camera"), appleID: 1, name: "Camera",
            price: price.map { AppPrice(Money(milliunits: $0, .usd), prices: prices) }, products: [])
    }

    private static func decide(
        _ example: Case, of app: App, by account: Account = account
    ) throws -> AppDownload? {
        let known = example.known.map {
            AppInstallation(device: phone, family: .iPhone, version: $0, isInstalled: example.isInstalled)
        }
        return try AppDownload.decide(
            AppInstallation(device: phone, family: .iPhone, version: example.version), known: known,
            hasDownloaded: example.hasDownloaded, of: app, by: account)
    }
}
