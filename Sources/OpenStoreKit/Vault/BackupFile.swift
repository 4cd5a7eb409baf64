import Crypto
import Foundation

/// Owner of a backup: it opens for the same account, app and environment only.
struct BackupIdentity: Sendable {
    var account: String
    var bundleID: String
    var environment: String
    /// Password of the account; `nil` without one.
    var password: String?

    fileprivate var bytes: Data {
        Data("perennial-backup-1\u{0}\(account.lowercased())\u{0}\(bundleID)\u{0}\(environment)".utf8)
    }
}

/// The bytes of a backup: a head, and the content sealed with AES-GCM. The key comes from the password and the identity.
package struct BackupFile {
    private static let mark = Data("perennial-backup-1\n".utf8)
    private static let saltSize = 16
    private static let checkSize = 16
    /// Rounds of PBKDF2 with HMAC-SHA256. Source: OWASP, Password Storage Cheat Sheet.
    static let rounds: UInt32 = 600_000
    /// Maximum rounds that are accepted, so that a forged head doesn't keep the device busy.
    private static let maximumRounds: UInt32 = 10_000_000

    private let identity: BackupIdentity
    private let password: String

    init(_ identity: BackupIdentity, password: String) {
        self.identity = identity
        self.password = password
    }

    func seal(_ content: Data, rounds: UInt32, salt: Data) throws -> Data {
        var head = Self.mark
        withUnsafeBytes(of: rounds.littleEndian) { head.append(contentsOf: $0) }
        head.append(salt)
        head.append(check(salt))
        let box = try AES.GCM.seal(content, using: key(salt, rounds), authenticating: head + identity.bytes)
        guard let sealed = box.combined else { throw PurchaseVaultError.backupRefused(reason: "it can't be sealed") }
        return head + sealed
    }

    /// - Throws: ``PurchaseVaultError/backupRefused(reason:)``.
    func open(_ file: Data) throws(PurchaseVaultError) -> Data {
        let file = Data(file)
        let headSize = Self.mark.count + 4 + Self.saltSize + Self.checkSize
        guard file.count > headSize, file.prefix(Self.mark.count) == Self.mark else {
            throw .backupRefused(reason: "it isn't a backup")
        }
        let rounds = file.dropFirst(Self.mark.count).withUnsafeBytes {
            UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))
        }
        let salt = Data(file.dropFirst(Self.mark.count + 4).prefix(Self.saltSize))
        let head = file.prefix(headSize)
        guard head.suffix(Self.checkSize) == check(salt) else {
            throw .backupRefused(reason: "it is of another account, app or environment, or was changed")
        }
        guard (1...Self.maximumRounds).contains(rounds),
            let box = try? AES.GCM.SealedBox(combined: file.dropFirst(headSize)),
            let content = try? AES.GCM.open(box, using: key(salt, rounds), authenticating: head + identity.bytes)
        else { throw .backupRefused(reason: "it was changed, or has another password") }
        return content
    }

    /// Tells an identity from another one before the key is derived. It says nothing of the password.
    private func check(_ salt: Data) -> Data {
        Data(SHA256.hash(data: salt + identity.bytes).prefix(Self.checkSize))
    }

    private func key(_ salt: Data, _ rounds: UInt32) -> SymmetricKey {
        Self.derivedKey(password: Data(password.utf8), salt: salt + identity.bytes, rounds: rounds)
    }

    /// Derives a key of 32 bytes: the first block of PBKDF2 (RFC 8018, section 5.2) with HMAC-SHA256.
    package static func derivedKey(password: Data, salt: Data, rounds: UInt32) -> SymmetricKey {
        let keyed = HMAC<SHA256>(key: SymmetricKey(data: password))
        func code(_ data: some ContiguousBytes) -> SIMD32<UInt8> {
            var code = keyed
            data.withUnsafeBytes { code.update(data: $0) }
            return code.finalize().withUnsafeBytes { $0.loadUnaligned(as: SIMD32<UInt8>.self) }
        }
        var block = code(salt + Data([0, 0, 0, 1]))
        var sum = block
        for _ in 1..<max(rounds, 1) {
            block = withUnsafeBytes(of: block) { code($0) }
            sum ^= block
        }
        return withUnsafeBytes(of: sum) { SymmetricKey(data: $0) }
    }
}
