import AppStoreFormats
import Perennial
import PerennialStore
import TestSupport
import Testing

@testable import PerennialCommand

/// Every row of the page of states leads where it says.
struct StatesPageTests {
    private static let app = "com.example.magazine"

    @Test(arguments: try StatesPage.shared.get().rows)
    func `the commands of a row lead to its state`(row: StatesPage.Row) async throws {
        for way in row.ways {
            try await RunningStore.run(app: Self.magazine) { store in
                let before = try await Lab(store)
                let lab = try await before.doing(way, refusal: row.refusal)
                try await lab.expect(row, before)
            }
        }
    }

    @Test func `the page begins with a purchase in an environment of its own`() throws {
        let page = try StatesPage.shared.get()
        #expect(page.preparations.count == 3)
        #expect(page.rows.count > 30)
    }

    /// The magazine, its monthly subscription shareable.
    private static var magazine: App {
        var app = TestCatalog.magazine()
        for place in app.products.indices where app.products[place].id.rawValue == "monthly" {
            app.products[place].isFamilyShareable = true
        }
        return app
    }

    /// The environment of the page, with the page's purchase.
    private struct Lab {
        let store: RunningStore
        let id: String
        let notified: [JSONValue]
        let transactions: Int64
        /// The number that the last command listed or made.
        var number = ""

        init(_ store: RunningStore) async throws {
            let lines = try StatesPage.shared.get().preparations
            self.store = store
            _ = try await Self.run(lines[0], store)
            _ = try await Self.run("notifications set http://127.0.0.1:1/hook --environment lab", store)
            let bought = try await Self.run(lines[1], store)
            id = try #require(try JSONValue(bought.json)["transactionId"]?.text)
            notified = try await Self.notifications(store)
            transactions = try await store.shop.count("transactions")
        }

        private init(_ lab: Lab, notified: [JSONValue], transactions: Int64, number: String) {
            (store, id) = (lab.store, lab.id)
            (self.notified, self.transactions, self.number) = (notified, transactions, number)
        }

        static func run(_ line: String, _ store: RunningStore) async throws -> Report {
            try await RunningStore.run(line.split(separator: " ").map(String.init) + store.access)
        }

        private static func notifications(_ store: RunningStore) async throws -> [JSONValue] {
            let list = try await run("notifications list --limit 200 --environment lab", store)
            return try #require(try JSONValue(list.json)["notifications"]?.elements)
        }

        /// - Parameter refusal: With which word the last command is refused.
        func doing(_ steps: [String], refusal: String?) async throws -> Lab {
            var number = ""
            for (place, step) in steps.enumerated() {
                if step == "the app asks" {
                    try await ask()
                    continue
                }
                let words = step.replacing("NUMBER", with: number).replacing("ID", with: id)
                    .replacing("APP", with: app)
                if let refusal, place == steps.count - 1 {
                    await #expect {
                        _ = try await Self.run("\(words) --environment lab", store)
                    } throws: { error in
                        (error as? StoreClientError)?.subject == refusal
                    }
                    continue
                }
                let report: Report
                do {
                    report = try await Self.run("\(words) --environment lab", store)
                } catch let error as StoreClientError where error.subject == "purchaseInterrupted" {
                    // What is interrupted is resolved by the next.
                    continue
                }
                number = Self.number(in: try? JSONValue(report.json)) ?? number
            }
            return Lab(
                self, notified: try await Self.notifications(store),
                transactions: try await store.shop.count("transactions"), number: number)
        }

        private static func number(in answer: JSONValue?) -> String? {
            let listed = answer?["approvals"] ?? answer?["interruptions"]
            return listed?.elements?.first?["id"]?.text ?? answer?["id"]?.text
        }

        private func ask() async throws {
            _ = try await Self.run("accounts create child --password secret --environment lab", store)
            let lab = try await store.shop.environment("lab")
            let token = try await lab.store.accounts.signIn(
                account: "child", password: "secret", deviceID: TestDevice.phone.id, bundleID: TestCatalog.bundleID,
                applicationVersion: "2.1"
            ).token
            try await lab.store.askToBuy.request(
                PurchaseRequest(productID: Product.ID(rawValue: "film.roll"), quantity: 1), token: token)
        }

        func expect(_ row: StatesPage.Row, _ before: Lab) async throws {
            try await expect(status: row.status, before)
            guard let expected = row.notificationNames else {
                #expect(notified.count == before.notified.count, "\(row.state): \(names(notified.first))")
                return
            }
            #expect(notified.count > before.notified.count, "\(row.state)")
            #expect(names(notified.first) == expected, "\(row.state)")
        }

        private func names(_ notification: JSONValue?) -> [String] {
            [notification?["notificationType"]?.text, notification?["subtype"]?.text].compactMap { $0 }
        }

        private func expect(status: String, _ before: Lab) async throws {
            if status == "bought" || status == "nothing bought" {
                #expect(transactions - before.transactions == (status == "bought" ? 1 : 0))
                return
            }
            var words = status
            var id = id
            if words.hasPrefix("the member's ") {
                words.removeFirst("the member's ".count)
                id = try #require(notified.first?["originalTransactionId"]?.text)
                #expect(id != self.id)
            }
            // Of refused purchases.
            guard !words.contains("`") else { return }
            let shown = try JSONValue(try await Self.run("subscriptions show \(id) --environment lab", store).json)
            let renewal = try Signed.renewalInfo(try #require(shown["signedRenewalInfo"]?.text))
            for part in words.split(separator: ", ") {
                let number = try #require(part.split(separator: " ").last.flatMap { Int32($0) }, "\(part)")
                switch part.dropLast("\(number)".count) {
                case "": #expect(shown["status"]?.number == Int64(number))
                case "intent ": #expect(renewal.expirationIntent?.rawValue == number)
                case "auto-renew ": #expect(renewal.autoRenewStatus.rawValue == number)
                case "price increase ": #expect(renewal.priceIncreaseStatus?.rawValue == number)
                default: Issue.record("the test does not know what “\(part)” says")
                }
            }
        }
    }
}

extension StatesPage.Row {
    /// The word of the error that the status names.
    fileprivate var refusal: String? { status.firstMatch(of: /^\d{3} `(\w+)`$/).map { String($0.1) } }

    /// Type and subtype; `nil` where there is none.
    fileprivate var notificationNames: [String]? {
        let names = notification.matches(of: /`(\w+)`/).map { String($0.1) }
        return notification == "none" ? nil : names
    }
}
