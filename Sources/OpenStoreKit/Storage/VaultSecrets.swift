import Foundation

/// A kind of storage of secrets.
package enum VaultKeyPlace: String, Sendable, CaseIterable {
    /// The Keychain, or the Secret Service: under the vault's owner.
    case system = "the system's secret storage"
    /// A folder of the user's: under a random name, so that each vault has a key of its own.
    case keyFolder = "the user's key folder"
}

/// A storage of secrets, such as the Secret Service on Linux.
package protocol VaultSecrets: Sendable {
    /// Kind of the storage.
    var place: VaultKeyPlace { get }
    /// True if storing a number takes no longer than a write to a file.
    var isFast: Bool { get }
    /// Reads the secret of an owner.
    ///
    /// - Returns: The secret; `nil` if the storage is open and has none.
    /// - Throws: Any error if the storage is locked or doesn't answer.
    func secret(of owner: String) throws -> StoredSecret?
    /// Stores the secret of an owner.
    func store(_ secret: StoredSecret, of owner: String) throws
}

extension VaultSecrets {
    package var place: VaultKeyPlace { .system }
    package var isFast: Bool { false }
}

/// A device's key with the number of the last frame that was written with it.
package struct StoredSecret: Sendable, Equatable {
    /// 32 random bytes.
    package var key: Data
    /// The file's last frame at least.
    package var number: UInt64

    package init(key: Data, number: UInt64) {
        self.key = key
        self.number = number
    }

    /// The secret as a line of text, for storages that keep text.
    var text: String { "\(key.base64EncodedString()) \(number)" }

    init?(text: String) {
        let parts = text.split(whereSeparator: \.isWhitespace)
        guard parts.count == 2, let key = Data(base64Encoded: String(parts[0])), key.count == DeviceKey.byteCount,
            let number = Self.number(parts[1])
        else { return nil }
        self.init(key: key, number: number)
    }

    /// Reads a number. Returns `nil` for a damaged one: no vault comes near to the half of all numbers, beyond which none would follow.
    static func number(_ text: some StringProtocol) -> UInt64? {
        UInt64(text, radix: 10).flatMap { $0 <= UInt64.max / 2 ? $0 : nil }
    }
}
