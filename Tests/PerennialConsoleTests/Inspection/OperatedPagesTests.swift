import AppStoreFormats
import Foundation
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import Synchronization
import TestSupport
import Testing

@testable import PerennialConsole

/// The URL of notifications, testers and the team on the console's pages.
struct OperatedPagesTests {
    private final class Receiver: NotificationSender {
        let status: Int
        let urls = Mutex<[String]>([])
        let bodies = Mutex<[[UInt8]]>([])

        init(status: Int) { self.status = status }

        func post(_ body: [UInt8], to url: String, timeout: Int64) async -> NotificationOutcome {
            urls.withLock { $0.append(url) }
            bodies.withLock { $0.append(body) }
            return status == 200
                ? NotificationOutcome(.success, httpStatus: status)
                : NotificationOutcome(.unsuccessfulHTTPResponseCode, httpStatus: status)
        }
    }

    @Test(arguments: [200, 500])
    func `a test notification is delivered, and its answer shown`(status: Int) async throws {
        let receiver = Receiver(status: status)
        let console = try await SellerConsole(sender: receiver)
        let choices = ["version": "2", "retries": NotificationSettings.Retries.appStore.rawValue]
        let wrong = choices.merging(["url": "ftp://example.com"]) { $1 }
        let refused = try #require(try await console.send("notification-url", wrong).page)
        #expect(refused.errors.keys.sorted() == ["url"] && refused.field("url")?.value == "ftp://example.com")
        let url = "https://example.com/app-store"
        let right = choices.merging(["url": url]) { $1 }
        let missing: [(String, String?)] = [("version", nil), ("version", "3"), ("retries", nil), ("retries", "often")]
        for (name, value) in missing {
            var fields = right
            fields[name] = value
            let page = try #require(try await console.send("notification-url", fields).page)
            #expect(page.status == 422 && page.errors.keys.sorted() == [name] && page.field("url")?.value == url)
        }
        #expect(try await console.send("notification-url", right).redirect != nil)
        #expect(try await console.page("notification-url").field("url")?.value == url)
        let path = try #require(try await console.send("notification-url/test").redirect)
        let uuid = String(path.split(separator: "=").last ?? "")
        try await console.shop.store.notifications.sendDue()
        #expect(receiver.urls.withLock { $0 } == [url])
        let page = try await console.page("notification-url", ["test": uuid])
        #expect(page.notices.first?.status == (status == 200 ? .good : .bad))
        #expect(try await console.send("notification-url/remove").redirect != nil)
        #expect(try await console.page("notification-url").field("url")?.value == "")
    }

