import ArgumentParser
import Foundation
import Perennial
import PerennialStore
import TestSupport
import Testing

@testable import PerennialCommand

/// A name, an ID or a value that doesn't exist is answered with the nearest one that does, by every command.
struct SuggestionTests {
    /// The commands with IDs that have no line below, each with the reason.
    private static let without: [(command: String, reason: String)] = [
        ("search", "it looks for anything"), ("serve", "it starts a store"), ("deliver", "it starts a server"),
        ("quarantine release", "no subscription is quarantined"), ("catalog diff", "the app is that of the files"),
        ("inspect", "it reads files"), ("receipts verify", "it reads files"),
        ("exercise", "it makes its environment"), ("seed", "it makes its environment"),
        ("check", "it reads files"), ("accounts create", "it names what is new"),
        ("products create", "it names what is new"), ("environments create", "it names what is new"),
        ("groups create", "it names what is new"), ("families create", "it makes the accounts that it names"),
        ("users password set", "it asks for a password; users password create-link has the same argument"),
        ("reviews start", "a submission needs a picture"), ("reviews approve", "a submission needs a picture"),
        ("reviews reject", "a submission needs a picture"), ("notifications lint", "it needs a seller's server"),
        ("catalog check", "it reads files"), ("catalog import", "the app comes from the file"),
        ("products screenshot upload", "it needs a picture"), ("products content upload", "it needs a file"),
        ("snippets", "it reads a ready file"),
        ("finance adjust", "regions are Apple's"), ("finance close", "a month is no name"),
    ]

    /// Options and arguments that name a thing of the store.
    private static let naming: Set<String> = [
        "app", "product", "account", "offer", "user", "group", "code", "id", "submission", "uuid", "name", "email",
        "products", "subject",
    ]

