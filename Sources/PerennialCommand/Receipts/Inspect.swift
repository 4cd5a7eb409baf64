import AppStoreFormats
import ArgumentParser
import Foundation
import Perennial
import PerennialStore

/// `perennial inspect FILE`: says what data is, what it contains, and which checks it passes.
struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "inspect", "Say what data is, what it contains, and which checks it passes.",
        """
        Takes anything: app receipts and transaction receipts, signed data (JWS), notifications, tokens of the Server API and \
        of Connect, certificates, keys, signatures of offers, StoreKit files, report files (text or gzip), IDs; in base64, \
        URL-encoded, quoted, inside JSON, a property list or a command of curl. - reads standard input. A store that runs here, or that --url or --ready-file \
        names, is asked with its keys, revocations and transactions; --offline compares with the root certificates of \
        --root-certificate or of the store alone. The exit code is 1 if a check fails.
        """,
        examples: [
            "inspect receipt.der", "receipts show --account ann@example.com | perennial inspect -",
            "inspect receipt.der --json", "report sales --format tsv | perennial inspect -",
        ])

    @Argument(help: "The file, or - for standard input.", completion: .file())
    var file: String

    @Option(
        name: .customLong("root-certificate"), parsing: .singleValue,
        help: ArgumentHelp(
            "A root certificate to trust, DER or PEM; may be repeated. No store is asked.", valueName: "file"),
        completion: .file(extensions: ["cer", "pem"]))
    var roots: [String] = []

    @Option(name: .customLong("app"), help: ArgumentHelp("The app that it should be of.", valueName: "bundle-id"))
    var bundleID: String?

    @Option(
        help: ArgumentHelp(
            "The device that a receipt should be of: identifierForVendor, or a MAC address.", valueName: "id"))
    var device: String?

    @Flag(help: "Ask no store.")
    var offline = false

    @OptionGroup var store: StoreOptions

    func validate() throws {
        if let device, InspectionRequest.deviceIdentifier(device) == nil {
            throw ValidationError("--device is a UUID, or a MAC address in hexadecimal digits.")
        }
    }

    func run() async throws {
        let document = try await document(of: Array(try InspectedFile.read(file)))
        Terminal.out(try store.server.json ? document.encodedText() : document.text)
        if !document.succeeded { throw ExitCode.failure }
    }

    /// Asks the store, or inspects here where none is known.
    private func document(of bytes: [UInt8]) async throws -> InspectionDocument {
        guard !offline, roots.isEmpty, let endpoint = try? store.endpoint() else { return try inspected(bytes) }
        var body = ["bytes": Data(bytes).base64EncodedString()]
        body["bundleId"] = bundleID
        body["deviceId"] = device
        return try await StoreClient.withClient(of: endpoint) { [body] client in
            let answer: StoreAnswer<InspectionDocument> = try await client.post("control/v1/inspect", body)
            return answer.value
        }
    }

    /// Inspects without a store.
    func inspected(_ bytes: [UInt8]) throws -> InspectionDocument {
        var context = InspectionContext(now: Int64(Date().timeIntervalSince1970 * 1000))
        context.roots = try trustedRoots()
        context.bundleID = bundleID
        context.device = device.flatMap(InspectionRequest.deviceIdentifier)
        return InspectionDocument(Inspector(context).inspect(bytes))
    }

    private func trustedRoots() throws -> [InspectionContext.Root] {
        if !roots.isEmpty { return try roots.flatMap(RootCertificateOptions.roots).map { .init(.both, $0) } }
        let ready =
            try store.server.readyFile.map(ReadyStore.init(file:)) ?? (try? ReadyStore(file: ReadyStore.file()))
        let signedData = try ready?.rootCertificate.map(Self.contents)
        let receipts = try ready?.receiptRootCertificate.map(Self.contents)
        guard let signedData, let receipts, signedData != receipts else {
            return [signedData, receipts].compactMap(\.self).prefix(1).map { .init(.both, $0) }
        }
        return [.init(.signedData, signedData), .init(.receipts, receipts)]
    }

    private static func contents(_ path: String) throws -> [UInt8] {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw CommandError("the root certificate \(path) can't be read")
        }
        return Array(bytes)
    }
}

/// A file of any kind, up to the size that is inspected.
enum InspectedFile {
    /// - Parameter path: `-` for standard input.
    /// - Throws: ``CommandError`` if the file can't be read.
    static func read(_ path: String) throws -> Data {
        let handle = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        // One byte more: the inspection says that it is too large.
        guard let bytes = try? handle?.readUpTo(Inspector.maximumSize + 1), !bytes.isEmpty else {
            throw CommandError("\(path) can't be read, or is empty")
        }
        return bytes
    }
}

extension InspectionDocument {
    private static let marks = ["passed": "✓", "failed": "✗", "skipped": "–"]

    /// The kind, the checks and the contents, for people.
    var text: String {
        var lines = [title + (succeeded ? "" : ": a check failed")]
        lines += layers.map { "  \($0)" }
        lines += self.lines(of: nil)
        for part in parts {
            let kind = Inspection.Kind(rawValue: part.kind)?.title ?? part.kind
            lines += ["", "\(part.name): \(kind)"] + self.lines(of: part.name)
        }
        if !references.isEmpty {
            lines += ["", "IDs"]
            lines += references.map { reference in
                let place = reference.isKnown.map { $0 ? ", in this store" : ", not in this store" } ?? ""
                return "  \(reference.kind) \(reference.id)\(place)"
            }
        }
        return lines.joined(separator: "\n")
    }

    private func lines(of part: String?) -> [String] {
        let checks = checks.filter { $0.part == part }.map { check in
            let title = Inspection.Check.Name(rawValue: check.check)?.title ?? check.check
            return "  \(Self.marks[check.outcome] ?? "?") \(title): \(check.reason)"
        }
        let fields = fields.filter { $0.part == part }.map { field in
            "  \(field.name) = \(field.value)" + (field.note.map { " (\($0))" } ?? "")
        }
        return checks + (fields.isEmpty ? [] : [""] + fields)
    }

    func encodedText() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
