import Crypto
import Foundation

/// The secret of a device for its vault: 32 random bytes, in the system's storage of secrets or in a file with mode 0600.
///
/// The file is there in both cases: with the key, or with a note that the key is in the storage of secrets. So a storage that is
/// locked for a while isn't taken for a new device.
struct DeviceKey: Sendable {
    static let fileName = "device.key"
    static let byteCount = 32
    private static let note = Data("the key is in the system's secret storage\n".utf8)

    private let bytes: Data
    /// The number beside a key in the storage of secrets; 0 for a key file.
    let anchor: UInt64
    private let owner: String
    private let protection: PurchaseVault.Protection
    /// True if the key is in the storage of secrets.
    let isInSecrets: Bool

    /// Returns the folder's key, or makes one.
    ///
    /// - Returns: The key; `nil` if none can be made.
    /// - Throws: Any error if the key can't be read now. Another key would make the vault unreadable.
    static func current(
        in files: any FileStore, owner: String, protection: PurchaseVault.Protection, _ dependencies: DeviceDependencies
    ) throws -> DeviceKey? {
        let file = try files.read(fileName)
        if file == note {
            guard let secrets = protection.secrets else {
                throw FileError(.other, path: fileName, reason: "there is no secret storage")
            }
            if let secret = try secrets.secret(of: owner) {
                return DeviceKey(
                    bytes: secret.key, anchor: secret.number, owner: owner, protection: protection, isInSecrets: true)
            }
        } else if let file, file.count == byteCount {
            return DeviceKey(bytes: file, anchor: 0, owner: owner, protection: protection, isInSecrets: false)
        }
        return make(in: files, owner: owner, protection: protection, dependencies)
    }

    private static func make(
        in files: any FileStore, owner: String, protection: PurchaseVault.Protection, _ dependencies: DeviceDependencies
    ) -> DeviceKey? {
        let bytes = Data(dependencies.randomBytes(byteCount))
        if let secrets = protection.secrets {
            let secret = StoredSecret(key: bytes, number: 0)
            let isStored = (try? secrets.store(secret, of: owner)) != nil
            // Read back: a storage that forgets would take the vault with it.
            if isStored, (try? secrets.secret(of: owner)) == secret, (try? files.write(note, to: fileName)) != nil {
                return DeviceKey(bytes: bytes, anchor: 0, owner: owner, protection: protection, isInSecrets: true)
            }
        }
        guard (try? files.write(bytes, to: fileName)) != nil else { return nil }
        return DeviceKey(bytes: bytes, anchor: 0, owner: owner, protection: protection, isInSecrets: false)
    }

    /// The key of the vault's files. It depends on the owner and the machine, so that files of others can't be opened.
    var fileKey: SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes),
            info: Data("perennial-vault-1\u{0}\(owner)\u{0}\(protection.machine)".utf8), outputByteCount: 32)
    }

    /// Stores the number of the last frame beside the key, if the key is in the storage of secrets.
    func storeAnchor(_ number: UInt64) {
        guard isInSecrets else { return }
        try? protection.secrets?.store(StoredSecret(key: bytes, number: number), of: owner)
    }
}
