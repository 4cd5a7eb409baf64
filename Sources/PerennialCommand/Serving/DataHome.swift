import AppStoreFormats
import ArgumentParser
import Foundation
import PerennialStorage

/// Where a server keeps what must last.
struct DataOptions: ParsableArguments {
    private static let usualFolder = "perennial-data"

    @Option(
        name: .customLong("data"),
        help: ArgumentHelp("The folder for keys and database. (default: \(usualFolder))", valueName: "folder"),
        completion: .directory)
    var folder: String?

    var data: String { folder ?? Self.usualFolder }

    @Flag(name: .customLong("in-memory"), help: "Leave nothing behind: keys and purchases end with the process.")
    var inMemory = false

    @Option(help: ArgumentHelp("sqlite:PATH or postgres://…; SQLite in the data folder by default.", valueName: "url"))
    var database: String?

    func validate() throws {
        if inMemory, folder != nil { throw ValidationError("--in-memory leaves nothing behind: it has no --data.") }
        if inMemory, database != nil { throw ValidationError("--in-memory has no --database.") }
        if let database, (try? DatabaseLocation(url: database)) == nil {
            throw ValidationError("--database is sqlite:PATH or postgres://USER@HOST/NAME.")
        }
    }
}

/// A server's folder: keys with mode 0600 in `keys`, the control token, the database.
struct DataHome: Sendable {
    static let controlTokenBytes = 32

    let folder: String
    let location: DatabaseLocation
    let controlToken: String
    private let prepared: Task<SigningIdentities, any Error>?
    private let isTemporary: Bool

    init(_ options: DataOptions) throws {
        isTemporary = options.inMemory
        folder =
            options.inMemory
            ? NSTemporaryDirectory() + "perennial-\(UUID().uuidString.lowercased())"
            : URL(fileURLWithPath: options.data).path
        try Self.make(folder)
        if options.inMemory {
            location = .inMemory
        } else if let database = options.database {
            location = try DatabaseLocation(url: database)
        } else {
            location = .sqlite(path: folder + "/store.sqlite")
        }
        controlToken = try Self.loadOrMakeToken(folder + "/control-token")
        let keys = Self.keys(in: folder)
        // RSA keys take longer than all else that a first start does: beside them the database is opened.
        prepared = SigningFolder.holdsKeys(keys) ? nil : Task.detached { try SigningIdentities.make() }
    }

    private static func keys(in folder: String) -> URL { URL(fileURLWithPath: folder + "/keys") }

    /// Reads the keys, or makes them, and writes the root certificates for programs that read PEM only.
    ///
    /// - Parameter database: What they sign for: migrated, and not used yet.
    /// - Throws: See ``StoreKeys/open()``.
    func openKeys(for database: Database) async throws -> SigningFolder {
        let keys = try await StoreKeys(directory: Self.keys(in: folder), database: database, prepared: prepared).open()
        try Self.pem(certificate: keys.identities.rootCertificate)
            .write(toFile: rootCertificatePEMPath, atomically: true, encoding: .utf8)
        try Self.pem(certificate: keys.identities.receiptRootCertificate)
            .write(toFile: folder + "/receipt-root-certificate.pem", atomically: true, encoding: .utf8)
        return keys
    }

    /// Where content files' digests are kept; nowhere, where nothing is.
    var digestsPath: String? { isTemporary ? nil : folder + "/content-digests" }

    var rootCertificatePath: String { folder + "/keys/root.cer" }
    /// The root of receipts: in a folder that has none of its own, the other.
    func receiptRootCertificatePath(_ identities: SigningIdentities) -> String {
        folder + "/keys/" + identities.receiptRootFile
    }
    /// The same for programs that read PEM only.
    var rootCertificatePEMPath: String { folder + "/root-certificate.pem" }

    /// - Throws: ``CommandError`` in words, where there can be no such folder.
    static func make(_ folder: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            var isFolder: ObjCBool = false
            let isThere = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
            throw CommandError(
                isThere && !isFolder.boolValue
                    ? "\(folder) is a file: --data names a folder"
                    : "the folder \(folder) can't be made: name another one with --data")
        }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw CommandError("the folder \(folder) can't be written to: name another one with --data")
        }
        if !OwnerOnly.restrict(folder) {
            Terminal.warn("others may read \(folder), which holds secrets: chmod it to 700")
        }
    }

    /// A temporary home disappears.
    func leave() {
        if isTemporary { try? FileManager.default.removeItem(atPath: folder) }
    }

    private static func pem(certificate: [UInt8]) -> String {
        let text = Data(certificate).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }

    private static func loadOrMakeToken(_ path: String) throws -> String {
        // An empty file is what a crash while it was written has left.
        OwnerOnly.restrict(path)
        if let text = try? String(contentsOfFile: path, encoding: .utf8),
            case let token = text.trimmingCharacters(in: .whitespacesAndNewlines), !token.isEmpty
        {
            return token
        }
        let token = SecureRandom.hex(controlTokenBytes)
        let made = FileManager.default.createFile(
            atPath: path, contents: Data((token + "\n").utf8), attributes: [.posixPermissions: 0o600])
        guard made else { throw CommandError("the control token can't be written to \(path)") }
        return token
    }
}

/// A failure with a message for whoever typed the command.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The seam at which true randomness enters.
enum SecureRandom {
    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    static func hex(_ count: Int) -> String {
        bytes(count).map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }
}
