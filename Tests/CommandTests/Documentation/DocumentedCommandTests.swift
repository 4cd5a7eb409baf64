import AppStoreFormats
import ArgumentParser
import Foundation
import Perennial
import PerennialConnect
import PerennialStore
import TestSupport
import Testing

@testable import PerennialCommand

/// The command lines in README, docs and help do what they say, with the catalog of Examples/Magazine.
struct DocumentedCommandTests {
    /// The commands of the root, each with the examples in its help and in that of its subcommands.
    @Test(arguments: PerennialCommand.configuration.subcommands.map { $0._commandName })
    func `the examples in the help of a command run one after the other`(name: String) async throws {
        let commands = DocumentedCommand.inHelp.filter { "\($0.place) ".hasPrefix("perennial \(name) ") }
        #expect(!commands.isEmpty)
        try await Self.run(commands)
    }

    @Test(arguments: DocumentedCommand.pages.indices)
    func `the command lines of a page run one after the other`(index: Int) async throws {
        try await Self.run(DocumentedCommand.pages[index].commands)
    }

    private static func run(_ commands: [DocumentedCommand]) async throws {
        guard commands.contains(where: DocumentedCommandRun.needsStore) else {
            return try commands.forEach(DocumentedCommandRun.parse)
        }
        try await RunningStore.run(app: magazine.get()) { store in
            let run = try await DocumentedCommandRun(store)
            for command in commands { try await run.run(command) }
        }
    }

    @Test func `a command in a sentence has words and options that exist`() throws {
        let described = try SpellingTests.described()
        #expect(DocumentedCommand.spans.count > 100)
        for (page, words) in DocumentedCommand.spans {
            let line = words.joined(separator: " ")
            let (command, path) = CommandPath.command(of: words, below: PerennialCommand.self)
            let isComplete = command.configuration.subcommands.isEmpty
            let next = words.dropFirst(path.count - 1).first
            #expect(isComplete || next.map { $0.hasPrefix("-") || $0 == "help" } ?? true, "\(page): \(line)")
            // An alias is no name.
            #expect(zip(words, path.dropFirst()).allSatisfy { $0 == $1 }, "\(page): \(line)")
            let name = path.dropFirst().joined(separator: " ")
            let options = described.filter { name.isEmpty || "\($0.path) ".hasPrefix("\(name) ") }
                .flatMap(\.options).map(\.name)
            for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
                let option = word.dropFirst(2).prefix { $0 != "=" }
                let isBuiltIn = option.hasPrefix("generate-completion-script") || option == "help"
                #expect(isBuiltIn || options.contains(String(option)), "\(page): \(line)")
            }
        }
    }

    @Test func `every command has an example, and every page with commands is found`() {
        let commands = DocumentedCommand.commands(below: PerennialCommand.self, ["perennial"]).dropFirst()
        for (command, path) in commands {
            let help = CommandHelp.text(of: command)
            let example = "Examples:\n  \(path.joined(separator: " "))"
            #expect(help.contains(example) || !command.configuration.subcommands.isEmpty, "\(path)")
            #expect(help.contains("Examples:\n  perennial "), "\(path)")
        }
        #expect(DocumentedCommand.inHelp.count > 100)
        #expect(DocumentedCommand.pages.contains { $0.page == "README.md" })
        #expect(DocumentedCommand.pages.count >= 3)
    }

    @Test func `the tests that run a command elsewhere exist`() throws {
        let root = DocumentedCommand.root.appending(path: "Tests")
        let files = try #require(FileManager.default.enumerator(atPath: root.path)).compactMap { $0 as? String }
        let names = Set(files.map { ($0 as NSString).lastPathComponent.replacing(".swift", with: "") })
        for reason in DocumentedCommandRun.reasons {
            for test in reason.matches(of: /\w+Tests/) {
                #expect(names.contains(String(test.output)), "\(reason)")
            }
        }
    }

    /// The app of the shipped catalog.
    private static let magazine = Result {
        let catalog = DocumentedCommand.root.appending(path: "Examples/Magazine/catalog.yaml").path
        return try #require(
            try CatalogLoader.load(storekit: [], catalog: [catalog], bundleID: nil).apps.first)
    }
}

/// Runs documented command lines against a store, in which the things that they name exist.
struct DocumentedCommandRun {
    static let monthly = "com.example.photomag.magazine.monthly"
    static let roll = "com.example.photomag.film.roll"
    static let receiver = "http://127.0.0.1:9/app-store"
    static let bundleID = App.BundleID(rawValue: "com.example.photomag")

