import ArgumentParser
import Testing

@testable import PerennialCommand

/// Command lines that are understood, and those that aren't.
struct ParsingTests {
    private static let access = ["--url", "http://127.0.0.1:1", "--token", "t"]

    @Test(arguments: [
        "accounts", "accounts list --limit 5", "accounts show ann",
        "accounts create ann --storefront DEU --payment-method declined --password secret",
        "accounts edit ann --no-can-make-payments", "buy film.roll --account ann",
        "buy film.roll --account ann --app a.b",
        "buy film.roll --account ann --app a.b --quantity 10 --idempotency-key k --offer o",
        "buy film.roll --account ann --app a.b --app-account-token 0B0C0D0E-0001-0002-0003-000000000004",
        "receipts show --account ann --app a.b", "receipts show --account ann --app a.b --output r.der",
        "receipts show --account ann --output r.der", "refunds create 20",
        "refunds create 20 --reason app-issue --percentage 100",
        "ask-to-buy", "ask-to-buy list --app a.b", "ask-to-buy approve 20", "ask-to-buy decline 20",
        "interrupted list", "interrupted resolve 20 --give-up", "apps list", "products list --app a.b",
        "transactions list --account ann --limit 10", "subscriptions list --account ann",
        "subscriptions show 20", "subscriptions renew 20", "subscriptions expire 20", "subscriptions cancel 20",
        "subscriptions resume 20", "subscriptions change 20 yearly", "payment-method decline 20",
        "payment-method accept 20", "price-consent accept 20", "price-consent decline 20", "clock", "clock show",
        "clock advance --by P1M", "clock advance --to 2026-01-31T10:00:00+01:00", "environments reset Production",
        "environments reset staging --yes --json", "keys", "keys revoke 2X9R4HXF34 --app a.b --yes",
    ])
    func `a command line is understood`(line: String) throws {
        _ = try Words.parse(line.split(separator: " ").map(String.init) + Self.access)
    }

    @Test(arguments: [
        "environments", "environments list", "environments create staging",
        "environments create staging --kind Production --clock manual --now 2026-01-31T10:00:00Z",
        "environments create staging --clock real",
    ])
    func `commands on environments are understood`(line: String) throws {
        _ = try Words.parse(line.split(separator: " ").map(String.init) + Self.access)
    }

