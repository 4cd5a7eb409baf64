import Crypto
import Foundation

/// The secret by which a device recognizes its own files: 32 random bytes in a file only its owner can read.
struct DeviceKey: Sendable {
    static let fileName = "device.key"
    static let byteCount = 32

    let key: SymmetricKey

    /// Reads the folder's key, or makes one. One that was cut short is replaced: what it sealed is then foreign.
    init(in files: any FileStore, _ surroundings: Surroundings) throws {
        if let bytes = try files.read(Self.fileName), bytes.count == Self.byteCount {
            self.key = SymmetricKey(data: bytes)
        } else {
            let bytes = Data(surroundings.randomBytes(Self.byteCount))
            try files.write(bytes, to: Self.fileName)
            self.key = SymmetricKey(data: bytes)
        }
    }
}
