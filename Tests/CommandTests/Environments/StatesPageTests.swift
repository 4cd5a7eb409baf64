import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore
import Synchronization
import TestSupport
import Testing

@testable import PerennialCommand

/// Every row of the page of states leads where it says.
struct StatesPageTests {
    private static let app = "com.example.magazine"

    /// The store of the rows that change nothing outside of their environment.
    private static let shared = Task { try await RunningStore.start(app: magazine) }
    private static let environments = Atomic(0)

    @Test(arguments: try StatesPage.shared.get().rows)
    func `the commands of a row lead to its state`(row: StatesPage.Row) async throws {
        for way in row.ways {
            if row.changesCatalog {
                try await RunningStore.run(app: Self.magazine) { try await Self.expect(way, row, in: $0) }
            } else {
                try await Self.expect(way, row, in: try await Self.shared.value)
            }
        }
    }

    private static func expect(_ way: [String], _ row: StatesPage.Row, in store: RunningStore) async throws {
        let number = environments.wrappingAdd(1, ordering: .relaxed).newValue
        let before = try await Lab(store, number)
        let lab = try await before.doing(way, refusal: row.refusal)
        try await lab.expect(row, before)
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
        /// The name in the place of the page's.
        let environment: String
        let id: String
        let notified: [JSONValue]
        let transactions: Int64
        /// The number that the last command listed or made.
        var number = ""

        /// - Parameter number: Of the environment in the store.
        init(_ store: RunningStore, _ number: Int) async throws {
            let name = "lab-\(number)"
            let lines = try StatesPage.shared.get().preparations.map {
                $0.replacing(" lab", with: " \(name)").replacing("--seed 42", with: "--seed \(number)")
            }
            (self.store, environment) = (store, name)
            _ = try await Self.run(lines[0], store)
            _ = try await Self.run("notifications receiver set http://127.0.0.1:1/hook --environment \(name)", store)
            let bought = try await Self.run(lines[1], store)
            id = try #require(try JSONValue(bought.json)["transactionId"]?.text)
            notified = try await Self.notifications(store, name)
            transactions = try await Self.transactions(store, name)
        }

        private init(_ lab: Lab, notified: [JSONValue], transactions: Int64, number: String) {
            (store, environment, id) = (lab.store, lab.environment, lab.id)
            (self.notified, self.transactions, self.number) = (notified, transactions, number)
        }

        static func run(_ line: String, _ store: RunningStore) async throws -> Report {
            try await RunningStore.run(line.split(separator: " ").map(String.init) + store.access)
        }

        private func run(_ line: String) async throws -> Report {
            try await Self.run("\(line) --environment \(environment)", store)
        }

        private static func notifications(_ store: RunningStore, _ environment: String) async throws -> [JSONValue] {
            let list = try await run("notifications list --limit 200 --environment \(environment)", store)
            return try #require(try JSONValue(list.json)["notifications"]?.elements)
        }

        private static func transactions(_ store: RunningStore, _ environment: String) async throws -> Int64 {
            let id = try await store.shop.environment(environment).store.environment.id
            return try await store.shop.database.read {
                try $0.first("SELECT COUNT(*) FROM transactions WHERE environment = $1", [.integer(id.rawValue)]) {
                    try $0.integer(0)
                } ?? 0
            }
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
                        _ = try await run(words)
                    } throws: { error in
                        (error as? StoreClientError)?.subject == refusal
                    }
                    continue
                }
                let report: Report
                do {
                    report = try await run(words)
                } catch let error as StoreClientError where error.subject == "purchaseInterrupted" {
                    // What is interrupted is resolved by the next.
                    continue
                }
                number = Self.number(in: try? JSONValue(report.json)) ?? number
            }
            return Lab(
                self, notified: try await Self.notifications(store, environment),
                transactions: try await Self.transactions(store, environment), number: number)
        }

        private static func number(in answer: JSONValue?) -> String? {
            let listed = answer?["approvals"] ?? answer?["interruptions"]
            return listed?.elements?.first?["id"]?.text ?? answer?["id"]?.text
        }

        private func ask() async throws {
            _ = try await run("accounts create child --password secret")
            let lab = try await store.shop.environment(environment)
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
            let shown = try JSONValue(try await run("subscriptions show \(id)").json)
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
    /// True if its commands change prices or products, which all environments share.
    fileprivate var changesCatalog: Bool {
        ways.joined().contains { $0.hasPrefix("prices ") || $0.hasPrefix("products ") }
    }

    /// The word of the error that the status names.
    fileprivate var refusal: String? { status.firstMatch(of: /^\d{3} `(\w+)`$/).map { String($0.1) } }

    /// Type and subtype; `nil` where there is none.
    fileprivate var notificationNames: [String]? {
        let names = notification.matches(of: /`(\w+)`/).map { String($0.1) }
        return notification == "none" ? nil : names
    }
}