    /// The lines, each with a wrong name in braces: the right one is suggested.
    private static let lines = [
        "accounts show {ann@example.com}", "accounts edit {ann@example.com} --storefront USA",
        "accounts list --environment {staging}",
        "testers edit {ann@example.com} --storefront USA", "testers clear {ann@example.com} --yes",
        "testers list --environment {staging}",
        "downloads record --account a --device 5A1F0C52-7C1E-4B7B-9C43-0E6F8F6B1C11 --app {APP}",
        "downloads list --account {ann@example.com}", "buy {film.roll} --account ann@example.com",
        "buy monthly --account ola@example.com --offer {half}", "buy film.roll --account a --app {APP}",
        "transactions list --product {film.roll}", "transactions list --account {ann@example.com}",
        "journal list --app {APP}", "receipts show --account {ann@example.com}",
        "refunds list --product {film.roll}", "refunds list --account {ann@example.com}",
        "refunds create {TRANSACTION}", "refunds request {TRANSACTION}", "refunds decline {TRANSACTION}",
        "refunds reverse {TRANSACTION}", "ask-to-buy list --app {APP}", "interrupted list --app {APP}",
        "ask-to-buy approve {APPROVAL}", "ask-to-buy decline {APPROVAL}", "interrupted resolve {INTERRUPTION}",
        "offer-codes list --app {APP}", "offer-codes create {radio} --product monthly",
        "offer-codes create radio --product {monthly}", "offer-codes redeem {SPRINGTIME} --account ann@example.com",
        "offer-codes deactivate {SPRINGTIME} --yes", "families add {FAMILY} cem@example.com",
        "families remove {FAMILY} bob@example.com", "families delete {FAMILY} --yes",
        "families list --environment {staging}",
        "subscriptions list --product {monthly}", "subscriptions list --account {ann@example.com}",
        "subscriptions show {SUBSCRIPTION}", "subscriptions renew {SUBSCRIPTION}",
        "subscriptions expire {SUBSCRIPTION}", "subscriptions cancel {SUBSCRIPTION}",
        "subscriptions resume {SUBSCRIPTION}", "subscriptions change {SUBSCRIPTION} yearly",
        "subscriptions change SUBSCRIPTION {yearly}", "subscriptions extend {SUBSCRIPTION} --days 3",
        "subscriptions extend-all {monthly} --days 3 --yes", "payment-method accept {SUBSCRIPTION}",
        "payment-method decline {SUBSCRIPTION}", "price-consent accept {SUBSCRIPTION}",
        "price-consent decline {SUBSCRIPTION}", "products list --app {APP}", "products show {film.roll}",
        "products edit {film.roll} --name X", "products delete {film.roll} --yes", "products on-sale {film.roll}",
        "products off-sale {film.roll} --yes", "products submit {film.roll}", "products withdraw {film.roll}",
        "products content list {film.roll}", "products content use {film.roll} 1.0",
        "products content delete {film.roll} 1.0 --yes", "prices list {film.roll}", "prices set {film.roll} 1.99",
        "prices schedule {film.roll} 1.99 --at 2030-01-01", "prices cancel {film.roll} --at 2030-01-01",
        "prices preview {film.roll} 1.99", "prices history list {film.roll}", "prices points list --app {APP}",
        "groups list --app {APP}", "groups edit {magazine} --name X", "groups submit {magazine}",
        "groups delete {magazine} --yes", "offers list {monthly}",
        "offers create {monthly} introductory --mode free-trial",
        "offers edit {monthly} promotional half --ends 2030-01-01",
        "offers edit monthly promotional {half} --ends 2030-01-01", "offers delete monthly promotional {half} --yes",
        "promoted list --app {APP}", "promoted add {film.roll}", "promoted remove {film.roll} --yes",
        "promoted order {film.roll}", "reviews remove {film.roll} --yes", "reviews restore {film.roll}",
        "environments reset {staging} --yes", "environments delete {staging} --yes",
        "clock show --environment {staging}", "clock advance --by P1D --environment {staging}",
        "billing show --app {APP}", "billing set --app {APP} --maximum-renewals 3",
        "billing reset --app {APP} --yes", "roll-ups rebuild --app {APP}",
        "roll-ups show --environment {staging}", "listen --app {APP} --no-follow --after 0",
        "explain sales --app {APP}", "explain subscription-event --app {APP}",
        "explain financial --month 2026-04 --app {APP}", "explain statistics proceeds --app {APP}",
        "explain transaction {TRANSACTION}", "report statistics proceeds --app {APP}",
        "users create vic@example.com --first-name V --last-name V --role admin --app {APP}",
        "users invitations create vic@example.com --first-name V --last-name V --role sales --app {APP}",
        "users edit {uma@example.com} --role marketing", "users edit uma@example.com --app {APP}",
        "users delete {uma@example.com} --yes", "users transfer {uma@example.com} --yes",
        "users password create-link {uma@example.com}", "users invitations accept {ivy@example.com}",
        "users invitations cancel {ivy@example.com}",
        "keys list --app {APP}", "keys create --kind connect --user {uma@example.com}", "keys create --app {APP}",
        "keys revoke {KEY} --yes", "shared-secret show --app {APP}", "shared-secret create --app {APP} --yes",
        "shared-secret revoke --app {APP} --yes", "notifications receiver set http://127.0.0.1:9/x --app {APP}",
        "notifications receiver remove --app {APP}", "notifications receiver show --app {APP}",
        "notifications list --app {APP}",
        "notifications list --type {DID_RENEW}",
        "notifications test --app {APP}", "notifications faults set --app {APP}",
        "notifications faults show --app {APP}", "notifications faults remove --app {APP}",
        "notifications show {NOTIFICATION}",
        "notifications resend {NOTIFICATION}", "catalog export --app {APP}", "catalog changes list --app {APP}",
        "accounts edit ann@example.com --storefront {USA}",
    ]

