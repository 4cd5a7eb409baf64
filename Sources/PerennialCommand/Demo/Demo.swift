import ArgumentParser
import Foundation

/// `perennial demo`: the whole story on the terminal, with real processes, real databases and real devices' code.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tell the whole story: sell, sign, verify, deliver, restore, survive a crash.",
        discussion: """
            Starts a store and the seller's content server as processes of their own, buys as customers' devices do, and
            checks every answer. It exits with 0 only if every step came out right, and leaves nothing behind.
            """)

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
        _ = try StoryDatabase.Choice(database)
    }

    func run() async throws {
        let leftovers = Leftovers()
        let signals = leftovers.clearOnSignals()
        defer {
            leftovers.clear()
            signals.forEach { $0.cancel() }
        }
        let narrator = Narrator.standardOutput()
        let story = Story(narrator: narrator)
        var folder: StageFolder?
        do {
            let choice = try StoryDatabase.Choice(database)
            let made = try StageFolder.make(keeping: keep, examples: examples, leftovers)
            folder = made
            try await story.tell(in: made, database: choice, leftovers)
        } catch {
            narrator.failed(error, logs: folder?.lastWords() ?? [])
            throw ExitCode.failure
        }
    }
}