    /// Commands that run elsewhere, or not in a test, each with its reason. Their options are parsed all the same.
    private static let notRun: [(words: [String], reason: String)] = [
        (["serve"], "ScenarioTests runs servers"), (["deliver"], "ScenarioTests runs servers"),
        (["run"], "ScenarioTests runs commands beside a store"), (["demo"], "make demo runs it"),
        (["simulate"], "SimulationTests run it"),
        (["open"], "it opens a browser; OpenCommandTests print the link"),
        (["exercise"], "ExerciseTests exercise stores"), (["check"], "ExerciseTests check their histories"),
        (["listen"], "TerminalTests follow a store"),
        (["notifications", "lint"], "LintTests play notifications against servers"),
        (["quarantine", "release"], "no catalog makes one that can't be renewed; ErrorTests run its refusal"),
        (["certificates", "revoke"], "RevokeCertificateTests run it on a store with keys of its own"),
        (["users", "password", "set"], "it reads a password from the terminal; SignInTests set passwords"),
        (["products", "content"], "it needs a folder of content, which ContentUploadTests make"),
    ]

    /// Why commands and pages are run elsewhere, or not in a test.
    static var reasons: [String] { notRun.map(\.reason) + runElsewhere.map(\.reason) }

    /// Pages that other tests run, each with its reason.
    private static let runElsewhere: [(page: String, reason: String)] = [
        ("states.md", "StatesPageTests run it with the test catalog"),
        ("command-line.md", "it is the help of the commands"),
    ]

    let store: RunningStore
    let folder: String
    init(_ store: RunningStore) async throws {
        self.store = store
        folder = try TemporaryFolder.make()
        for environment in ["Sandbox", "staging", "Production"] {
            try await store.shop.environment(environment).buy(Self.roll, as: "ann@example.com", app: Self.bundleID)
        }
        let keys = URL(filePath: folder).appending(path: "perennial-data/keys")
        try FileManager.default.createDirectory(
            at: keys.deletingLastPathComponent(), withIntermediateDirectories: true)
        let info = StartupInfo(
            url: store.url, controlToken: RunningStore.token, rootCertificate: "\(folder)/root.cer",
            receiptRootCertificate: "\(folder)/receipt-root.cer", apps: [], keys: [:])
        var complete = info
        complete.apps = [
            .init(bundleId: Self.bundleID.rawValue, appAppleId: 1_600_000_001, sharedSecret: TestCatalog.sharedSecret)
        ]
        try ReadyFile(path: "\(folder)/ready.json").write(complete)
        let identities = try TestSigning.identities
        try Data(identities.rootCertificate).write(to: URL(filePath: "\(folder)/root.cer"))
        try Data(identities.receiptRootCertificate).write(to: URL(filePath: "\(folder)/receipt-root.cer"))
        _ = try await store.run(
            "receipts", "show", "--account", "ann@example.com", "--output", "\(folder)/receipt.der")
    }

    /// Returns true if a line is run here.
    static func needsStore(_ command: DocumentedCommand) -> Bool {
        !isRunElsewhere(command) && command.stages.contains { !isParsedOnly($0) }
    }

    private static func isRunElsewhere(_ command: DocumentedCommand) -> Bool {
        runElsewhere.contains { command.place.hasSuffix($0.page) }
    }

    private static func isParsedOnly(_ stage: [String]) -> Bool {
        notRun.contains { stage.starts(with: $0.words) } || stage.first?.hasPrefix("--") == true
    }

    /// Parses a line that isn't run here.
    static func parse(_ command: DocumentedCommand) throws {
        guard !isRunElsewhere(command) else { return }
        try command.stages.forEach(parse)
    }

    func run(_ command: DocumentedCommand) async throws {
        guard !Self.isRunElsewhere(command) else { return }
        var input: String?
        for stage in command.stages {
            if Self.isParsedOnly(stage) {
                try Self.parse(stage)
                continue
            }
            do {
                let words = try await prepared(stage, input: input)
                input = try await output(of: words, toTerminal: stage == command.stages.last)
            } catch let error where !(error is ExitCode) {
                throw TestStore.Missing(what: "way to run it: \(command.testDescription): \(error)")
            }
        }
    }

