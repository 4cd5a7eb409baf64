import ArgumentParser
import Foundation

/// `perennial snippets LANGUAGE`: programs for a running store.
struct SnippetsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "snippets", "Print a program for a running store, with its keys and paths filled in.",
        """
        The program requests a transaction and verifies the answer; it buys nothing. All languages but curl need a store with
        --tls: their libraries have the App Store's host names built in.
        """,
        examples: ["snippets python", "snippets swift --ready-file ready.json"])

    @Argument(help: "swift, python, node, java, go or curl.")
    var language: SnippetLanguage

    @Option(
        name: .customLong("ready-file"),
        help: ArgumentHelp(
            "The ready file of perennial serve (or PERENNIAL_READY_FILE); that of the store that runs here if omitted.",
            valueName: "file"), completion: .file())
    var readyFile: String?

    @Option(help: ArgumentHelp("The app; the store's first if omitted.", valueName: "bundle-id"))
    var app: String?

    func run() async throws { Terminal.out(try text()) }

    /// - Throws: ``StoreClientError`` `.notReady`, `.noStore`, `.ambiguous`; `.refused` for an unknown app; ``CommandError`` for a store without apps.
    func text() throws -> String {
        let readyFile = try readyFile ?? ReadyStore.file()
        guard let bytes = FileManager.default.contents(atPath: readyFile) else {
            throw StoreClientError(
                .notReady, readyFile,
                "there is no such file: the store of perennial serve --ready-file FILE is not ready")
        }
        guard let store = try? JSONDecoder().decode(StartupInfo.self, from: bytes) else {
            throw StoreClientError(.notReady, readyFile, "this is not what perennial serve writes with --ready-file")
        }
        guard let found = store.apps.first(where: { app == nil || $0.bundleId == app }) else {
            guard let app else {
                throw CommandError("the store has no app yet: start it with --storekit FILE or --catalog FILE")
            }
            let error = StoreClientError(.refused, "appNotFound", "the store has no app \(app)")
            throw error.suggesting(NearMatches.of(app, in: store.apps.map(\.bundleId)))
        }
        return language.text(SnippetValues(store: store, app: found))
    }
}
