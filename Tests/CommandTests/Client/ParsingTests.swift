import ArgumentParser
import Testing

@testable import PerennialCommand

/// Command lines that are understood, and those that aren't.
struct ParsingTests {
    private static let access = ["--url", "http://127.0.0.1:1", "--token", "t"]

    @Test(arguments: [
        "account ann", "account ann --storefront DEU --payment-method declined --password secret",
        "account ann --no-can-make-payments", "account ann --show", "buy film.roll --account ann --app a.b",
        "buy film.roll --account ann --app a.b --quantity 10 --idempotency-key k --offer o",
        "buy film.roll --account ann --app a.b --app-account-token 0B0C0D0E-0001-0002-0003-000000000004",
        "receipt --account ann --app a.b", "receipt --account ann --app a.b --output r.der",
        "receipt --account ann --app a.b -o r.der", "refund 20", "refund 20 --reason app-issue --percentage 100",
        "approvals --app a.b", "approve 20", "decline 20", "subscription 20", "renew 20", "expire 20", "cancel 20",
        "resume 20", "change 20 yearly", "decline-payments 20",
        "accept-payments 20", "consent 20", "consent 20 --decline", "clock", "clock show", "clock advance --by P1M",
        "clock advance --to 2026-01-31T10:00:00+01:00", "reset", "reset --environment Production",
        "reset --environment staging --json",
    ])
    func `a command line is understood`(line: String) throws {
        _ = try Words.parse(line.split(separator: " ").map(String.init) + Self.access)
    }

    @Test(arguments: [
        "environment", "environment list", "environment create staging",
        "environment create staging --kind Production --clock manual --now 2026-01-31T10:00:00Z",
        "environment create staging --clock real",
    ])
    func `environments are made by those who have the token`(line: String) throws {
        _ = try Words.parse(line.split(separator: " ").map(String.init) + Self.access)
    }

    @Test(arguments: [
        ("account", "Missing expected argument '<name>'"),
        ("account ann --show --storefront DEU", "--show changes nothing."),
        ("account ann --payment-method gold", "The value 'gold' is invalid for '--payment-method <payment-method>'"),
        ("buy film.roll --app a.b", "Missing expected argument '--account <name>'"),
        ("buy film.roll --account ann", "Missing expected argument '--app <bundle-id>'"),
        ("buy film.roll --account ann --app a.b --quantity 11", "--quantity is 1 to 10."),
        ("buy film.roll --account ann --app a.b --app-account-token x", "--app-account-token is a UUID."),
        ("refund twenty", "The value 'twenty' is invalid for '<id>'"),
        ("refund 20 --percentage 0", "--percentage is 1 to 100."),
        ("refund 20 --reason whim", "The value 'whim' is invalid for '--reason <reason>'"),
        ("renew -1", "Missing expected argument '<id>'"), ("change 20", "Missing expected argument '<product>'"),
        ("clock advance", "Say either --by or --to."),
        ("clock advance --by P1M --to 2026-01-31T10:00:00Z", "Say either --by or --to."),
        ("clock advance --by 1H", "The value '1H' is invalid for '--by <duration>': expected an ISO 8601 duration"),
        ("clock advance --by PT0S", "The value 'PT0S' is invalid for '--by <duration>': a duration is longer"),
        ("clock advance --to tomorrow", "The value 'tomorrow' is invalid for '--to <time>'"),
        ("environment create e --clock real --now 2026-01-31T10:00:00Z", "--now is for a manual clock."),
        ("environment create e --kind Xcode", "The value 'Xcode' is invalid for '--kind <kind>'"),
        ("clock --url ftp://127.0.0.1", "--url is a URL such as http://127.0.0.1:8080."),
        ("clock --url 127.0.0.1:8080", "--url is a URL such as http://127.0.0.1:8080."),
        ("clock --environment=", "Missing value for '--environment <name>'"),
        ("catalog check shop.json", "shop.json is neither a .storekit file nor a .yaml or .yml file."),
        ("catalog check", "Missing expected argument '<files> ...'"),
        ("certificates rotate", "Missing expected argument '--data <folder>'"),
        ("verify", "Missing expected argument '<file>'"),
    ])
    func `a misunderstanding says what was meant, with exit code 64`(line: String, message: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        #expect {
            let needsToken = !["catalog", "certificates", "verify"].contains(words[0])
            let url = line.contains("--url") ? [] : ["--url", "http://127.0.0.1:1"]
            _ = try Words.parse(words + (needsToken ? url + ["--token", "t"] : []))
        } throws: { error in
            let said = PerennialCommand.message(for: error)
            #expect(said.hasPrefix(message), "\(said)")
            return PerennialCommand.exitCode(for: error).rawValue == 64
        }
    }

    @Test func `the root finds its commands`() throws {
        let parsed = try PerennialCommand.parseAsRoot(["clock", "advance", "--by", "P1M"] + Self.access)
        #expect(parsed is ClockCommand.Advance)
    }

    @Test(arguments: [("with space", "a b"), ("with a line break", "a\nb"), ("without anything", "")])
    func `a token that no header can carry is refused`(name: String, token: String) {
        #expect(throws: (any Error).self) { try StoreEndpoint.check(token: token, "--token") }
    }
}