    private static func parse(_ words: [String]) throws {
        // ArgumentParser's own options end the parsing with their output.
        guard words.first != "--version", words.first?.hasPrefix("--generate") != true else { return }
        let parsed = try Words.parse(words)
        if let run = parsed as? Run { _ = try run.parsed() }
    }

    /// Runs a line as a terminal does.
    ///
    /// - Returns: The text for standard output.
    private func output(of words: [String], toTerminal: Bool) async throws -> String? {
        let parsed = try Words.parse(words)
        switch parsed {
        case let command as any StoreCommand:
            guard toTerminal else { return try await report(of: command).words }
            return try await TerminalWidths.run(command, words) { try await report(of: command).words }
        case let command as CatalogCommand.Check: return CatalogReport(try command.load()).text
        case let command as CertificatesCommand.Rotate: return try rotated(command)
        case let command as SnippetsCommand: return try command.text()
        case let command as Inspect: return try command.inspected(Array(InspectedFile.read(command.file))).text
        default: throw TestStore.Missing(what: "way to run \(words)")
        }
    }

    private func report(of command: some StoreCommand) async throws -> Report {
        try await StoreClient.withClient(of: command.store.endpoint()) {
            try await command.report(suggestingFrom: $0)
        }
    }

    private func rotated(_ command: CertificatesCommand.Rotate) throws -> String {
        let keys = URL(filePath: command.data).appending(path: "keys")
        if !SigningFolder.holdsKeys(keys) { _ = try SigningIdentities.loadOrMake(in: keys) }
        return try command.rotate()
    }
}

// MARK: - What the lines name

extension DocumentedCommandRun {
    /// Puts the store's numbers, files and address in the place of the printed ones.
    private func prepared(_ words: [String], input: String?) async throws -> [String] {
        let environment = words.firstIndex(of: "--environment").map { words[$0 + 1] } ?? "Sandbox"
        if !["Sandbox", "Production"].contains(environment) {
            _ = try? await store.run(["environments", "create", environment], environment)
        }
        let id =
            words.contains { ["2000000000000002", "ID"].contains($0) }
            ? try await subscription(in: environment) : ""
        let numbers = try await made(for: words, id, environment)
        var result = words.map { word -> String in
            if let number = numbers[word] { return number }
            switch word {
            case "2000000000000002", "ID": return id
            case "ready.json", "perennial-data", "rates.csv", "books.beancount": return "\(folder)/\(word)"
            case "catalog.yaml", "Magazine.storekit": return "\(folder)/\(UUID().uuidString)-\(word)"
            case "sales.tsv": return "\(folder)/\(UUID().uuidString).tsv"
            case "receipt.der":
                // The line writes the file, or reads the one that is there.
                let writes = words.contains("--output")
                return writes ? "\(folder)/\(UUID().uuidString).der" : "\(folder)/receipt.der"
            case "-": return inputFile(input)
            case "screen.png": return DocumentedCommand.root.appending(path: "docs/images/console-overview.png").path
            case _ where word.hasPrefix("Examples/"): return DocumentedCommand.root.appending(path: word).path
            case _ where word.hasSuffix(".p8"): return "\(folder)/\(UUID().uuidString).p8"
            default: return word
            }
        }
        // SeedTests make longer histories.
        for (option, value) in [("--months", "1"), ("--customers", "5")] where words[0] == "seed" {
            if let place = words.firstIndex(of: option) { result[place + 1] = value }
        }
        if words.starts(with: ["keys", "create"]), !words.contains("--output") {
            result += ["--output", "\(folder)/\(UUID().uuidString).p8"]
        }
        return result + access(for: words)
    }

    /// The options that a terminal doesn't need, since it finds the store.
    private func access(for words: [String]) -> [String] {
        guard !words.contains("--ready-file"), !words.starts(with: ["catalog", "check"]),
            !words.starts(with: ["certificates", "rotate"])
        else { return [] }
        if ["snippets", "inspect"].contains(words[0]) || words.starts(with: ["receipts", "verify"]) {
            return ["--ready-file", "\(folder)/ready.json"]
        }
        return (words.contains("--url") ? [] : ["--url", store.url]) + ["--token", RunningStore.token]
    }

    private func inputFile(_ text: String?) -> String {
        let file = "\(folder)/\(UUID().uuidString)"
        try? Data((text ?? "").utf8).write(to: URL(filePath: file))
        return file
    }