    @Test func `a wrong name is answered with the nearest one`() async throws {
        try await RunningStore.run(app: TestCatalog.magazineWithOffers) { store in
            let made = try await Self.made(in: store)
            for line in Self.lines {
                let words = line.split(separator: " ").map(String.init)
                let name = words.first { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) } ?? ""
                let right = made[name] ?? name
                let arguments = words.map { word in
                    word.hasPrefix("{") ? Self.misspelled(right) : made[word] ?? word
                }
                let isNamed = arguments.contains("--environment") || arguments.contains("--app")
                let access = store.access + (isNamed || !Self.takesApp(words) ? [] : ["--app", "com.example.magazine"])
                await #expect("\(line)") {
                    _ = try await RunningStore.run(arguments + access)
                } throws: { error in
                    let isSuggested = "\(error)".contains("did you mean ") && "\(error)".contains(right)
                    if !isSuggested { Issue.record("\(line): \(error)") }
                    return isSuggested
                }
            }
        }
    }

    @Test func `every command with an ID has a line, or a reason to have none`() throws {
        let commands = try SpellingTests.described().filter { command in
            !Self.naming.isDisjoint(with: command.arguments + command.options.map(\.name))
        }
        #expect(commands.count > 90)
        for command in commands {
            let hasLine = Self.lines.contains { "\($0) ".hasPrefix("\(command.path) ") }
            let hasReason = Self.without.contains { $0.command == command.path }
            #expect(hasLine != hasReason, "\(command.path)")
        }
    }

    @Test func `a wrong value of an option is answered with the nearest one`() throws {
        var count = 0
        for command in try SpellingTests.described() {
            for option in command.options {
                guard let value = option.values.first(where: { $0.count > 4 }) else { continue }
                count += 1
                let words = command.path.split(separator: " ").map(String.init)
                #expect {
                    _ = try Words.parse(words + ["--\(option.name)", Self.misspelled(value)])
                } throws: { error in
                    let text = ValueSuggestion.adding(to: PerennialCommand.fullMessage(for: error))
                    let isSuggested = text.contains("Did you mean '\(value)'")
                    if !isSuggested { Issue.record("\(command.path) --\(option.name) \(value): \(text)") }
                    return isSuggested
                }
            }
        }
        #expect(count > 40)
    }

    @Test(arguments: [
        ("journal list --kind refundet", "refunded"),
        ("explain subscription-event --event renw", "Renew"),
    ])
    func `a wrong name among many is answered with the nearest one`(line: String, right: String) {
        #expect {
            _ = try Words.parse(line.split(separator: " ").map(String.init))
        } throws: { error in
            PerennialCommand.message(for: error).contains("Did you mean \(right)?")
        }
    }

    /// Replaces a character: the last one of a name, one of the first ones of a number.
    private static func misspelled(_ word: String) -> String {
        guard word.allSatisfy(\.isNumber) else { return word.dropLast() + (word.last == "z" ? "y" : "z") }
        guard word.count > 4 else { return word + word }
        return word.prefix(3) + (word.dropFirst(3).first == "5" ? "6" : "5") + word.dropFirst(4)
    }

    private static func takesApp(_ words: [String]) -> Bool {
        let command = try? SpellingTests.described().first {
            "\(words.joined(separator: " ")) ".hasPrefix("\($0.path) ")
        }
        return command?.options.contains { $0.name == "app" } ?? false
    }

    /// Makes one thing of each kind.
    ///
    /// - Returns: The words of the lines with the IDs for which they stand.
    private static func made(in store: RunningStore) async throws -> [String: String] {
        let app = ["--app", "com.example.magazine"]
        func run(_ line: String, _ field: String = "") async throws -> String {
            let words = line.split(separator: " ").map(String.init) + store.access
            let report = try await RunningStore.run(words)
            return try JSONValue(report.json)[field]?.text ?? ""
        }
        let ann = "--account ann@example.com --app com.example.magazine"
        var made = ["APP": "com.example.magazine"]
        made["TRANSACTION"] = try await run("buy film.roll \(ann)", "transactionId")
        made["SUBSCRIPTION"] = try await run("buy monthly \(ann)", "originalTransactionId")
        made["FAMILY"] = try await run("families create ann@example.com bob@example.com", "id")
        _ = try await run("users create uma@example.com --first-name U --last-name U --role admin", "username")
        _ = try await run("users invitations create ivy@example.com --first-name I --last-name I --role sales", "email")
        _ = try await run(
            "offer-codes create radio --product monthly --code SPRINGTIME --app com.example.magazine")
        let file = "\(try TemporaryFolder.make())/key.p8"
        made["KEY"] = try await run("keys create --output \(file) --app com.example.magazine", "keyId")
        _ = try await run("notifications receiver set http://127.0.0.1:9/x --app com.example.magazine")
        made["NOTIFICATION"] = try await run("notifications test --app com.example.magazine", "notificationUUID")
        let token = try await store.shop.store.accounts.signIn(
            account: "child@example.com", password: nil, deviceID: TestDevice.phone.id, bundleID: TestCatalog.bundleID,
            applicationVersion: "1"
        ).token
        try await store.shop.store.askToBuy.request(
            PurchaseRequest(productID: Product.ID(rawValue: "film.roll"), quantity: 1), token: token)
        _ = try await run("accounts create eve@example.com --interrupts-purchases")
        _ = try? await run("buy film.roll --account eve@example.com --app com.example.magazine")
        for (name, list, key) in [
            ("APPROVAL", "ask-to-buy", "approvals"), ("INTERRUPTION", "interrupted", "interruptions"),
        ] {
            let answer = try await RunningStore.run([list, "list"] + app + store.access)
            made[name] = try JSONValue(answer.json)[key]?.elements?.first?["id"]?.text ?? ""
        }
        return made
    }
}
