import ArgumentParser
import Foundation
import Perennial

extension ProductsCommand {
    struct Screenshot: StoreCommand {
        static let configuration = CommandConfiguration(
            "screenshot", "Replace a product's screenshot for App Review.",
            examples: ["products screenshot com.example.photomag.coins screen.png"])

        @Argument(help: "The product's ID.")
        var product: String

        @Argument(help: "A PNG or JPEG file.", completion: .file())
        var file: String

        @OptionGroup var app: AppOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        func report(from client: StoreClient) async throws -> Report {
            let upload = try UploadedFile(file)
            let answer: StoreAnswer<Answer> = try await client.at(.production).upload(
                try await app.catalogProduct(client, product, "/screenshot?fileName=\(upload.name.percentEncoded)"),
                upload.data)
            return answer.report { answer in
                "\(product) has a screenshot of \(answer.width ?? 0) by \(answer.height ?? 0) pixels"
            }
        }

        private struct Answer: Decodable {
            var width: Int?
            var height: Int?
        }
    }

    struct Content: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "content", "List, upload, choose and remove versions of a product's content.",
            "The store delivers the last version, if it was started with serve --content.",
            examples: [
                "products content com.example.photomag.filter.silver",
                "products content com.example.photomag.filter.silver filters.zip --content-version 1.1",
                "products content com.example.photomag.filter.silver --use 1.0",
            ])

        @Argument(help: "The product's ID.")
        var product: String

        @Argument(help: "The file; lists the versions if omitted.", completion: .file())
        var file: String?

        @Option(
            name: .customLong("content-version"),
            help: ArgumentHelp("A name that the content doesn't have yet.", valueName: "version"))
        var version = "1.0"

        @Option(help: ArgumentHelp("The version that customers get from now on.", valueName: "version"))
        var use: String?

        @Option(help: ArgumentHelp("A version that is removed with its file.", valueName: "version"))
        var remove: String?

        @OptionGroup var app: AppOption
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        var isDestructive: Bool { remove != nil }

        var question: String { "Remove version \(remove ?? version) of \(product)'s content, with its file?" }

        func validate() throws {
            guard [file, use, remove].count(where: { $0 != nil }) <= 1 else {
                throw ValidationError("Name a file, --use or --remove.")
            }
        }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer>
            if let chosen = use ?? remove {
                answer = try await client.at(.production).post(
                    try await app.catalogProduct(client, product, "/content/\(use == nil ? "remove" : "use")"),
                    Body(version: chosen))
            } else if let file {
                let upload = try UploadedFile(file)
                let query = "?version=\(version.percentEncoded)&fileName=\(upload.name.percentEncoded)"
                answer = try await client.at(.production).upload(
                    try await app.catalogProduct(client, product, "/content\(query)"), upload.data)
            } else {
                answer = try await client.at(.production).get(
                    try await app.catalogProduct(client, product, "/content"))
            }
            return answer.report { answer in
                answer.versions.isEmpty
                    ? "\(product) has no uploaded content"
                    : TextTable(
                        ["VERSION", "FILE", "BYTES", "SHA-256"],
                        answer.versions.map { [$0.version, $0.fileName, "\($0.size)", $0.sha256] }
                    ).text
            }
        }

        private struct Body: Encodable { var version: String }

        private struct Answer: Decodable {
            struct Version: Decodable {
                var version: String
                var fileName: String
                var size: Int64
                var sha256: String
            }

            var versions: [Version]
        }
    }
}

/// A file that a command sends.
private struct UploadedFile {
    let name: String
    let data: Data

    /// - Throws: ``CommandError`` for a file that can't be read.
    init(_ path: String) throws {
        guard let data = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) else {
            throw CommandError("\(path) can't be read")
        }
        self.data = data
        name = URL(filePath: path).lastPathComponent
    }
}