    @Test(arguments: [NotificationSettings.Version.two, .one])
    func `a notification's page leads to its inspection, by its UUID`(
        version: NotificationSettings.Version
    ) async throws {
        var console = try await SellerConsole()
        try await console.shop.store.notifications.configure(
            NotificationSettings(url: "https://example.com/hook", version: version), of: TestCatalog.bundleID)
        let sold = try await console.shop.buy("monthly", as: "ann")
        let uuid = try #require(
            try await console.shop.store.notifications.newest(of: TestCatalog.bundleID, limit: 1).first?.uuid)
        func link(_ page: Page) -> Link? { page.blocks.flatMap(\.allLinks).first { $0.path.contains("/inspect") } }
        let page = try await console.page("notifications/\(uuid)")
        #expect(link(page)?.path.hasSuffix("/inspect?id=\(uuid)") == true)
        let inspected = try await console.page("inspect", ["id": uuid])
        #expect(inspected.field("text")?.value == uuid)
        #expect(inspected.checks.count > 1 && inspected.checks.allSatisfy { $0.outcome != .failed })
        #expect(inspected.blocks.flatMap(\.allLinks).contains { $0.path.hasSuffix("/transactions/\(sold.id)") })
        console.permissions = [.view]
        #expect(link(try await console.page("notifications/\(uuid)")) == nil)
    }

    @Test func `a notification of version 1 shows its body without the shared secret`() async throws {
        let receiver = Receiver(status: 200)
        let console = try await SellerConsole(sender: receiver)
        try await console.shop.store.notifications.configure(
            NotificationSettings(url: "https://example.com/hook", version: .one), of: TestCatalog.bundleID)
        let sold = try await console.shop.buy("monthly", as: "ann")
        let uuid = try #require(
            try await console.shop.store.notifications.newest(of: TestCatalog.bundleID, limit: 1).first?.uuid)
        try await console.shop.store.notifications.sendDue()
        let bodies = receiver.bodies.withLock { $0 }
        let posted = try #require(bodies.first)
        let shown = try #require(try await console.page("notifications/\(uuid)").samples.first { $0.text.first == "{" })
        #expect(shown.text.contains("\n  \"notification_type\" : \"INITIAL_BUY\""))
        #expect(shown.text.contains("\"transaction_id\" : \"\(sold.id)\""))
        var sent = try #require(try JSONSerialization.jsonObject(with: Data(posted)) as? [String: Any])
        var read = try #require(try JSONSerialization.jsonObject(with: Data(shown.text.utf8)) as? [String: Any])
        #expect(sent.removeValue(forKey: "password") as? String == TestCatalog.sharedSecret)
        #expect(read.removeValue(forKey: "password") as? String == "…")
        #expect(NSDictionary(dictionary: sent).isEqual(to: read))
        let inspected = try await console.page("inspect", ["id": uuid])
        #expect(!"\(inspected)".contains(TestCatalog.sharedSecret))
    }

    @Test func `a tester is made, changed and cleared`() async throws {
        let console = try await SellerConsole()
        let unknown = try #require(try await console.send("testers", ["account": "ann", "storefront": "XXX"]).page)
        #expect(unknown.status == 422 && unknown.errors.keys.sorted() == ["storefront"])
        #expect(unknown.field("account")?.value == "ann" && unknown.field("storefront")?.value == "XXX")
        let missing = try #require(try await console.send("testers", ["account": "ann"]).page)
        #expect(missing.status == 422 && missing.errors.keys.sorted() == ["storefront"])
        #expect(try await console.send("testers", ["account": "ann", "storefront": "deu"]).redirect != nil)
        let form = try await console.page("testers/ann")
        var values = try console.values(of: form, path: "testers/ann")
        #expect(values["storefront"] == "DEU")
        values.merge([
            "rate": "monthlyRenewalEveryHour", "paymentMethod": "declined", "firstName": "Ann", "asksToBuy": "on",
        ]) {
            $1
        }
        for name in ["storefront", "paymentMethod", "rate"] {
            for value in [nil, "nonsense"] {
                var wrong = values
                wrong[name] = value
                let page = try #require(try await console.send("testers/ann", wrong).page)
                #expect(page.status == 422 && page.errors.keys.sorted() == [name])
                #expect(page.field("firstName")?.value == "Ann")
            }
        }
        #expect(try await console.send("testers/ann", values).redirect != nil)
        let tester = try await console.shop.store.testers.tester(named: "ann")
        #expect(tester.account.renewalRate == .monthlyRenewalEveryHour)
        #expect(tester.account.paymentMethod == .declined && tester.firstName == "Ann")
        #expect(tester.account.canMakePayments && tester.account.asksToBuy)
        #expect(try await console.send("testers/ann/clear", ["confirmation": "ben"]).page?.status == 422)
        #expect(try await console.send("testers/ann/clear", ["confirmation": "ann"]).redirect != nil)
        #expect(try await console.shop.store.testers.tester(named: "ann").account.id != tester.account.id)
        #expect(try await console.page("testers").tables.first?.rows.count == 1)
    }

    @Test func `testers are listed in pages by name`() async throws {
        let console = try await SellerConsole()
        for number in 100..<155 { try await console.shop.account("tester\(number)") }
        let first = try #require(try await console.page("testers").tables.first)
        #expect(first.rows.count == 50 && first.next?.contains("after=tester149") == true)
        let second = try #require(try await console.page("testers", ["after": "tester149"]).tables.first)
        #expect(second.rows.count == 5 && second.next == nil && second.first != nil)
    }

    @Test func `a user is invited, accepted, changed and removed`() async throws {
        let console = try await SellerConsole()
        let person = ["email": "Uma@example.com", "firstName": "Uma", "lastName": "Urban"]
        #expect(try await console.send("team", person).page?.status == 422)
        #expect(try await console.send("team", person.merging(["role-DEVELOPER": "on"]) { $1 }).redirect != nil)
        let invitation = try #require(try await console.shop.keys.team.read { try $0.invitations() }.first)
        #expect(try await console.send("team/invitations/accept", ["id": invitation.id]).redirect != nil)
        let user = try await console.shop.keys.team.read { try $0.found("uma@example.com") }
        var values = try console.values(of: try await console.page("team/\(user.id)"), path: "team/\(user.id)")
        values["role-SALES"] = "on"
        #expect(try await console.send("team/\(user.id)", values).redirect != nil)
        let changed = try await console.shop.keys.team.read { try $0.found("uma@example.com") }
        let link = try #require(try await console.send("team/\(user.id)/password-link").page?.samples.first?.text)
        #expect(link.hasPrefix("/console/password?code="))
        #expect(changed.access.roles == [.developer, .sales] && changed.access.allAppsVisible)
        #expect(try await console.send("team/\(user.id)/remove", ["confirmation": "uma"]).page?.status == 422)
        #expect(try await console.send("team/\(user.id)/remove", ["confirmation": "uma@example.com"]).redirect != nil)
        #expect(try await console.shop.keys.team.read { try $0.users() }.isEmpty)
    }

    @Test func `each page is rendered in each language`() async throws {
        var console = try await SellerConsole()
        try await console.shop.account("ann")
        for language in Language.allCases {
            console.language = language
            for path in [
                "inspect", "keys", "secret", "certificates", "notification-url", "testers", "testers/ann", "team",
            ] {
                let found = try await console.find(path, .page)
                let html = PageRenderer().html(try await console.page(path), for: found.request)
                #expect(html.contains("</html>"), "\(path)")
            }
        }
    }
}