    @Test(arguments: [
        ("accounts show", "Missing expected argument '<name>'"),
        (
            "accounts edit ann --payment-method gold",
            "The value 'gold' is invalid for '--payment-method <payment-method>'"
        ),
        ("buy film.roll --app a.b", "Missing expected argument '--account <name>'"),
        ("accounts list --limit 0", "--limit is 1 to 200."),
        ("buy film.roll --account ann --app a.b --quantity 11", "--quantity is 1 to 10."),
        ("buy film.roll --account ann --app a.b --app-account-token x", "--app-account-token is a UUID."),
        ("refunds create twenty", "The value 'twenty' is invalid for '<id>'"),
        ("refunds create 20 --percentage 0", "--percentage is 1 to 100."),
        ("refunds create 20 --reason whim", "The value 'whim' is invalid for '--reason <reason>'"),
        ("subscriptions renew -1", "Missing expected argument '<id>'"),
        ("subscriptions change 20", "Missing expected argument '<product>'"),
        ("clock advance", "Say either --by or --to."),
        ("clock advance --by P1M --to 2026-01-31T10:00:00Z", "Say either --by or --to."),
        ("clock advance --by 1H", "The value '1H' is invalid for '--by <duration>': expected an ISO 8601 duration"),
        ("clock advance --by PT0S", "The value 'PT0S' is invalid for '--by <duration>': a duration is longer"),
        ("clock advance --to tomorrow", "The value 'tomorrow' is invalid for '--to <time>'"),
        ("environments create e --clock real --now 2026-01-31T10:00:00Z", "--now is for a manual clock."),
        ("environments create e --kind Moon", "The value 'Moon' is invalid for '--kind <kind>'"),
        ("clock --url ftp://127.0.0.1", "--url is a URL such as http://127.0.0.1:8080."),
        ("clock --url 127.0.0.1:8080", "--url is a URL such as http://127.0.0.1:8080."),
        ("clock --environment=", "Missing value for '--environment <name>'"),
        ("catalog check shop.json", "shop.json is neither a .storekit file nor a .yaml or .yml file."),
        ("catalog check", "Name a file to check."),
        ("certificates rotate", "Missing expected argument '--data <folder>'"),
        ("receipts verify", "Missing expected argument '<file>'"),
    ])
    func `a wrong argument is explained, with exit code 64`(line: String, message: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        #expect {
            let needsToken = !["catalog", "certificates", "receipts"].contains(words[0])
            let url = line.contains("--url") ? [] : ["--url", "http://127.0.0.1:1"]
            _ = try Words.parse(words + (needsToken ? url + ["--token", "t"] : []))
        } throws: { error in
            let said = PerennialCommand.message(for: error)
            #expect(said.hasPrefix(message), "\(said)")
            return PerennialCommand.exitCode(for: error).rawValue == 64
        }
    }

    @Test(arguments: [
        ("finance close 2027-01", "Close 2027-01?"), ("users transfer uma@example.com", "Make uma@example.com the"),
        ("users delete uma@example.com", "Remove uma@example.com"),
        ("notifications receiver remove --app a.b", "Remove the"),
        ("products content delete coins 1.0", "Delete version 1.0 of coins"), ("certificates revoke", "Revoke the"),
        ("certificates revoke --serial-number 1a2b", "Revoke the certificate 1a2b that signs transactions?"),
        ("environments delete staging", "Delete the environment staging?"),
        ("products delete coins", "Delete the product"),
        ("offers delete monthly promotional half", "Delete the promotional offer half of monthly?"),
        ("reviews remove coins", "Remove coins from sale in Production?"),
        ("products off-sale monthly", "Take monthly off sale?"),
        ("promoted remove coins", "End the promotion of coins?"),
        ("subscriptions expire 20", "End the subscription 20 now?"),
        ("families remove 2 ann", "Take ann out of the family 2?"),
        ("billing reset", "Remove the settings of renewals and billing of all apps?"),
    ])
    func `a command that can't be undone asks unless --yes is given`(line: String, question: String) throws {
        let words = line.split(separator: " ").map(String.init) + Self.access
        let command = try #require(try Words.parse(words) as? any DestructiveCommand)
        #expect(command.isDestructive)
        #expect(!command.confirmation.yes)
        #expect(command.question.hasPrefix(question), "\(command.question)")
        #expect(try #require(try Words.parse(words + ["--yes"]) as? any DestructiveCommand).confirmation.yes)
    }

    @Test func `every command that deletes, revokes, resets or closes asks`() {
        let verbs: Set = [
            "delete", "revoke", "reset", "clear", "deactivate", "transfer", "close", "extend-all", "remove", "expire",
            "off-sale",
        ]
        let repeatable = [["notifications", "faults", "remove"]]
        let commands = DocumentedCommand.commands(below: PerennialCommand.self, []).filter { _, path in
            path.last.map(verbs.contains) ?? false && !repeatable.contains(path)
        }
        #expect(commands.count > 20)
        for (command, path) in commands { #expect(command is any DestructiveCommand.Type, "\(path)") }
    }

    @Test func `new signing keys are made after a question unless --yes is given`() throws {
        let words = ["certificates", "rotate", "--data", "perennial-data"]
        let command = try #require(try Words.parse(words) as? CertificatesCommand.Rotate)
        #expect(!command.confirmation.yes)
        #expect(command.question.hasPrefix("Replace the signing keys in perennial-data?"))
        let sure = try #require(try Words.parse(words + ["--yes"]) as? CertificatesCommand.Rotate)
        #expect(sure.confirmation.yes)
    }

    @Test func `the root finds its commands`() throws {
        let parsed = try PerennialCommand.parseAsRoot(["clock", "advance", "--by", "P1M"] + Self.access)
        #expect(parsed is ClockCommand.Advance)
    }

    @Test(arguments: [("with space", "a b"), ("with a line break", "a\nb"), ("without anything", "")])
    func `a token that can't stand in a header is refused`(name: String, token: String) {
        #expect(throws: (any Error).self) { try StoreEndpoint.check(token: token, "--token") }
    }

    @Test(arguments: ["journal list --after", "journal list --before", "catalog changes list --after"])
    func `a position is refused with those that are allowed`(option: String) throws {
        let words = option.split(separator: " ").map(String.init)
        for position in ["0", "999999999999999998"] { _ = try Words.parse(words + [position]) }
        for position in ["999999999999999999", "9223372036854775807"] {
            let error = try #require(throws: (any Error).self) { try Words.parse(words + [position]) }
            #expect("\(PerennialCommand.message(for: error))".contains("0 to 999999999999999998"), "\(position)")
        }
    }
}
