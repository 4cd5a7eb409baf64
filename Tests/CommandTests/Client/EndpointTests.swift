import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import PerennialCommand

/// The search of a command for its store.
struct EndpointTests {
    private static let ready = """
        {"url": "http://ready:1", "controlToken": "of-ready", "apps": [{"bundleId": "a", "sharedSecret": "s"}]}
        """
    private static let variables = ["PERENNIAL_URL": "http://variable:1", "PERENNIAL_TOKEN": "of-variable"]

    /// The places that name a store, and the URL and token that count.
    @Test(arguments: [
        (true, true, true, "http://option:1", "of-option"), (true, false, true, "http://option:1", "of-option"),
        (false, true, true, "http://ready:1", "of-ready"), (false, true, false, "http://ready:1", "of-ready"),
        (false, false, true, "http://variable:1", "of-variable"),
    ])
    func `options come before the ready file, and that before variables`(
        options: Bool, ready: Bool, variables: Bool, url: String, token: String?
    ) throws {
        let file = "\(try TemporaryFolder.make())/ready.json"
        try Data(Self.ready.utf8).write(to: URL(filePath: file))
        let endpoint = try StoreSearch(
            url: options ? "http://option:1/" : nil, token: options ? "of-option" : nil,
            readyFile: ready ? file : nil, variables: variables ? Self.variables : [:], running: { [] }
        ).endpoint(needsToken: true)
        #expect(endpoint.url == url)
        #expect(endpoint.token == token)
    }

    private static func store(_ url: String, app: String = "com.example.one") throws -> ReadyStore {
        let text = """
            {"url": "\(url)", "controlToken": "of \(url)", "rootCertificate": "root.cer",
             "tls": {"url": "https://localhost:8443"}, "apps": [{"bundleId": "\(app)", "sharedSecret": "s"}]}
            """
        return try JSONDecoder().decode(ReadyStore.self, from: Data(text.utf8))
    }

    @Test func `the store that runs is found, and its URL over TLS trusts its root`() throws {
        let one = try Self.store("http://127.0.0.1:1")
        let search = StoreSearch(variables: [:], running: { [one] })
        let found = try search.endpoint(needsToken: true)
        #expect((found.url, found.token) == ("http://127.0.0.1:1", "of http://127.0.0.1:1"))
        let secure = try StoreSearch(url: "https://localhost:8443/", variables: [:], running: { [one] })
            .endpoint(needsToken: true)
        #expect((secure.token, secure.rootCertificate) == ("of http://127.0.0.1:1", "root.cer"))
    }

    @Test func `several running stores are listed, and one of them is named by its URL`() throws {
        let stores = [
            try Self.store("http://127.0.0.1:1"), try Self.store("http://127.0.0.1:2", app: "com.example.two"),
        ]
        #expect {
            _ = try StoreSearch(variables: [:], running: { stores }).endpoint(needsToken: true)
        } throws: { error in
            "\(error)" == "several stores run, name one with --url: http://127.0.0.1:1 (com.example.one), "
                + "http://127.0.0.1:2 (com.example.two)"
        }
        let named = try StoreSearch(url: "http://127.0.0.1:2", variables: [:], running: { stores })
            .endpoint(needsToken: true)
        #expect(named.token == "of http://127.0.0.1:2")
    }

    @Test func `without a store the error says how to start or name one`() throws {
        let search = StoreSearch(variables: [:], running: { [] })
        #expect(throws: StoreClientError(.noStore, "", "")) { _ = try search.endpoint(needsToken: true) }
        let other = StoreSearch(url: "http://127.0.0.1:9", variables: [:], running: { [] })
        #expect(throws: ValidationError.self) { _ = try other.endpoint(needsToken: true) }
        #expect(try other.endpoint(needsToken: false).url == "http://127.0.0.1:9")
    }

    @Test func `a URL in a variable comes before a ready file in a variable`() throws {
        let file = "\(try TemporaryFolder.make())/ready.json"
        try Data(Self.ready.utf8).write(to: URL(filePath: file))
        let variables = ["PERENNIAL_READY_FILE": file]
        let found = try StoreSearch(variables: variables, running: { [] }).endpoint(needsToken: true)
        #expect((found.url, found.token) == ("http://ready:1", "of-ready"))
        let url = ["PERENNIAL_URL": "http://other:1", "PERENNIAL_TOKEN": "t"]
        let other = try StoreSearch(variables: variables.merging(url) { $1 }, running: { [] })
            .endpoint(needsToken: true)
        #expect((other.url, other.token) == ("http://other:1", "t"))
    }

    @Test(arguments: [
        ("Production", "http://store"), ("Sandbox", "http://store/sandbox"),
        ("staging", "http://store/environments/staging"), ("a/../b ä", "http://store/environments/a%2F..%2Fb%20%C3%A4"),
    ])
    func `an environment has its own base URL`(name: String, base: String) throws {
        var endpoint = StoreEndpoint(url: "http://store/", token: nil)
        endpoint.environment = try #require(EnvironmentName(argument: name))
        #expect(endpoint.base == base)
    }

    @Test func `a missing or malformed ready file is reported`() throws {
        let file = "\(try TemporaryFolder.make())/ready.json"
        for text in [nil, "[]"] {
            if let text { try Data(text.utf8).write(to: URL(filePath: file)) }
            #expect {
                _ = try ReadyStore(file: file)
            } throws: { error in
                (error as? StoreClientError)?.code == .notReady && "\(error)".hasPrefix(file)
            }
        }
    }

    @Test func `the ready file of a server is enough`() async throws {
        try await RunningStore.run { store in
            let file = "\(try TemporaryFolder.make())/ready.json"
            let announced = StartupInfo(
                url: store.url, controlToken: RunningStore.token, rootCertificate: "root.cer",
                receiptRootCertificate: "receipt-root.cer", apps: [], keys: [:])
            try ReadyFile(path: file).write(announced)
            let report = try await RunningStore.run(["environments", "list", "--ready-file", file])
            #expect(report.words.contains("staging"))
        }
    }

    @Test func `a command takes the only app, and lists several`() async throws {
        try await RunningStore.run { store in
            #expect(try await store.run("keys", "list").words.hasPrefix("KEY ID"))
            let misspelled = try await store.error("keys", "list", "--app", "com.example.magazin")
            #expect(misspelled.contains("did you mean com.example.magazine?"), "\(misspelled)")
        }
        try await RunningStore.run(beside: [TestCatalog.camera]) { store in
            let line = try await store.error("keys", "list")
            #expect(line.hasPrefix("the store has several apps, name one with --app: com.example."), "\(line)")
            #expect(try await store.run("apps", "list").words.split(separator: "\n").count == 3)
        }
    }
}

