import ArgumentParser
import Foundation
import Perennial
import PerennialConnect

extension CatalogCommand {
    /// The forms in which a catalog is written.
    enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
        case yaml, storekit
    }

    struct Export: StoreCommand {
        static let configuration = CommandConfiguration(
            "export", "Write the catalog of a running store as YAML or as a StoreKit file.",
            """
            YAML says everything; importing it again changes nothing. A StoreKit file has one app's products for Xcode; what it
            can't say is listed as warnings. A StoreKit file that exists is updated: its other settings stay.
            """,
            examples: [
                "catalog export", "catalog export --app com.example.photomag --output catalog.yaml",
                "catalog export --app com.example.photomag --format storekit --output Magazine.storekit",
            ])

        @OptionGroup var app: AppOption

        @Option(help: "yaml or storekit; by the file's suffix if omitted.")
        var format: ExportFormat?

        @Option(
            help: ArgumentHelp("The file to write; standard output if omitted.", valueName: "file"),
            completion: .file(extensions: ["storekit", "yaml", "yml"]))
        var output: String?

        @Flag(help: "Include the apps' shared secrets (YAML only).")
        var secrets = false

        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        private var writtenFormat: ExportFormat {
            if let format { return format }
            let suffix = output.map { URL(fileURLWithPath: $0).pathExtension.lowercased() }
            return suffix == ExportFormat.storekit.rawValue ? .storekit : .yaml
        }

        func report(from client: StoreClient) async throws -> Report {
            let bundleID = writtenFormat == .storekit ? try await client.app(app.bundleID) : app.bundleID
            var query = bundleID.map { ["bundleId=\($0.percentEncoded)"] } ?? []
            if secrets { query.append("secrets=true") }
            let answer: StoreAnswer<Answer> = try await client.at(.production).get(
                "control/v1/catalog/export?" + query.joined(separator: "&"), timeout: StoreClient.advanceTimeout)
            let catalogs = answer.value.apps.map(\.catalog)
            let text: String
            switch writtenFormat {
            case .yaml where catalogs.count == 1: text = catalogs[0]
            case .yaml: text = try Catalog.document(of: catalogs)
            case .storekit: text = try storeKit(catalogs.first ?? "", bundleID ?? "")
            }
            guard let output else { return Report(words: String(text.dropLast()), json: Array(text.utf8)) }
            do {
                try Data(text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
            } catch {
                throw CommandError("\(output) can't be written: \(error.localizedDescription)")
            }
            return Report(words: "Wrote \(output)")
        }

        private func storeKit(_ catalog: String, _ bundleID: String) throws -> String {
            let path = output ?? "\(bundleID).storekit"
            do {
                let template = output.flatMap { FileManager.default.contents(atPath: $0) }.map { [UInt8]($0) }
                let (text, losses) = try Catalog(document: catalog.utf8, name: bundleID).storeKitFile(
                    of: App.BundleID(rawValue: bundleID), updating: template, path: path)
                for loss in losses { Terminal.warn("a StoreKit file can't say: \(loss)") }
                return text
            } catch let error as CatalogError {
                throw BadInput.exit(saying: error)
            }
        }

        private struct Answer: Decodable {
            struct App: Decodable {
                var bundleId: String
                var catalog: String
            }

            var apps: [App]
        }
    }
}
