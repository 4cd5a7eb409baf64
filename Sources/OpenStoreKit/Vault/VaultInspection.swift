import Foundation
import Perennial

/// The parts of opening a vault, for benchmarks.
package enum VaultInspection {
    /// Returns the decrypted frames of the vault in a folder with a key file, for the owner `bench`.
    package static func contents(of files: any FileStore) throws -> [Data] {
        let key = try DeviceKey.current(in: files, owner: "bench", protection: .files, .device)
        guard let key else { return [] }
        var log = SealedLog(name: PurchaseVault.fileName, files: files, key: key.fileKey)
        guard case .intact(let frames) = log.read(now: 0) else { return [] }
        return frames
    }

    /// Decodes a frame. Returns the number of its transactions.
    package static func decode(_ frame: Data) throws -> Int {
        try VaultPatch(frame).transactions.count
    }
}
