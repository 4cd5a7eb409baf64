import ArgumentParser
import Foundation

/// `perennial demo`: runs the demonstration with real processes, real databases and the code of real devices.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "demo", "Show everything at work: sell, sign, verify, deliver, restore, survive a crash.",
        """
        Starts a store and the seller's content server as processes of their own, buys as customers' devices do, and checks
        every answer. The exit code is 0 only if every step succeeds. It leaves nothing behind.
        """,
        examples: ["demo", "demo --database postgres"])

    @Option(
        help: ArgumentHelp(
            "sqlite, postgres (a server of the demo's own, gone afterwards), or the URL of an empty database.",
            valueName: "engine or url"))
    var database = "sqlite"

    @Option(
        help: ArgumentHelp(
            "Keep all that is made in this new folder: keys, databases, logs, devices.", valueName: "folder"),
        completion: .directory)
    var keep: String?

    @Option(
        help: ArgumentHelp("The folder with the example's seller, Magazine.", valueName: "folder"),
        completion: .directory)
    var examples = "Examples"

    func validate() throws {
        _ = try DemoDatabase.Choice(database)
    }

    func run() async throws { try await Cleanup.clearing { try await show($0) } }

    private func show(_ cleanup: Cleanup) async throws {
        let printer = Printer.standardOutput()
        let scenario = Scenario(printer: printer)
        var folder: DemoFolder?
        do {
            let choice = try DemoDatabase.Choice(database)
            let made = try DemoFolder.make(keeping: keep, examples: examples, cleanup)
            folder = made
            try await scenario.run(in: made, database: choice, cleanup)
        } catch {
            printer.failed(error, logs: folder?.lastWords() ?? [])
            throw ExitCode.failure
        }
    }
}
