import Crypto
import Foundation

/// The secret by which a device recognizes its own files: 32 random bytes in a file only its owner can read.
struct DeviceKey: Sendable {
    static let fileName = "device.key"
    static let byteCount = 32

    let key: SymmetricKey

    /// Reads the folder's key.
    ///
    /// - Returns: `nil` where there is none, or one that was cut short: what it sealed is then foreign.
    /// - Throws: ``StorageError`` where the file can't be read now.
    static func read(in files: any FileStore) throws -> DeviceKey? {
        guard let bytes = try files.read(fileName), bytes.count == byteCount else { return nil }
        return DeviceKey(key: SymmetricKey(data: bytes))
    }

    /// Makes a key, and writes it down.
    static func make(in files: any FileStore, _ surroundings: Surroundings) throws -> DeviceKey {
        let bytes = Data(surroundings.randomBytes(byteCount))
        try files.write(bytes, to: fileName)
        return DeviceKey(key: SymmetricKey(data: bytes))
    }
}
