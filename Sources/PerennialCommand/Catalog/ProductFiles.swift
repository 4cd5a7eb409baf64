import ArgumentParser
import Foundation
import Perennial

extension ProductsCommand {
    /// `perennial products screenshot`: the picture that App Review sees.
    struct Screenshot: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "screenshot", "Upload a product's screenshot for App Review.",
            examples: ["products screenshot upload com.example.photomag.coins screen.png"],
            subcommands: [Upload.self])

        struct Upload: StoreCommand {
            static let configuration = CommandConfiguration(
                "upload", "Replace a product's screenshot for App Review.",
                examples: ["products screenshot upload com.example.photomag.coins screen.png"])

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
    }

    /// `perennial products content`: the versions of a product's content.
    struct Content: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "content", "List, upload, choose and delete versions of a product's content.",
            "The store delivers the last version, if it was started with serve --content.",
            examples: [
                "products content list com.example.photomag.filter.silver",
                "products content upload com.example.photomag.filter.silver filters.zip --content-version 1.1",
                "products content use com.example.photomag.filter.silver 1.0",
            ],
            subcommands: [List.self, Upload.self, Use.self, Delete.self])

        struct List: StoreCommand {
            static let configuration = CommandConfiguration(
                "list", "List the uploaded versions of a product's content.",
                examples: ["products content list com.example.photomag.filter.silver"])

            @OptionGroup var content: ContentArgument
            @OptionGroup var store: OperatorOptions

            var names: StoreNames { content.names }

            func report(from client: StoreClient) async throws -> Report {
                let answer: StoreAnswer<ContentAnswer> = try await client.at(.production).get(
                    try await content.path(client))
                return answer.report { $0.table(of: content.product) }
            }
        }

        struct Upload: StoreCommand {
            static let configuration = CommandConfiguration(
                "upload", "Upload a version of a product's content.",
                examples: [
                    "products content upload com.example.photomag.filter.silver filters.zip --content-version 1.1"
                ])

            @OptionGroup var content: ContentArgument

            @Argument(help: "The file.", completion: .file())
            var file: String

            @Option(
                name: .customLong("content-version"),
                help: ArgumentHelp("A name that the content doesn't have yet.", valueName: "version"))
            var version = "1.0"

            @OptionGroup var store: OperatorOptions

            var names: StoreNames { content.names }

            func report(from client: StoreClient) async throws -> Report {
                let upload = try UploadedFile(file)
                let query = "?version=\(version.percentEncoded)&fileName=\(upload.name.percentEncoded)"
                let answer: StoreAnswer<ContentAnswer> = try await client.at(.production).upload(
                    try await content.path(client, query), upload.data)
                return answer.report { $0.table(of: content.product) }
            }
        }

        struct Use: StoreCommand {
            static let configuration = CommandConfiguration(
                "use", "Choose the version that customers get from now on.",
                examples: ["products content use com.example.photomag.filter.silver 1.0"])

            @OptionGroup var content: ContentArgument

            @Argument(help: "The version.")
            var version: String

            @OptionGroup var store: OperatorOptions

            var names: StoreNames { content.names }

            func report(from client: StoreClient) async throws -> Report {
                try await content.change("use", version, client)
            }
        }

        struct Delete: DestructiveCommand {
            static let configuration = CommandConfiguration(
                "delete", "Delete a version of a product's content, with its file.",
                examples: ["products content delete com.example.photomag.filter.silver 1.0"])

            @OptionGroup var content: ContentArgument

            @Argument(help: "The version.")
            var version: String

            @OptionGroup var confirmation: ConfirmationOption
            @OptionGroup var store: OperatorOptions

            var names: StoreNames { content.names }

            var question: String { "Delete version \(version) of \(content.product)'s content, with its file?" }

            func report(from client: StoreClient) async throws -> Report {
                try await content.change("remove", version, client)
            }
        }
    }
}

/// The product whose content a command is about.
struct ContentArgument: ParsableArguments {
    @Argument(help: "The product's ID.")
    var product: String

    /// Declared a second time, for the reason given at ``StoreOptions``.
    @Option(name: .customLong("app"), help: AppOption.help)
    var bundleID: String?

    var names: StoreNames { StoreNames(app: bundleID, product: product) }

    /// Returns the path of the content in control/v1, or that of something below it.
    fileprivate func path(_ client: StoreClient, _ rest: String = "") async throws -> String {
        let app = try await client.app(bundleID).percentEncoded
        return "control/v1/apps/\(app)/catalog/products/\(product.percentEncoded)/content\(rest)"
    }

    /// Sends a change of a version.
    fileprivate func change(_ action: String, _ version: String, _ client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<ContentAnswer> = try await client.at(.production).post(
            try await path(client, "/\(action)"), ["version": version])
        return answer.report { $0.table(of: product) }
    }
}

/// The uploaded versions of a product's content.
private struct ContentAnswer: Decodable {
    struct Version: Decodable {
        var version: String
        var fileName: String
        var size: Int64
        var sha256: String
    }

    var versions: [Version]

    func table(of product: String) -> String {
        guard !versions.isEmpty else { return "\(product) has no uploaded content" }
        return TerminalTable(
            ["VERSION", "FILE", "BYTES", "SHA-256"],
            versions.map { [$0.version, $0.fileName, "\($0.size)", $0.sha256] }
        ).text
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
