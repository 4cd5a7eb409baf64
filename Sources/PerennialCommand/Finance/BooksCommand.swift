import AppStoreFormats
import ArgumentParser
import Foundation
import NIOCore
import Perennial

/// `perennial books`: the books as plain-text accounting.
struct BooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "books", "Export the books for hledger or beancount.",
        examples: ["books export --format hledger --environment staging"], subcommands: [Export.self])

    struct Export: StoreCommand {
        static let configuration = CommandConfiguration(
            "export", "Write the books as plain-text accounting.",
            """
            Each journal entry with money is a transaction, with tags for fiscal month, region, app and store transaction. \
            Closings, withheld taxes, exchanges and payouts follow.
            """,
            examples: [
                "books export --format hledger --environment staging",
                "books export --format beancount --month 2027-01 --output books.beancount --environment staging",
            ])

        @Option(help: ArgumentHelp("hledger or beancount.", valueName: "format"))
        var format: PlainTextBooks.Format

        @Option(help: ArgumentHelp("Only this fiscal month; everything if omitted.", valueName: "month"))
        var month: FiscalMonth?

        @Option(help: ArgumentHelp("The file to write instead of printing.", valueName: "file"), completion: .file())
        var output: String?

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let file = try output.map(Self.open) ?? .standardOutput
            try await client.stream(
                "control/v1/books?format=\(format.rawValue)\(month.map { "&month=\($0)" } ?? "")",
                timeout: StoreClient.advanceTimeout
            ) { try file.write(contentsOf: Data($0.readableBytesView)) }
            guard let output else { return Report(words: "") }
            try file.close()
            return Report(words: "The books are in \(output)")
        }

        private static func open(_ path: String) throws -> FileHandle {
            guard FileManager.default.createFile(atPath: path, contents: nil),
                let file = FileHandle(forWritingAtPath: path)
            else { throw CommandError("\(path) can't be written") }
            return file
        }
    }
}

extension PlainTextBooks.Format: ExpressibleByArgument {}
