import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// The pages of customers and transactions, and the actions on them.
struct CustomerConsoleTests {
    private static func timeline(of page: Page) -> [TimelineEntry] { page.blocks.flatMap(entries) }

    private static func entries(_ block: Block) -> [TimelineEntry] {
        switch block {
        case .timeline(let entries): entries
        case .section(_, _, _, let blocks), .details(_, let blocks): blocks.flatMap(entries)
        case .columns(let columns): columns.flatMap { $0.flatMap(entries) }
        default: []
        }
    }

    @Test func `a customer's page tells what has happened, newest first`() async throws {
        let console = try await SellerConsole()
        let roll = try await console.shop.buy("film.roll", as: "ann")
        try await console.shop.buy("monthly", as: "ann")
        try await console.shop.refund(roll)
        let page = try await console.page("customers/ann")
        let texts = Self.timeline(of: page).map(\.text)
        let phrases = texts.compactMap { text -> Phrase? in
            if case .phrase(let phrase, _) = text { phrase } else { nil }
        }
        #expect(phrases == [TimelinePhrases.refunded, TimelinePhrases.subscribed, TimelinePhrases.bought])
        #expect(Self.timeline(of: page).allSatisfy { !$0.links.isEmpty && !$0.details.isEmpty })
        #expect(page.forms.contains { $0.path.hasSuffix("/customers/ann/buy") })
        let listed = try await console.page("customers", ["prefix": "a"])
        #expect(listed.tables.first?.rows.map { $0.cells[0].text } == [.data("ann")])
    }

    @Test func `figures of a customer are days`() async throws {
        let console = try await SellerConsole()
        let production = try await console.shop.environment("Production")
        let end = try #require(try await production.buy("monthly", as: "ann").expiresDate)
        let found = try await console.find("customers/ann", .page, in: production.store)
        guard case .page(let make) = found.route.handler else { throw TestStore.Missing(what: "page") }
        let figures = try await make(found.request).figures
        #expect(figures.first?.value == .day(end))
        guard case .list(let charge) = figures[1].value else { throw TestStore.Missing(what: "charge") }
        #expect(charge.last == .day(end))
    }

    @Test func `a transaction's page names what its forms show once`() async throws {
        let console = try await SellerConsole()
        let sold = try await console.shop.buy("film.roll", as: "ann")
        let found = try await console.find("transactions/\(sold.id)", .page)
        guard case .page(let make) = found.route.handler else { throw TestStore.Missing(what: "page") }
        let html = PageRenderer().html(try await make(found.request), for: found.request)
        #expect(html.ranges(of: TransactionPhrases.wire.english).count == 1)
    }

