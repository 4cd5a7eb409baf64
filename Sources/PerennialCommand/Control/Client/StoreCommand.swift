import ArgumentParser

/// A command that asks a running store something and says what it answered.
protocol StoreCommand: AsyncParsableCommand {
    associatedtype Options: EndpointOptions

    var store: Options { get }

    /// - Throws: ``StoreClientError``, which ends the command with its one line and exit code 1.
    func report(from client: StoreClient) async throws -> Report
}

extension StoreCommand {
    func run() async throws {
        let report: Report
        do {
            report = try await StoreClient.withClient(of: store.endpoint()) { try await self.report(from: $0) }
        } catch let error as StoreClientError where store.server.json {
            Terminal.error(error.json)
            throw ExitCode.failure
        }
        if let text = report.text(asJSON: store.server.json) { Terminal.out(text) }
        if !report.isGood { throw ExitCode.failure }
    }
}

/// What a command has to say: to people in words, to programs in the store's JSON.
struct Report: Sendable, Equatable {
    var words: String
    /// Empty where the store answers with nothing but success.
    var json: [UInt8] = []
    /// Whether the command ends with exit code 0.
    var isGood = true

    func text(asJSON: Bool) -> String? {
        guard asJSON else { return words }
        return json.isEmpty ? nil : String(decoding: json, as: UTF8.self)
    }
}

extension CommandConfiguration {
    /// A command with examples below what it does.
    ///
    /// - Parameter discussion: One paragraph; the line breaks of the source are not the terminal's.
    init(
        _ name: String, _ abstract: String, _ discussion: String = "", examples: [String],
        subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) {
        let paragraph = discussion.split(separator: "\n").joined(separator: " ")
        let listed = "Examples:\n" + examples.map { "  perennial \($0)" }.joined(separator: "\n")
        self.init(
            commandName: name, abstract: abstract,
            discussion: paragraph.isEmpty ? listed : paragraph + "\n\n" + listed, subcommands: subcommands,
            defaultSubcommand: defaultSubcommand)
    }
}
