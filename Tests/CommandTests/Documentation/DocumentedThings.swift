import Foundation
import Perennial
import PerennialStore
import TestSupport

@testable import PerennialCommand

/// The things that documented command lines are about, made before the lines run.
extension DocumentedCommandRun {
    /// Makes an environment with a sale in the fiscal month 2027-01, which is over.
    ///
    /// - Returns: The printed environment with the name of the new one.
    func finances(isClosed: Bool) async throws -> [String: String] {
        let name = "books-\(UUID().uuidString.prefix(8).lowercased())"
        _ = try await store.shop.registry.makeEnvironment(
            name, kind: .production, clock: .manual, now: Instant(rfc3339: "2026-10-05T10:00:00Z"))
        _ = try await store.run(["buy", Self.roll, "--account", "ann@example.com", "--quantity", "9"], name)
        _ = try await store.run(["clock", "advance", "--by", "P2M"], name)
        if isClosed { _ = try await store.run(["finance", "close", "2027-01"], name) }
        try Data("month,from,to,rate\n2027-01,JPY,USD,0.0067\n".utf8).write(to: URL(filePath: "\(folder)/rates.csv"))
        return ["staging": name]
    }

    /// Sells something of every report, and lets its day, week and month end.
    ///
    /// - Returns: The printed dates with those of the sales.
    func reported(_ environment: String) async throws -> [String: String] {
        let account = "\(UUID().uuidString.lowercased())@example.com"
        let code = UUID().uuidString.prefix(8).uppercased()
        _ = try? await store.run(
            ["offer-codes", "create", "radio", "--product", Self.monthly, "--code", code], environment)
        _ = try? await store.run(["offer-codes", "redeem", code, "--account", account], environment)
        _ = try await subscription(in: environment)
        let shop = try await store.shop.environment(environment)
        let now = try await shop.store.now()
        let day = PacificDay(now)
        if shop.store.environment.clock == .manual {
            _ = try await shop.store.clock.advance(to: now + .days(40))
        } else {
            store.shop.clock.advance(by: .days(40))
        }
        let week = ReportPeriod(.weekly, containing: day).reportDate
        let month = ReportPeriod(.monthly, containing: day).reportDate
        return ["2026-10-03": day.description, "2026-10-04": week, "2026-10": month]
    }

    /// Makes a group or a product for a line to change, and room for what it creates.
    ///
    /// - Returns: The printed names with those of the new ones.
    func catalogParts(_ words: [String]) async throws -> [String: String] {
        let unique = UUID().uuidString.prefix(8).lowercased()
        func edit(_ words: String...) async throws { _ = try await RunningStore.run(words + store.access) }
        let name = words.firstIndex(of: "--name").map { words[$0 + 1] }
        var names = name.map { [$0: "\($0) \(unique)"] } ?? [:]
        let made = words[0] == "groups" ? "Group \(unique)" : "\(words[2]).\(unique)"
        switch (words[0], words[1]) {
        case ("groups", "submit"): try await edit("groups", "create", made, "--display-name", "en-US=Club")
        case ("groups", _): try await edit("groups", "create", made)
        case ("products", "create"):
            if let group = words.firstIndex(of: "--group") {
                names[words[group + 1]] = made
                try await edit("groups", "create", made)
            }
        case ("products", _):
            try await edit("products", "create", made, "--type", "consumable", "--name", made, "--price", "0.99")
        case (_, "create"):
            let id = words.count > 4 && !words[4].hasPrefix("-") ? words[4] : "all"
            try? await edit("offers", "delete", words[2], words[3], id)
            return [:]
        default:
            if words[3] == "promotional" {
                try? await edit(
                    "offers", "create", words[2], "promotional", words[4], "--mode", "pay-as-you-go", "--periods", "1",
                    "--price", "1.99")
            }
            return [:]
        }
        names[words[2]] = made
        return names
    }

    /// Makes a product that can be submitted, and submits it for a line about a submission.
    ///
    /// - Returns: The printed product or submission with the new one.
    func submission(_ words: [String]) async throws -> [String: String] {
        func run(_ words: String...) async throws -> Report { try await RunningStore.run(words + store.access) }
        let isReview = words[0] == "reviews"
        let product =
            "\(isReview ? "com.example.photomag.coins" : words[2]).\(UUID().uuidString.prefix(8).lowercased())"
        _ = try await run("reviews", "mode", "set", "manual")
        _ = try await run(
            "products", "create", product, "--type", "consumable", "--name", product, "--price", "0.99",
            "--display-name", "en-US=Coins", "--description", "en-US=Coins")
        let picture = DocumentedCommand.root.appending(path: "docs/images/console-overview.png").path
        _ = try await run("products", "screenshot", "upload", product, picture)
        guard words[1] != "submit" else { return [words[2]: product] }
        _ = try await run("products", "submit", product)
        guard isReview else { return [words[2]: product] }
        let list = try JSONValue(try await run("reviews", "list").json)["reviews"]?.elements ?? []
        return [words[2]: list.last?["submissionId"]?.text ?? ""]
    }

