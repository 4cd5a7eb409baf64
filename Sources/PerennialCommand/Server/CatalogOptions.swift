import AppStoreFormats
import ArgumentParser
import Foundation
import PerennialConnect

/// The files with apps and products.
struct CatalogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("An Xcode StoreKit configuration file; may be repeated.", valueName: "file"),
        completion: .file(extensions: ["storekit"]))
    var storekit: [String] = []

    @Option(
        help: ArgumentHelp("A Perennial catalog in YAML; may be repeated.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var catalog: [String] = []

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp("The bundle ID of a StoreKit file's app, if no catalog has it.", valueName: "bundle-id"))
    var bundleID: String?

    /// An earlier spelling of `--app`, which scripts rely on. Help and pages have the one spelling.
    @Option(name: .customLong("bundle-id"), help: .hidden)
    var bundleIDInScripts: String?

    /// Reads the files.
    ///
    /// - Throws: `ExitCode` 65 after an error with file, line or JSON path, and the expected value.
    func load(warn: (String) -> Void) throws -> Catalog {
        do {
            let loaded = try CatalogLoader.load(
                storekit: storekit, catalog: catalog, bundleID: bundleID ?? bundleIDInScripts)
            for warning in loaded.warnings { warn("\(warning)") }
            return loaded
        } catch {
            throw BadInput.exit(saying: error)
        }
    }
}

/// The end of a command because of an input file.
enum BadInput {
    /// sysexits.h: EX_DATAERR.
    static let code = ExitCode(65)

    /// Prints the error of a file.
    static func exit(saying error: any Error) -> ExitCode {
        Terminal.error(Terminal.errors.styled("error:", .red) + " \(error)")
        return code
    }
}

/// The digest that receipts are signed over.
enum ReceiptDigestOption: String, ExpressibleByArgument, CaseIterable {
    case sha256 = "sha-256"
    case sha1 = "sha-1"

    var digest: ReceiptDigest {
        switch self {
        case .sha256: .sha256
        case .sha1: .sha1
        }
    }
}
