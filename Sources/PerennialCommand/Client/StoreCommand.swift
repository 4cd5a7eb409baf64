import ArgumentParser
import Foundation

/// A command that sends a request to a running store and reports the answer.
protocol StoreCommand: AsyncParsableCommand {
    associatedtype Options: EndpointOptions

    var store: Options { get }

    /// The names in the arguments; if the store doesn't know one, the error suggests others.
    var names: StoreNames { get }

    /// True if the text shows signed data or a receipt: their contents follow it, unless `--no-decoded` is given.
    var showsSignedData: Bool { get }

    /// - Throws: ``StoreClientError``, which ends the command with one line and exit code 1.
    func report(from client: StoreClient) async throws -> Report
}

/// A command whose effect can't be undone: it asks on a terminal, unless `--yes` is given.
protocol DestructiveCommand: StoreCommand {
    var confirmation: ConfirmationOption { get }
    /// True if these arguments change what can't be undone; true unless a command says otherwise.
    var isDestructive: Bool { get }
    /// The question, such as *Delete the environment staging?*
    var question: String { get }
}

extension DestructiveCommand {
    var isDestructive: Bool { true }
}

extension StoreCommand {
    var names: StoreNames { StoreNames() }
    var showsSignedData: Bool { false }

    func run() async throws {
        let report: Report
        do {
            let endpoint = try store.endpoint()
            if let command = self as? any DestructiveCommand, command.isDestructive {
                try command.confirmation.ask(command.question)
            }
            report = try await StoreClient.withClient(of: endpoint) { try await self.report(suggestingFrom: $0) }
        } catch let error as StoreClientError where store.server.json {
            Terminal.error(error.json)
            throw ExitCode.failure
        }
        if let text = text(of: report), !text.isEmpty { Terminal.out(text) }
        if !report.succeeded { throw ExitCode.failure }
    }

    /// Returns the text that the command prints, in the form that its options ask for.
    func text(of report: Report) -> String? {
        let server = store.server
        return report.text(asJSON: server.json, decoded: server.decoded ?? (server.json || showsSignedData))
    }

    /// Runs the request; adds similar names to an error about an unknown one.
    func report(suggestingFrom client: StoreClient) async throws -> Report {
        do {
            let report = try await report(from: client)
            if report.isEmptyList, let error = await names.unknownFilter(client) { throw error }
            return report
        } catch let error as StoreClientError where error.code == .refused {
            throw error.suggesting(await names.similar(to: error, client))
        }
    }
}

/// The result of a command: text for people, the store's JSON for programs.
struct Report: Sendable, Equatable {
    var words: String
    /// Empty if the store's answer has no body.
    var json: [UInt8] = []
    /// True if the command ends with exit code 0.
    var succeeded = true

    /// True if the store's answer is a list without rows.
    var isEmptyList: Bool {
        guard let members = try? JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] else { return false }
        let lists = members.values.compactMap { $0 as? [Any] }
        return lists.count == 1 && lists[0].isEmpty && members["next"] == nil
    }

    /// - Parameter decoded: True to add the contents of signed data and receipts.
    func text(asJSON: Bool, decoded: Bool = false) -> String? {
        guard asJSON else {
            guard decoded, let contents = DecodedAnswer.text(of: json) else { return words }
            return "\(words)\n\n\(contents)"
        }
        guard !json.isEmpty else { return nil }
        let answer = decoded ? DecodedAnswer.adding(to: json) : DecodedAnswer.removing(from: json)
        return String(decoding: answer, as: UTF8.self)
    }
}

extension StoreClient {
    private struct Apps: Decodable {
        struct App: Decodable { var bundleId: String }
        var apps: [App]
    }

    private struct Products: Decodable {
        struct Product: Decodable { var productId: String }
        var products: [Product]
    }

    private struct Accounts: Decodable {
        struct Account: Decodable { var account: String }
        var accounts: [Account]
    }

    private struct Environments: Decodable {
        struct Environment: Decodable { var name: String }
        var environments: [Environment]
    }

