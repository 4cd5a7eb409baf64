import AppStoreFormats
import Foundation
import PerennialStorage

/// Opens the keys that sign for a database, and refuses those of another one: older receipts would fail to verify, or
/// two purchases would have the same number under one root.
struct StoreKeys {
    let directory: URL
    let database: Database
    /// New keys for an empty folder, which are made while the database is opened.
    var prepared: Task<SigningIdentities, any Error>?

    /// The file that marks the folder once a database has recorded its root.
    private static let mark = "in-use"

    private var markPath: String { directory.appendingPathComponent(Self.mark).path }

    /// Reads the keys, or makes them if neither keys nor signed data exist.
    ///
    /// - Throws: ``CommandError`` with the cure; `SigningIdentitiesError`, which names the file that is wrong.
    func open() async throws -> SigningFolder {
        // In this order: a store that starts at the same time makes its keys first.
        let owner = try await owner()
        if owner != .none, !SigningFolder.holdsKeys(directory) {
            throw CommandError(
                """
                \(database.location) has been used with signing keys that aren't in \(directory.path): restore this folder from a \
                backup, or copy it from another node of the store; for a new store, name another --database
                """)
        }
        let folder = try SigningFolder(directory, prepared: try await prepared?.value)
        // Read again: the store that made the mark recorded its root before.
        if isMarked, try await self.owner() == .none {
            throw CommandError(
                """
                \(database.location) is empty, but the signing keys in \(directory.path) have been used: restore the database, or \
                name the right one with --database; for a new store, which gives numbers that were given before, move the \
                folder of the keys away
                """)
        }
        let digest = folder.rootDigest
        let recorded = try await database.write { try SigningRootTable.record(digest: digest, on: $0) }
        guard recorded == digest else {
            throw CommandError(
                """
                \(database.location) has been used with other signing keys than those in \(directory.path): name the --data \
                folder that belongs to this --database
                """)
        }
        if !FileManager.default.fileExists(atPath: markPath) {
            try Data("Signs for \(database.location).\n".utf8).write(to: URL(fileURLWithPath: markPath))
        }
        return folder
    }

    private func owner() async throws -> SigningRootTable.Owner {
        try await database.read { try SigningRootTable.owner(on: $0) }
    }

    /// Stores of earlier versions left no mark, but a key for each of their apps.
    private var isMarked: Bool {
        let files = FileManager.default
        let keys = try? files.contentsOfDirectory(atPath: directory.appendingPathComponent("api").path)
        return files.fileExists(atPath: markPath) || keys?.contains { $0.hasSuffix(".p8") } == true
    }
}
