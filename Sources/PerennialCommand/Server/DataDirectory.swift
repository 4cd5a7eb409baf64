import AppStoreFormats
import ArgumentParser
import BaseEncoding
import Foundation
import PerennialStorage

/// The place of a server's keys and database.
struct DataOptions: ParsableArguments {
    private static let defaultFolder = "perennial-data"

    @Option(
        name: .customLong("data"),
        help: ArgumentHelp("The folder for keys and database. (default: \(defaultFolder))", valueName: "folder"),
        completion: .directory)
    var folder: String?

    var data: String { folder ?? Self.defaultFolder }

    @Flag(name: .customLong("in-memory"), help: "Leave nothing behind: keys and purchases end with the process.")
    var inMemory = false

    @Option(help: ArgumentHelp("sqlite:PATH or postgres://…; SQLite in the data folder by default.", valueName: "url"))
    var database: String?

    /// Starts the generation of keys for a store in memory, which is ready with the first of them; nothing for another store.
    func startKeys() -> Task<SigningIdentities, any Error>? {
        inMemory ? Task.detached { try SigningIdentities.makeDeferringReceipts() } : nil
    }

    func validate() throws {
        if inMemory, folder != nil { throw ValidationError("--in-memory leaves nothing behind: it excludes --data.") }
        if inMemory, database != nil { throw ValidationError("--in-memory excludes --database.") }
        if let database, (try? DatabaseLocation(url: database)) == nil {
            throw ValidationError("--database is sqlite:PATH or postgres://USER@HOST/NAME.")
        }
    }
}

/// A server's folder: keys in `keys`, the control token, the database; all for their owner only.
struct DataDirectory: Sendable {
    static let controlTokenBytes = 32

    let folder: String
    let location: DatabaseLocation
    let controlToken: String
    private let prepared: Task<SigningIdentities, any Error>?
    /// Keeps a temporary folder; another start removes the folder of a process that was killed.
    private let temporaryLock: LockedFile?

    private var isTemporary: Bool { temporaryLock != nil }

    /// - Parameter keys: The keys of a store in memory, from ``DataOptions/startKeys()``.
    init(_ options: DataOptions, keys prepared: Task<SigningIdentities, any Error>? = nil) throws {
        if options.inMemory {
            let temporary = try RuntimeFolder().makeTemporaryFolder()
            (folder, temporaryLock) = (temporary.path, temporary.lock)
        } else {
            (folder, temporaryLock) = (URL(fileURLWithPath: options.data).path, nil)
        }
        try Self.make(folder)
        if options.inMemory {
            location = .inMemory
        } else if let database = options.database {
            location = try DatabaseLocation(url: database)
        } else {
            location = .sqlite(path: folder + "/store.sqlite")
        }
        controlToken = try Self.loadOrMakeToken(in: folder)
        let keys = Self.keys(in: folder)
        // RSA keys take longer than the rest of a first start: the database is opened meanwhile.
        self.prepared =
            prepared ?? (SigningFolder.holdsKeys(keys) ? nil : Task.detached { try SigningIdentities.make() })
    }

    private static func keys(in folder: String) -> URL { URL(fileURLWithPath: folder + "/keys") }

    /// Reads the keys, or makes them, and writes the root certificate for programs that read PEM only. Private keys of a
    /// store in memory are written nowhere.
    ///
    /// - Parameter database: The database that they sign for: migrated, and not used yet.
    /// - Throws: See ``StoreKeys/open()``.
    func openKeys(for database: Database) async throws -> SigningFolder {
        let directory = Self.keys(in: folder)
        let keys: SigningFolder
        if isTemporary, let prepared {
            keys = SigningFolder(inMemory: try await prepared.value)
            try Self.make(directory.path)
            try Data(keys.identities.rootCertificate).write(to: URL(fileURLWithPath: rootCertificatePath))
        } else {
            keys = try await StoreKeys(directory: directory, database: database, prepared: prepared).open()
        }
        try Self.pem(certificate: keys.identities.rootCertificate)
            .write(toFile: rootCertificatePEMPath, atomically: true, encoding: .utf8)
        return keys
    }

    /// Writes the root certificate of receipts, before clients are told that the store is ready. In a store in memory it
    /// waits for the root's key.
    func writeReceiptRoot(of identities: SigningIdentities) throws {
        if isTemporary {
            try Data(identities.receiptRootCertificate)
                .write(to: URL(fileURLWithPath: receiptRootCertificatePath(identities)))
        }
        try Self.pem(certificate: identities.receiptRootCertificate)
            .write(toFile: folder + "/receipt-root-certificate.pem", atomically: true, encoding: .utf8)
    }

    /// The file of the content files' digests; `nil` for a temporary folder.
    var digestsPath: String? { isTemporary ? nil : folder + "/content-digests" }

    var rootCertificatePath: String { folder + "/keys/root.cer" }
    /// The root of receipts; the root of signed data in a folder without one.
    func receiptRootCertificatePath(_ identities: SigningIdentities) -> String {
        folder + "/keys/" + identities.receiptRootFile
    }
    /// The root of signed data in PEM.
    var rootCertificatePEMPath: String { folder + "/root-certificate.pem" }

    /// - Throws: ``CommandError`` if the folder can't be made or written to.
    static func make(_ folder: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
            throw CommandError(
                exists && !isFolder.boolValue
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

    /// Removes a temporary folder.
    func removeIfTemporary() {
        guard let temporaryLock else { return }
        try? FileManager.default.removeItem(atPath: folder)
        RuntimeFolder().remove(temporaryLock)
    }

    private static func pem(certificate: [UInt8]) -> String {
        let text = Data(certificate).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }

    private static func loadOrMakeToken(in folder: String) throws -> String {
        // Nodes that start together on one folder have one token.
        let lock = try FileLock(folder: folder)
        defer { lock.release() }
        let path = folder + "/control-token"
        // A file of an earlier version may be empty, after a crash while it was written.
        OwnerOnly.restrict(path)
        if let text = try? String(contentsOfFile: path, encoding: .utf8),
            case let token = text.trimmingCharacters(in: .whitespacesAndNewlines), !token.isEmpty
        {
            return token
        }
        let token = SecureRandom.hex(controlTokenBytes)
        let temporary = path + ".new"
        try? FileManager.default.removeItem(atPath: temporary)
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: Data((token + "\n").utf8), attributes: [.posixPermissions: 0o600]),
            rename(temporary, path) == 0
        else { throw CommandError("the control token can't be written to \(path)") }
        return token
    }
}

/// The source of true randomness.
enum SecureRandom {
    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    static func hex(_ count: Int) -> String {
        Hexadecimal.encode(bytes(count))
    }
}
