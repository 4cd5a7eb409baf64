import AppStoreFormats
import ArgumentParser
import Foundation
import PerennialConnect

/// What is for sale.
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
        name: .customLong("bundle-id"),
        help: "The bundle ID of a StoreKit file's app, where no catalog says it.")
    var bundleID: String?

    /// Reads the files.
    ///
    /// - Throws: `ExitCode` 65 after saying which file, line or JSON path is wrong and what was expected.
    func load(warn: (String) -> Void) throws -> Catalog {
        do {
            let loaded = try CatalogLoader.load(storekit: storekit, catalog: catalog, bundleID: bundleID)
            for warning in loaded.warnings { warn("\(warning)") }
            return loaded
        } catch {
            throw BadInput.exit(saying: error)
        }
    }
}

/// How a command ends because of a file it was given.
enum BadInput {
    /// sysexits.h: EX_DATAERR.
    static let code = ExitCode(65)

    /// Says what is wrong with the file.
    static func exit(saying error: any Error) -> ExitCode {
        FileHandle.standardError.write(Data("error: \(error)\n".utf8))
        return code
    }
}

/// What receipts are signed over.
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