    /// Makes what a line is about, if nothing before it has.
    ///
    /// - Returns: The printed words with those that take their place.
    private func made(for words: [String], _ id: String, _ environment: String) async throws -> [String: String] {
        func attempt(_ words: String...) async -> Report? { try? await store.run(words, environment) }
        let unique = UUID().uuidString.lowercased()
        switch Array(words.prefix(2)) {
        case ["buy", Self.monthly]: try await endSubscriptions(of: "ann@example.com", environment)
        case ["accounts", "create"]: return [words[2]: "\(unique)@example.com"]
        case ["accounts", "edit"], ["accounts", "show"]: _ = await attempt("accounts", "create", words[2])
        case ["offer-codes", "create"]: return ["SPRING": unique.prefix(8).uppercased()]
        case ["subscriptions", "extend"]: _ = await attempt("subscriptions", "renew", id)
        case ["refunds", "decline"]: _ = await attempt("refunds", "request", id)
        case ["refunds", "reverse"]: _ = await attempt("refunds", "create", id)
        case ["price-consent", "accept"], ["price-consent", "decline"]:
            _ = await attempt(
                "prices", "set", Self.monthly, try await higherPrice(environment), "--only-here", "--consent")
        case ["groups", "create"]: return ["Club": "Club \(unique)"]
        case ["products", "submit"], ["products", "withdraw"], ["reviews", "start"], ["reviews", "approve"],
            ["reviews", "reject"]:
            return try await submission(words)
        case _ where words[0] == "users", _ where words.contains("--user"): return try await person(words)
        case ["groups", "edit"], ["groups", "delete"], ["groups", "submit"], ["products", "create"],
            ["products", "edit"], ["products", "screenshot"], ["products", "delete"], ["offers", "create"],
            ["offers", "delete"]:
            return try await catalogParts(words.filter { $0 != "upload" })
        case ["products", "on-sale"]: _ = await attempt("products", "off-sale", Self.monthly)
        case ["offer-codes", "deactivate"]:
            let code = unique.prefix(8).uppercased()
            _ = await attempt("offer-codes", "create", "radio", "--product", Self.monthly, "--code", code)
            return [words[2]: code]
        case ["offer-codes", "redeem"]:
            let code = unique.prefix(8).uppercased()
            _ = await attempt("offer-codes", "create", "radio", "--product", Self.monthly, "--code", code)
            // A customer redeems an offer once.
            return [words[2]: code, "ann@example.com": "\(unique)@example.com"]
        case ["families", "add"], ["families", "remove"], ["families", "delete"]:
            return ["2000000000000012": try await family(words, environment)]
        case ["ask-to-buy", "approve"], ["ask-to-buy", "decline"]:
            return ["1": try await pending("ask-to-buy", "approvals", environment), "NUMBER": ""]
        case ["interrupted", "resolve"]: return ["1": try await pending("interrupted", "interruptions", environment)]
        case ["keys", "revoke"]:
            let made = try await store.run("keys", "create", "--output", "\(folder)/\(UUID().uuidString).p8")
            return [words[2]: try JSONValue(made.json)["keyId"]?.text ?? ""]
        case ["notifications", "show"], ["notifications", "resend"]:
            _ = await attempt("notifications", "receiver", "set", Self.receiver)
            let test = await attempt("notifications", "test")
            return [words[2]: try test.flatMap { try JSONValue($0.json)["notificationUUID"]?.text } ?? ""]
        case ["notifications", "receiver"], ["notifications", "test"], ["notifications", "faults"]:
            _ = await attempt("notifications", "receiver", "set", Self.receiver)
        case ["environments", "create"]: _ = await attempt("environments", "delete", words[2])
        case ["environments", "delete"], ["environments", "reset"]:
            _ = await attempt("environments", "create", words[2])
        case ["families", "create"]: try await removeFamilies(environment)
        case _ where words[0] == "explain":
            _ = try await store.run(["buy", Self.roll, "--account", "ann@example.com"], environment)
            let shop = try await store.shop.environment(environment)
            let month = FiscalMonth(containing: PacificDay(try await shop.store.now()))
            return try await reported(environment).merging(["2026-04": month.description]) { $1 }
        case ["report", "financial"], ["report", "payments"]: return try await finances(isClosed: true)
        case _ where ["finance", "reconcile", "books"].contains(words[0]): return try await finances(isClosed: false)
        case _ where words[0] == "report": return try await reported(environment)
        default: break
        }
        return [:]
    }
}
