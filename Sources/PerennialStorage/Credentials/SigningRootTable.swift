/// The root certificate whose keys sign for a database. Keys of another root are an error.
package enum SigningRootTable {
    /// The owner of a database.
    package enum Owner: Sendable, Equatable {
        /// A database that no store has used.
        case none
        /// A store of a version that didn't record its root certificate.
        case unrecorded
        /// The store whose root certificate has this SHA-256.
        case root(digest: [UInt8])
    }

    package static func owner(on connection: any Connection) throws -> Owner {
        if let digest = try connection.first("SELECT digest FROM signing_root", [], { try $0.blob(0) }) {
            return .root(digest: digest)
        }
        // A store creates its environments after its keys.
        let isUsed = try connection.first("SELECT 1 FROM environments LIMIT 1") { _ in true }
        return isUsed == true ? .unrecorded : .none
    }

    /// Records the root, unless one is recorded.
    /// - Returns: The recorded root.
    package static func record(digest: [UInt8], on connection: any Connection) throws -> [UInt8] {
        try connection.send(
            "INSERT INTO signing_root (id, digest) VALUES (1, $1) ON CONFLICT (id) DO NOTHING", [.blob(digest)])
        return try connection.first("SELECT digest FROM signing_root", [], { try $0.blob(0) }) ?? digest
    }
}