/// Names that are spelled like a wrong one.
struct NearMatchTests {
    private static let names = [
        "com.example.photomag.magazine.monthly", "com.example.photomag.magazine.yearly", "subscriptions", "Sandbox",
        "staging", "list", "listen",
    ]

    @Test(arguments: [
        ("montly", ["com.example.photomag.magazine.monthly"]),
        ("magazine.yeraly", ["com.example.photomag.magazine.yearly"]),
        ("monthly", ["com.example.photomag.magazine.monthly"]),
        ("subscriptoins", ["subscriptions"]), ("sandbox", ["Sandbox"]), ("stagign", ["staging"]),
        ("subs", ["subscriptions"]), ("lits", ["list"]), ("nothing", []), ("", []),
    ])
    func `a third of the letters may differ, or all but the end of a name`(word: String, expected: [String]) {
        #expect(NearMatches.of(word, in: Self.names) == expected)
    }

    @Test(arguments: [("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3), ("a", "", 1)])
    func `the distance counts insertions, deletions, replacements and swaps`(one: String, other: String, distance: Int)
    {
        #expect(NearMatches.editDistance(Array(one.utf8), Array(other.utf8)) == distance)
    }

    @Test(arguments: [
        (["acounts", "list"], "`perennial accounts`"), (["refund", "20"], "`perennial refunds`"),
        (["accounts", "shwo"], "`perennial accounts show`"),
        (["reset"], "`perennial environments reset` or `perennial billing reset`"),
        (["keys", "delete"], "`perennial keys revoke`"), (["accounts", "update"], "`perennial accounts edit`"),
        (["products", "update"], "`perennial products edit`"), (["users", "remove"], "`perennial users delete`"),
        (["notifications", "set"], "`perennial notifications receiver set` or `perennial notifications faults set`"),
        (["purchase"], "`perennial buy`"), (["customers"], "`perennial accounts`"),
    ])
    func `a wrong command is answered with similar ones`(words: [String], suggestion: String) {
        #expect {
            try CommandPath.check(words, below: PerennialCommand.self)
        } throws: { error in
            let message = PerennialCommand.message(for: error)
            #expect(message.contains("Did you mean \(suggestion)?"), "\(message)")
            return PerennialCommand.exitCode(for: error).rawValue == 64
        }
    }

    @Test func `a group names its own commands for a verb that it doesn't have`() {
        #expect {
            try CommandPath.check(["transactions", "refund"], below: PerennialCommand.self)
        } throws: { error in
            PerennialCommand.message(for: error).hasSuffix("no command of perennial transactions. It has: list.")
        }
        #expect {
            try CommandPath.check(["qqqqqqqq"], below: PerennialCommand.self)
        } throws: { error in
            PerennialCommand.message(for: error).hasSuffix("perennial --help lists them.")
        }
    }

    @Test(arguments: [
        [], ["--help"], ["help", "buy"], ["buy", "anything"], ["clock", "--json"], ["snippets", "python"],
        ["run", "--", "accounts"],
    ])
    func `words behind a command are not looked at`(words: [String]) throws {
        try CommandPath.check(words, below: PerennialCommand.self)
    }
}
