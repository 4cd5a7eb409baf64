import Foundation
import Perennial
import PerennialStore
import TestSupport
import Testing

@testable import PerennialCommand

/// Lists of the command line fit narrow terminals, with long values and wide characters. `DocumentedCommandTests` runs all other
/// commands in narrow terminals.
struct NarrowTerminalTests {
    private static let customer = "王小明-with-a-long-name@subscriptions.example.com"

    /// Lists that are empty in the test's store, each with the reason.
    private static let empty: Set<String> = [
        // A subscription that can't be renewed, and a submission, which needs a picture.
        "quarantine list", "reviews list",
        // A file that is uploaded, a month that is closed.
        "products content list", "finance months list", "finance payouts list",
        // A month that is closed has its own tests.
        "finance rates list",
    ]

    @Test func `no list is wider than the terminal, and no word is broken`() async throws {
        var magazine = TestCatalog.magazineWithOffers
        magazine.name = "雑誌 – The magazine with a name that is much too long"
        let app = magazine
        try await RunningStore.run(app: app) { store in
            try await Self.fill(store)
            let lists = try SpellingTests.described().filter { $0.verb == "list" && !Self.empty.contains($0.path) }
            #expect(lists.count > 18)
            for list in lists {
                var words = list.path.split(separator: " ").map(String.init)
                if list.options.contains(where: { $0.name == "app" }) { words += ["--app", app.bundleID.rawValue] }
                if list.arguments == ["product"] { words.append("monthly") }
                words += store.access
                let arguments = words
                let wide = try await RunningStore.run(arguments).words
                #expect(wide.contains("\n"), "\(list.path): \(wide)")
                for columns in TerminalWidths.columns + [100] {
                    let narrow = try await Terminal.$columnsOfTask.withValue(columns) {
                        try await RunningStore.run(arguments).words
                    }
                    let broad = narrow.split(separator: "\n").filter { line in
                        // A sentence below a table is the terminal's to break.
                        String(line).displayWidth > columns && line.drop { $0 == " " }.contains(" ")
                            && !line.contains("other storefronts pay")
                    }
                    #expect(broad == [], "\(list.path) in \(columns) columns")
                    let missing = Set(wide.split(whereSeparator: \.isWhitespace))
                        .subtracting(narrow.split(whereSeparator: \.isWhitespace))
                    #expect(missing == [], "\(list.path) in \(columns) columns")
                }
            }
        }
    }

    private static func fill(_ store: RunningStore) async throws {
        let app = ["--app", "com.example.magazine"]
        let folder = try TemporaryFolder.make()
        let lines: [[String]] = [
            ["buy", "film.roll", "--account", customer] + app, ["buy", "monthly", "--account", customer] + app,
            ["families", "create", customer, "bob@example.com"],
            ["keys", "create", "--output", "\(folder)/a.p8"] + app,
            [
                "users", "create", customer.replacing("王小明", with: "uma"), "--first-name", "小明", "--last-name", "王",
                "--role", "admin",
            ],
            [
                "users", "invitations", "create", "ivy@example.com", "--first-name", "Ivy", "--last-name", "Ink",
                "--role",
                "sales",
            ],
            ["offer-codes", "create", "radio", "--product", "monthly", "--count", "3"] + app,
            ["downloads", "record", "--account", customer, "--device", "5A1F0C52-7C1E-4B7B-9C43-0E6F8F6B1C11"] + app,
            ["notifications", "receiver", "set", "http://127.0.0.1:9/a-receiver-with-a-long-path"] + app,
            ["notifications", "test"] + app, ["promoted", "add", "film.roll"] + app,
            ["accounts", "create", "eve@example.com", "--interrupts-purchases"],
        ]
        for line in lines { _ = try await RunningStore.run(line + store.access) }
        let id = try await store.buy("film.roll")
        _ = try await RunningStore.run(["refunds", "create", id] + store.access)
        _ = try? await RunningStore.run(["buy", "film.roll", "--account", "eve@example.com"] + app + store.access)
        let token = try await store.shop.store.accounts.signIn(
            account: customer, password: nil, deviceID: TestDevice.phone.id, bundleID: TestCatalog.bundleID,
            applicationVersion: "1"
        ).token
        try await store.shop.store.askToBuy.request(
            PurchaseRequest(productID: Product.ID(rawValue: "film.roll"), quantity: 1), token: token)
    }
}
