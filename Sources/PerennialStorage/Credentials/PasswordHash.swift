import BaseEncoding
import Crypto
import CryptoExtras
import Foundation

/// A salted scrypt hash of a password (RFC 7914), stored with its cost. A reader of the database can't sign in with it.
package struct PasswordHash: Sendable, Hashable {
    /// The cost of computing a hash.
    package struct Cost: Sendable, Hashable {
        /// Rounds as a power of two.
        package let rounds: Int
        package let blockSize: Int
        package let parallelism: Int

        package init(rounds: Int, blockSize: Int, parallelism: Int) {
            self.rounds = rounds
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// 16 MiB of memory a guess; one of the settings that OWASP's password storage cheat sheet gives as equal.
        package static let standard = Cost(rounds: 1 << 14, blockSize: 8, parallelism: 5)
    }

    package static let saltSize = 16
    package static let hashSize = 32
    /// The longest password, in bytes of UTF-8: a limit of ours.
    package static let maximumPasswordSize = 1024

    private let cost: Cost
    private let salt: [UInt8]
    private let hash: [UInt8]

    init(cost: Cost, salt: [UInt8], hash: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// Reads `scrypt$rounds$blockSize$parallelism$salt$hash` as ``text`` writes it.
    package init?(text: String) {
        let parts = text.split(separator: "$")
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let blockSize = Int(parts[2]),
            let parallelism = Int(parts[3]), let salt = Base64.decode(parts[4]), !salt.isEmpty,
            let hash = Base64.decode(parts[5]), hash.count == Self.hashSize
        else { return nil }
        self.init(
            cost: Cost(rounds: rounds, blockSize: blockSize, parallelism: parallelism), salt: salt, hash: hash)
    }

    package var text: String {
        let (salt, hash) = (Base64.encode(salt), Base64.encode(hash))
        return "scrypt$\(cost.rounds)$\(cost.blockSize)$\(cost.parallelism)$\(salt)$\(hash)"
    }

    /// Hashes a password with this hash's salt and cost.
    ///
    /// It takes a core a good part of a second: ``PasswordHasher`` limits concurrent calls.
    func derive(_ password: String) throws -> [UInt8] {
        try Self.derive(password, salt: salt, cost: cost)
    }

    static func derive(_ password: String, salt: [UInt8], cost: Cost) throws -> [UInt8] {
        try KDF.Scrypt.deriveKey(
            from: Data(password.utf8), salt: Data(salt), outputByteCount: hashSize, rounds: cost.rounds,
            blockSize: cost.blockSize, parallelism: cost.parallelism
        ).withUnsafeBytes { [UInt8]($0) }
    }

    /// Compares in constant time.
    func isEqual(to derived: [UInt8]) -> Bool {
        derived.count == hash.count && zip(derived, hash).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// - Throws: ``PasswordError``.
    static func check(_ password: String) throws {
        guard (1...maximumPasswordSize).contains(password.utf8.count) else { throw PasswordError() }
    }
}

/// The error of a password that is empty or longer than ``PasswordHash/maximumPasswordSize``.
package struct PasswordError: Error, Hashable, CustomStringConvertible {
    package var description: String { "a password has 1 to \(PasswordHash.maximumPasswordSize) bytes of UTF-8" }
}