    /// Makes the user or the invitation of a line, and room for those that it creates.
    ///
    /// - Returns: The printed address with that of the new person.
    func person(_ words: [String]) async throws -> [String: String] {
        guard let printed = words.first(where: { $0.contains("@") }) else { return [:] }
        let address = "\(UUID().uuidString.prefix(8).lowercased())-\(printed)"
        let person = [address, "--first-name", "Uma", "--last-name", "Urban", "--role"]
        switch Array(words.dropFirst().prefix(2)) {
        case ["invitations", "create"]: break
        case let verbs where words[0] == "users" && verbs.first == "create": break
        case ["invitations", "accept"], ["invitations", "cancel"]:
            _ = try await RunningStore.run(["users", "invitations", "create"] + person + ["sales"] + store.access)
        default:
            // Apps may be hidden from a user with this role. The second one is for keys.
            let roles = ["developer", "--role", "generate-individual-keys"]
            _ = try await RunningStore.run(["users", "create"] + person + roles + store.access)
        }
        return [printed: address]
    }

    /// A price that needs the consent of all who subscribe by now.
    func higherPrice(_ environment: String) async throws -> String {
        let list = try await store.run(["products", "list"], environment)
        let products = try JSONValue(list.json)["products"]?.elements ?? []
        let price = products.first { $0["productId"] == .string(Self.monthly) }?["price"]?.number ?? 0
        return "\(Int(price) / 1000 + 20)"
    }

    /// A subscription of a new customer.
    func subscription(in environment: String) async throws -> String {
        let account = "\(UUID().uuidString.lowercased())@example.com"
        let bought = try await store.run(["buy", Self.monthly, "--account", account], environment)
        return try JSONValue(bought.json)["originalTransactionId"]?.text ?? ""
    }

    /// Ends what a customer subscribes to, so that a line can buy it.
    func endSubscriptions(of account: String, _ environment: String) async throws {
        // Without an account there is none.
        guard let list = try? await store.run(["subscriptions", "list", "--account", account], environment) else {
            return
        }
        for item in try JSONValue(list.json)["subscriptions"]?.elements ?? [] where item["status"] == 1 {
            _ = try await store.run(
                ["subscriptions", "expire", item["originalTransactionId"]?.text ?? ""], environment)
        }
    }

    /// Deletes the families, since an account is in one at a time.
    func removeFamilies(_ environment: String) async throws {
        let list = try await store.run(["families", "list"], environment)
        for family in try JSONValue(list.json)["families"]?.elements ?? [] {
            _ = try await store.run(["families", "delete", family["id"]?.text ?? ""], environment)
        }
    }

    func family(_ words: [String], _ environment: String) async throws -> String {
        try await removeFamilies(environment)
        let members = words[1] == "remove" ? [words[3]] : ["dan@example.com"]
        let made = try await store.run(["families", "create", "ann@example.com"] + members, environment)
        return try JSONValue(made.json)["id"]?.text ?? ""
    }

    /// Makes a purchase that waits for a person.
    func pending(_ group: String, _ key: String, _ environment: String) async throws -> String {
        if group == "ask-to-buy" {
            let shop = try await store.shop.environment(environment)
            let token = try await shop.store.accounts.signIn(
                account: "child@example.com", password: nil, deviceID: TestDevice.phone.id,
                bundleID: Self.bundleID, applicationVersion: "1"
            )
            .token
            try await shop.store.askToBuy.request(
                PurchaseRequest(productID: Product.ID(rawValue: Self.roll), quantity: 1), token: token)
        } else {
            _ = try? await store.run(
                ["accounts", "create", "eve@example.com", "--interrupts-purchases"], environment)
            _ = try? await store.run(["buy", Self.roll, "--account", "eve@example.com"], environment)
        }
        let list = try await store.run([group, "list"], environment)
        return try JSONValue(list.json)[key]?.elements?.first?["id"]?.text ?? ""
    }
}

extension RunningStore {
    func run(_ words: [String], _ environment: String) async throws -> Report {
        let global = ["keys", "environments", "apps", "shared-secret"].contains(words[0])
        return try await Self.run(words + access + (global ? [] : ["--environment", environment]))
    }
}
