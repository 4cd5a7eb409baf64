import ArgumentParser
import Foundation
import PerennialConnect

/// `perennial catalog`: files with apps and products.
struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "catalog", "Check, compare, import and export files with apps and products, and see who changed the catalog.",
        examples: ["catalog check Examples/Magazine/catalog.yaml", "catalog export"],
        subcommands: [Check.self, Diff.self, Import.self, Export.self, Changes.self])

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "check", "Read StoreKit files and catalogs as perennial serve does, and print their contents.",
            """
            Prints every app and product and all warnings. The exit code is 65 for a file that can't be used; the error says file,
            line or JSON path, and the expected value. --strict takes warnings for errors.
            """,
            examples: [
                "catalog check Examples/Magazine/catalog.yaml",
                "catalog check Examples/Magazine/Magazine.storekit --app com.example.photomag --strict",
            ])

        @OptionGroup var files: CatalogFileArguments

        @Flag(help: "Exit with code 65 for warnings, too.")
        var strict = false

        func validate() throws {
            guard !files.files.isEmpty else { throw ValidationError("Name a file to check.") }
        }

        func run() async throws {
            let catalog: Catalog
            do {
                catalog = try load()
            } catch {
                throw BadInput.exit(saying: error)
            }
            Terminal.out(CatalogReport(catalog).text)
            if strict, !catalog.warnings.isEmpty { throw BadInput.code }
        }

        /// - Throws: `CatalogError` with file and place.
        func load() throws -> Catalog {
            try files.load()
        }
    }
}

/// The files of a catalog as arguments.
struct CatalogFileArguments: ParsableArguments {
    @Argument(
        help: "Xcode's StoreKit files (.storekit) and Perennial's catalogs (.yaml, .yml).",
        completion: .file(extensions: ["storekit", "yaml", "yml"]))
    var files: [String] = []

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp("The bundle ID of a StoreKit file's app, if no catalog has it.", valueName: "bundle-id"))
    var bundleID: String?

    func validate() throws {
        for file in files where !isStoreKit(file) && !isCatalog(file) {
            throw ValidationError("\(file) is neither a .storekit file nor a .yaml or .yml file.")
        }
    }

    /// - Throws: `CatalogError` with file and place.
    func load() throws -> Catalog {
        try CatalogLoader.load(
            storekit: files.filter(isStoreKit), catalog: files.filter(isCatalog), bundleID: bundleID)
    }

    /// - Throws: `ExitCode` 65 after an error with file, line or JSON path, and the expected value.
    func loaded() throws -> Catalog {
        do {
            return try load()
        } catch {
            throw BadInput.exit(saying: error)
        }
    }

    private func isStoreKit(_ file: String) -> Bool { extensionOf(file) == "storekit" }
    private func isCatalog(_ file: String) -> Bool { ["yaml", "yml"].contains(extensionOf(file)) }
    private func extensionOf(_ file: String) -> String { URL(fileURLWithPath: file).pathExtension.lowercased() }
}
