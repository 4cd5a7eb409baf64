import AppStoreFormats
import Foundation
import Perennial
import PerennialConnect
import PerennialStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The private keys for a server's users: `.p8` files in its data folder, mode 0600, under Apple's names.
struct KeyFiles: Sendable {
    /// A key in the ready file.
    struct Named: Sendable, Codable {
        var issuerId: String
        var keyId: String
        /// A path.
        var privateKey: String
    }

    /// The keys for an app that are there from its first start; that of the App Store Connect API is the seller's.
    struct OfApp: Sendable {
        var serverAPI: Named
        var connectAPI: Named
    }

    let folder: String
    let keys: APIKeys

    init(directory: DataDirectory, keys: APIKeys) {
        folder = directory.folder + "/keys/api"
        self.keys = keys
    }

    /// Makes the keys that are missing. A key that was revoked, or whose file is on another node, is replaced by a new one.
    func load(for bundleIDs: [App.BundleID]) async throws -> [App.BundleID: OfApp] {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // Files of an earlier version, or copies.
        OwnerOnly.restrict(folder)
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            OwnerOnly.restrict("\(folder)/\(file)")
        }
        // Nodes that start together on one folder make each key once.
        let lock = try FileLock(folder: folder)
        defer { lock.release() }
        guard !bundleIDs.isEmpty else { return [:] }
        let connectAPI = try await key(
            among: try await keys.teamKeys().filter { $0.roles == [.admin] },
            or: { try await keys.makeTeamKey([.admin]) })
        var loaded: [App.BundleID: OfApp] = [:]
        for bundleID in bundleIDs {
            let serverAPI = try await key(
                among: try await keys.all(of: bundleID).filter { $0.kind == .serverAPI },
                or: { try await keys.make(.serverAPI, for: bundleID) })
            loaded[bundleID] = OfApp(serverAPI: serverAPI, connectAPI: connectAPI)
        }
        return loaded
    }

    /// Returns a valid key whose file is here, or makes one.
    private func key(among known: [APIKey], or make: () async throws -> APIKeys.IssuedKey) async throws -> Named {
        let usable = known.first { key in
            key.revoked == nil && FileManager.default.fileExists(atPath: path(of: key))
        }
        if let usable { return named(usable) }
        let made = try await make()
        try KeyFile.write(made.privateKey, to: path(of: made.key))
        return named(made.key)
    }

    private func path(of key: APIKey) -> String { "\(folder)/\(KeyFile.name(of: key.kind, id: key.id))" }

    private func named(_ key: APIKey) -> Named {
        Named(issuerId: key.issuerID, keyId: key.id, privateKey: path(of: key))
    }
}

extension FileLock {
    /// Longest wait for a folder's lock, which is held while its keys are made.
    private static let folderLimit = Duration.seconds(60)

    /// Keeps other processes out of a folder until the lock is released.
    ///
    /// - Throws: ``CommandError`` where the folder can't be written to, or another process keeps the lock.
    init(folder: String) throws {
        let path = folder + "/.lock"
        do {
            try self.init(path: path, limit: Self.folderLimit)
        } catch {
            throw CommandError("\(path) can't be locked: \(error.reason)")
        }
    }
}

/// A private key in a file of its own.
enum KeyFile {
    /// The name that App Store Connect gives to a downloaded key.
    static func name(of kind: APIKey.Kind, id: String) -> String {
        switch kind {
        case .connectAPI: "AuthKey_\(id).p8"
        case .serverAPI, .promotionalOffer: "SubscriptionKey_\(id).p8"
        }
    }

    /// Writes a key for its owner only, in one step: after a crash it is there as a whole or not at all.
    ///
    /// - Throws: ``CommandError``; an existing file stays as it is.
    static func write(_ pem: String, to path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw CommandError("\(path) is there already: a key is not written over")
        }
        let temporary = path + ".new"
        try? FileManager.default.removeItem(atPath: temporary)
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: Data(pem.utf8), attributes: [.posixPermissions: 0o600]),
            rename(temporary, path) == 0
        else { throw CommandError("the private key can't be written to \(path)") }
    }
}
