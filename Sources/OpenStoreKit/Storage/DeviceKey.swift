import BaseEncoding
import Crypto
import Foundation

/// The secret of a device for its vault: 32 random bytes, in a storage of secrets or in a file with mode 0600.
///
/// The file is there in both cases: with the key, or with a note of the key's place. So a storage that is locked for a while isn't taken
/// for a new device.
struct DeviceKey: Sendable {
    static let fileName = "device.key"
    static let byteCount = 32

    private let bytes: Data
    /// The number beside a key in a storage of secrets when the key was read; 0 for a key file in the vault's folder.
    private let anchor: UInt64
    private let owner: String
    private let machine: String
    /// Storage with the key and its number, and the name there; `nil` for a key file in the vault's folder.
    private let place: (storage: any VaultSecrets, name: String)?

    /// True if the key is in a storage of secrets.
    var isInSecrets: Bool { place != nil }
    /// True if the number is stored as fast as a file.
    var storesAnchorFast: Bool { place?.storage.isFast ?? false }

    /// Returns the folder's key, or makes one.
    ///
    /// Of several processes at a new folder, one makes the key.
    ///
    /// - Returns: The key; `nil` if none can be made.
    /// - Throws: Any error if the key can't be read now. Another key would make the vault unreadable.
    static func current(
        in files: any FileStore, owner: String, protection: PurchaseVault.Protection, _ dependencies: DeviceDependencies
    ) throws -> DeviceKey? {
        if let key = try stored(in: files, owner: owner, protection: protection) { return key }
        var isLocked = false
        do {
            return try files.withLock(fileName + ".lock") {
                isLocked = true
                return try stored(in: files, owner: owner, protection: protection)
                    ?? make(in: files, owner: owner, protection: protection, dependencies)
            }
        } catch {
            guard !isLocked, (error as? FileError)?.code != .locked else { throw error }
            // A folder that can't be written has no place for a key, either; a storage of secrets may.
            return make(in: files, owner: owner, protection: protection, dependencies)
        }
    }

    private static func stored(
        in files: any FileStore, owner: String, protection: PurchaseVault.Protection
    ) throws -> DeviceKey? {
        let file = try files.read(fileName)
        if let file, let note = KeyNote(file) {
            guard let storage = protection.storages.first(where: { $0.place == note.place }) else {
                throw FileError(.other, path: fileName, reason: "the key's storage isn't there: \(note.place.rawValue)")
            }
            let name = note.name ?? owner
            if let secret = try storage.secret(of: name) {
                return DeviceKey(
                    bytes: secret.key, anchor: secret.number, owner: owner, machine: protection.machine,
                    place: (storage, name))
            }
        } else if let file, file.count == byteCount {
            return DeviceKey(bytes: file, anchor: 0, owner: owner, machine: protection.machine, place: nil)
        }
        return nil
    }

    private static func make(
        in files: any FileStore, owner: String, protection: PurchaseVault.Protection, _ dependencies: DeviceDependencies
    ) -> DeviceKey? {
        let bytes = Data(dependencies.randomBytes(byteCount))
        for storage in protection.storages {
            let note = KeyNote(storage.place, randomBytes: dependencies.randomBytes)
            let (secret, name) = (StoredSecret(key: bytes, number: 0), note.name ?? owner)
            let isStored = (try? storage.store(secret, of: name)) != nil
            // Read back: a storage that forgets would take the vault with it.
            guard isStored, (try? storage.secret(of: name)) == secret,
                (try? files.write(note.text, to: fileName)) != nil
            else { continue }
            return DeviceKey(
                bytes: bytes, anchor: 0, owner: owner, machine: protection.machine, place: (storage, name))
        }
        guard (try? files.write(bytes, to: fileName)) != nil else { return nil }
        return DeviceKey(bytes: bytes, anchor: 0, owner: owner, machine: protection.machine, place: nil)
    }

    /// The key of the vault's files. It depends on the owner and the machine, so that files of others can't be opened.
    var fileKey: SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes),
            info: Data("perennial-vault-1\u{0}\(owner)\u{0}\(machine)".utf8), outputByteCount: 32)
    }

    /// Returns the number beside a key in a storage of secrets, which another process may have raised: as it was when the key was read, if
    /// the storage is slow; 0 for a key file in the vault's folder.
    func currentAnchor() -> UInt64 {
        guard let place, place.storage.isFast else { return anchor }
        return max(anchor, storedAnchor ?? 0)
    }

    private var storedAnchor: UInt64? {
        guard let place, let secret = try? place.storage.secret(of: place.name) else { return nil }
        return secret.key == bytes ? secret.number : nil
    }

    /// Stores the number of the last frame beside the key, if the key is in a storage of secrets. Never lowers the one there.
    func storeAnchor(_ number: UInt64) {
        guard let place, number > storedAnchor ?? 0 else { return }
        try? place.storage.store(StoredSecret(key: bytes, number: number), of: place.name)
    }
}

/// The note in the vault's folder of where its key is.
struct KeyNote: Sendable, Equatable {
    private static let nameByteCount = 16

    let place: VaultKeyPlace
    /// Name of the secret in a key folder, in hexadecimal.
    let name: String?

    init(_ place: VaultKeyPlace, randomBytes: (Int) -> [UInt8]) {
        self.place = place
        name = place == .keyFolder ? Hexadecimal.encode(randomBytes(Self.nameByteCount)) : nil
    }

    /// Reads a note. Returns `nil` for other content: the name becomes part of a path.
    init?(_ file: Data) {
        let text = String(decoding: file, as: UTF8.self)
        for place in VaultKeyPlace.allCases {
            let beginning = "the key is in \(place.rawValue)"
            guard text.hasPrefix(beginning), text.hasSuffix("\n") else { continue }
            let rest = text.dropFirst(beginning.count).dropLast()
            switch place {
            case .system: guard rest.isEmpty else { return nil }
            case .keyFolder:
                guard rest.hasPrefix(": "), let bytes = Hexadecimal.decode(String(rest.dropFirst(2))),
                    bytes.count == Self.nameByteCount
                else { return nil }
            }
            self.place = place
            name = place == .keyFolder ? String(rest.dropFirst(2)) : nil
            return
        }
        return nil
    }

    var text: Data {
        Data("the key is in \(place.rawValue)\(name.map { ": \($0)" } ?? "")\n".utf8)
    }
}
