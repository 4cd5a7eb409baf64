import ArgumentParser
import Foundation

/// `perennial snippets`: code that speaks to a running store, with its keys and paths filled in.
struct SnippetsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "snippets", "Print code that speaks to a running store, with its keys and paths filled in.",
        """
        It buys nothing: it asks for a transaction and verifies what is answered. The store has to run with --tls for all but curl,
        since these libraries have the App Store's host names built in.
        """,
        examples: ["snippets python --ready-file ready.json", "snippets swift --ready-file ready.json"])

    @Argument(help: "swift, python, node, java, go or curl.")
    var language: SnippetLanguage

    @Option(
        name: .customLong("ready-file"),
        help: ArgumentHelp("The ready file of perennial serve.", valueName: "file"), completion: .file())
    var readyFile: String

    @Option(help: ArgumentHelp("The app; the store's first where left out.", valueName: "bundle ID"))
    var app: String?

    func run() async throws { Terminal.out(try text()) }

    /// - Throws: ``StoreClientError`` `.notReady`, ``CommandError`` for an app that isn't there.
    func text() throws -> String {
        guard let bytes = FileManager.default.contents(atPath: readyFile) else {
            throw StoreClientError(
                .notReady, readyFile,
                "there is no such file: the store of perennial serve --ready-file FILE is not ready")
        }
        guard let store = try? JSONDecoder().decode(Announcement.self, from: bytes) else {
            throw StoreClientError(.notReady, readyFile, "this is not what perennial serve writes with --ready-file")
        }
        guard let found = store.apps.first(where: { app == nil || $0.bundleId == app }) else {
            throw CommandError("the store has no app \(app ?? "yet: start it with --storekit FILE or --catalog FILE")")
        }
        return language.text(SnippetValues(store: store, app: found))
    }
}