    /// Returns the app that was named, or the store's only one.
    ///
    /// - Throws: ``StoreClientError`` `.ambiguous`, which lists the apps.
    func app(_ named: String?) async throws -> String {
        if let named { return named }
        let apps = try await bundleIDs()
        guard apps.count <= 1 else {
            throw StoreClientError(
                .ambiguous, "--app", "the store has several apps, name one with --app: \(apps.joined(separator: ", "))")
        }
        guard let app = apps.first else {
            throw StoreClientError(
                .noStore, "--app", "the store has no app yet: start it with --storekit FILE or --catalog FILE")
        }
        return app
    }

    func bundleIDs() async throws -> [String] {
        let answer: StoreAnswer<Apps> = try await at(.production).get("control/v1/apps")
        return answer.value.apps.map(\.bundleId)
    }

    func productIDs(of app: String?) async throws -> [String] {
        let bundleID = try await self.app(app)
        let answer: StoreAnswer<Products> = try await get("control/v1/apps/\(bundleID.percentEncoded)/products")
        return answer.value.products.map(\.productId)
    }

    /// Returns the first 200 account names that begin with a prefix.
    func accountNames(prefix: String = "") async throws -> [String] {
        let answer: StoreAnswer<Accounts> = try await get(
            "control/v1/accounts?limit=200&prefix=\(prefix.percentEncoded)")
        return answer.value.accounts.map(\.account)
    }

    func environmentNames() async throws -> [String] {
        let answer: StoreAnswer<Environments> = try await at(.production).get("control/v1/environments")
        return answer.value.environments.map(\.name)
    }
}

/// The command lines in the help of a command.
enum ExampleLine {
    /// The columns of a line: ArgumentParser wraps longer ones on a terminal of 80.
    static let width = 78
    private static let indentation = "  "

    /// Returns a command line with its indentation. A long one is broken before options, with backslashes, so that it can be
    /// pasted.
    static func text(_ example: String) -> String {
        var lines = [indentation + "perennial"]
        for (index, unit) in units(example).enumerated() {
            let last = lines[lines.count - 1]
            // A backslash follows, or the rest of the line.
            let isShort = last.count + unit.count + " ".count + " \\".count <= width
            if isShort || index == 0 {
                lines[lines.count - 1] += " " + unit
            } else {
                lines.append(indentation + indentation + indentation + unit)
            }
        }
        let whole = "\(indentation)perennial \(example)"
        return whole.count <= width ? whole : lines.joined(separator: " \\\n")
    }

    /// Splits at spaces outside of quotes; an option stays with its value, and a second command is whole.
    private static func units(_ example: String) -> [String] {
        var units: [String] = []
        var quote: Character?
        for part in example.split(separator: " ", omittingEmptySubsequences: false) {
            let isInside = quote != nil
            for character in part where character == quote || (quote == nil && "'\"".contains(character)) {
                quote = quote == nil ? character : nil
            }
            let isOption = units.last.map { $0.hasPrefix("-") && !$0.contains(" ") } ?? false
            let isValue = isOption && !part.hasPrefix("-") && part != "|"
            let isSecond = units.last.map { $0.hasPrefix("|") || $0 == "--" || $0.hasPrefix("-- ") } ?? false
            if isInside || isValue || isSecond, let last = units.popLast() {
                units.append("\(last) \(part)")
            } else {
                units.append(String(part))
            }
        }
        return units
    }
}

extension CommandConfiguration {
    /// Makes a command with examples below its description.
    ///
    /// - Parameter discussion: One paragraph; the line breaks of the source are not the terminal's.
    init(
        _ name: String, _ abstract: String, _ discussion: String = "", examples: [String],
        subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) {
        let paragraph = discussion.split(separator: "\n").joined(separator: " ")
        let listed = "Examples:\n" + examples.map(ExampleLine.text).joined(separator: "\n")
        self.init(
            commandName: name, abstract: abstract,
            discussion: paragraph.isEmpty ? listed : paragraph + "\n\n" + listed, subcommands: subcommands,
            defaultSubcommand: defaultSubcommand)
    }
}