    @Test(arguments: Language.allCases)
    func `a transaction's page has its notifications with request and response`(language: Language) async throws {
        var console = try await SellerConsole(sender: RefusingReceiver())
        console.language = language
        try await console.shop.store.notifications.configure(
            NotificationSettings(url: "https://example.com/hook"), of: TestCatalog.bundleID)
        let sold = try await console.shop.buy("monthly", as: "ann")
        try await console.shop.store.notifications.sendDue()
        let found = try await console.find("transactions/\(sold.id)", .page)
        guard case .page(let make) = found.route.handler else { throw TestStore.Missing(what: "page") }
        let page = try await make(found.request)
        #expect(page.samples.contains { $0.text == "HTTP/1.1 503 Service Unavailable\n\nthe queue is full" })
        #expect(page.samples.contains { $0.text.hasPrefix(#"{"signedPayload":"#) })
        let uuid = try #require(
            try await console.shop.store.notifications.newest(of: TestCatalog.bundleID, limit: 1).first?.uuid)
        let html = PageRenderer().html(page, for: found.request)
        #expect(html.contains("/notifications/\(uuid)/send") && html.contains("notifications resend \(uuid)"))
        #expect(html.contains("subject=\(sold.originalID)"))
    }

    private struct RefusingReceiver: NotificationSender {
        func post(_ body: [UInt8], to url: String, timeout: Int64) async -> NotificationOutcome {
            NotificationOutcome(
                .unsuccessfulHTTPResponseCode, httpStatus: 503,
                response: NotificationRecord.Response(
                    statusLine: "HTTP/1.1 503 Service Unavailable", body: "the queue is full", isTruncated: false))
        }
    }

    @Test func `a product is bought, and what can't be bought is refused at its field`() async throws {
        let console = try await SellerConsole()
        try await console.shop.account("ann")
        let bought = try await console.send("customers/ann/buy", ["product": "film.roll", "quantity": "2"])
        #expect(bought.redirect?.hasSuffix("/customers/ann") == true)
        let list = try await console.page("transactions", ["account": "ann"])
        #expect(list.tables.first?.rows.count == 1)
        for values in [["product": "retired"], ["product": "none"], ["product": "film.roll", "quantity": "0"]] {
            let page = try #require(try await console.send("customers/ann/buy", values).page)
            #expect(page.status == 422)
            #expect(page.errors.keys.contains("product"))
        }
    }

    @Test func `a product is granted for nothing, with a reason for the audit log`() async throws {
        let console = try await SellerConsole()
        try await console.shop.account("ann", payment: .declined)
        let form = try #require(
            try await console.page("customers/ann").forms.first { $0.path.hasSuffix("/customers/ann/grant") })
        #expect(form.fields.map(\.name) == ["product", "quantity", "reason"])
        guard case .choice(let products)? = form.fields.first?.kind else { throw TestStore.Missing(what: "choice") }
        #expect(products.contains { $0.value == "film.roll" } && !products.contains { $0.value == "monthly" })
        let answer = try await console.send(
            "customers/ann/grant", ["product": "film.roll", "quantity": "2", "reason": "broken pictures"])
        #expect(answer.redirect?.hasSuffix("/customers/ann") == true)
        #expect(answer.audited == "grant film.roll ×2: broken pictures")
        let entries = try await console.shop.journal().map(\.entry)
        #expect(entries.map(\.kind) == [.purchased])
        #expect(entries.allSatisfy { $0.postings.isEmpty })
        let id = try #require(entries.first?.transactionID)
        let details = try await console.shop.store.transactions.details(of: id, in: TestCatalog.bundleID)
        #expect((details.transaction.price.milliunits, details.transaction.quantity) == (0, 2))
        let note = GrantNote(actor: .user("ann@example.com"), reason: "broken pictures")
        #expect(details.events.first?.grantNote == note)
        let line = try #require(Self.timeline(of: try await console.page("customers/ann")).first)
        let text = Text.phrase(
            TimelinePhrases.grantedFor, .data("film.roll"), .data("ann@example.com"), .data("broken pictures"))
        #expect(line.text == text)
    }

    @Test func `a grant without a reason or of a subscription is refused`() async throws {
        let console = try await SellerConsole()
        try await console.shop.account("ann")
        let refused: [[String: String]] = [
            ["product": "film.roll"], ["product": "film.roll", "reason": String(repeating: "x", count: 201)],
            ["product": "film.roll", "reason": "r", "quantity": "11"], ["product": "none", "reason": "r"],
            ["product": "monthly", "reason": "r"],
        ]
        for values in refused {
            let page = try #require(try await console.send("customers/ann/grant", values).page)
            #expect(page.status == 422)
            let form = try #require(page.forms.first { $0.path.hasSuffix("/grant") })
            let isOfReason = (values["reason"]?.count ?? 0) != 1
            #expect((form.error != nil) != isOfReason)
            #expect(page.errors.keys.contains("reason") == isOfReason)
        }
        #expect(try await console.shop.count("transactions") == 0)
    }

    @Test func `a refund is made once, reversed, and shown with sums of zero`() async throws {
        let console = try await SellerConsole()
        let sold = try await console.shop.buy("film.roll", as: "ann")
        let path = "transactions/\(sold.id)"
        let none = try #require(try await console.send("\(path)/refund", ["percentage": "0", "reason": "0"]).page)
        #expect(none.status == 422 && none.errors.keys.sorted() == ["percentage"])
        for values in [[:], ["reason": "7"]] {
            let unreasoned = try #require(try await console.send("\(path)/refund", values).page)
            #expect(unreasoned.status == 422 && unreasoned.errors.keys.sorted() == ["reason"])
        }
        #expect(try await console.send("\(path)/refund", ["reason": "1"]).redirect != nil)
        let again = try #require(try await console.send("\(path)/refund", ["reason": "1"]).page)
        #expect(again.status == 422)
        let details = try await console.shop.store.transactions.details(of: sold.id, in: TestCatalog.bundleID)
        #expect(details.state == .refunded)
        #expect(details.sums.map(\.amount.milliunits).reduce(0, +) == 0)
        #expect(details.events.map(\.entry.kind) == [.purchased, .refunded])
        for wire in ["transaction", "receipt", "storeKit1"] {
            let page = try await console.page(path, ["wire": wire])
            #expect(page.tables.contains { $0.rows.count > 5 }, "\(wire)")
        }
        #expect(try await console.send("\(path)/reverse-refund").redirect != nil)
    }

    @Test func `a subscription is cancelled, resumed and extended`() async throws {
        let console = try await SellerConsole()
        let id = try await console.shop.buy("monthly", as: "ann").originalID
        let path = "customers/ann/subscriptions/\(id)"
        func subscription() async throws -> Subscription {
            try await console.shop.store.subscriptions.snapshot(of: id).subscription
        }
        #expect(try await console.send("\(path)/renewal", ["enabled": "false"]).redirect != nil)
        #expect(try await subscription().autoRenewStatus == 0)
        #expect(try await console.send("\(path)/renewal", ["enabled": "true"]).redirect != nil)
        #expect(try await subscription().autoRenewStatus == 1)
        let end = try await subscription().paidUntil
        let refused = try #require(try await console.send("\(path)/extend", ["days": "91"]).page)
        #expect(refused.errors.keys.contains("days"))
        #expect(try await console.send("\(path)/extend", ["days": "7", "reason": "1"]).redirect != nil)
        #expect(try await subscription().paidUntil > end)
        let list = try await console.page("subscriptions/list", ["status": "1"])
        #expect(list.tables.first?.rows.count == 1)
        let page = try await console.page("transactions/\(id)", ["wire": "renewal"])
        #expect(!page.tables.isEmpty)
    }

    @Test(arguments: [true, false])
    func `an Ask to Buy request is answered once on the customer's page`(isApproved: Bool) async throws {
        let console = try await SellerConsole()
        let film = PurchaseRequest(productID: Product.ID(rawValue: "film.roll"), quantity: 1)
        try await console.shop.store.askToBuy.request(film, token: try await console.shop.signIn("child").token)
        let asked = try #require(
            try await console.shop.store.askToBuy.approvals(bundleID: TestCatalog.bundleID).first)
        let path = "customers/child/approvals/\(asked.id)"
        let found = try await console.find("customers/child", .page)
        guard case .page(let make) = found.route.handler else { throw TestStore.Missing(what: "page") }
        let html = PageRenderer().html(try await make(found.request), for: found.request)
        #expect(html.contains("/\(path)\"") && html.contains("ask-to-buy approve \(asked.id)"))
        let answer = try await console.send(path, ["approved": "\(isApproved)"])
        #expect(answer.redirect?.hasSuffix("/customers/child") == true)
        #expect(try await console.shop.count("transactions") == (isApproved ? 1 : 0))
        #expect(try await console.shop.store.askToBuy.approvals(bundleID: TestCatalog.bundleID).isEmpty)
        _ = try? await console.send(path, ["approved": "true"])
        #expect(try await console.shop.count("transactions") == (isApproved ? 1 : 0))
    }

    @Test func `a tester's history is cleared only with the name`() async throws {
        let console = try await SellerConsole()
        try await console.shop.buy("filter.amber", as: "ann")
        #expect(try await console.send("customers/ann/clear", ["confirmation": "bob"]).page?.status == 422)
        #expect(try await console.send("customers/ann/clear", ["confirmation": "ann"]).redirect != nil)
        #expect(Self.timeline(of: try await console.page("customers/ann")).isEmpty)
    }

    @Test func `a payment method is changed, and a failed renewal tried again`() async throws {
        let console = try await SellerConsole()
        let id = try await console.shop.buy("monthly", as: "ann").originalID
        #expect(try await console.send("customers/ann/payment", ["method": "declined"]).redirect != nil)
        try await console.shop.advance(by: .days(32))
        let failed = try await console.shop.store.subscriptions.snapshot(of: id).subscription
        #expect(failed.isInBillingRetry == true || failed.hasEnded)
        #expect(try await console.send("customers/ann/payment", ["method": "valid"]).redirect != nil)
    }

    @Test func `the command of a payment method retries each failed renewal as the form does`() async throws {
        let console = try await SellerConsole()
        let id = try await console.shop.buy("monthly", as: "ann").originalID
        let family = try await console.shop.buy("family.monthly", as: "ann").originalID
        func commands() async throws -> [String] {
            let page = try await console.page("customers/ann")
            let form = try #require(page.forms.first { $0.path.hasSuffix("/payment") })
            let same = try #require(form.same)
            return ([same] + same.further).map(\.command)
        }
        #expect(try await commands().map { $0.prefix(13) } == ["accounts edit"])
        try await console.shop.account("ann", payment: .declined)
        let now = try await console.shop.store.now()
        let renewal = try await console.shop.store.subscriptions.snapshot(of: id).subscription.paidUntil
        try await console.shop.advance(by: renewal - now + .seconds(2))
        #expect(try await Set(commands()) == Set([id, family].map { "payment-method accept \($0)" }))
    }

    @Test func `another app's and another customer's things aren't found`() async throws {
        let console = try await SellerConsole()
        let lens = try await console.shop.buy("lens", as: "ann", app: TestCatalog.otherBundleID)
        let monthly = try await console.shop.buy("monthly", as: "ann").originalID
        try await console.shop.account("bob")
        for path in ["transactions/\(lens.id)", "transactions/1", "transactions/x", "customers/zoe"] {
            await #expect(throws: ConsoleError.self) { try await console.page(path) }
        }
        for path in ["customers/bob/subscriptions/\(monthly)/renewal", "transactions/\(lens.id)/refund"] {
            await #expect(throws: ConsoleError.self) { try await console.send(path) }
        }
    }
}
