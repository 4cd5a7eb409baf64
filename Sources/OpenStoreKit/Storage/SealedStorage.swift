import Foundation
import Synchronization

/// The sealed files of one owner, once the device's key can be read.
final class SealedStorage: Sendable {
    private enum Key {
        /// Not read yet.
        case unknown
        case known(DeviceKey)
        /// There is none, and none can be made: nothing is kept beyond the process.
        case unavailable
    }

    private let owner: String
    private let files: any FileStore
    private let surroundings: Surroundings
    private let key = Mutex(Key.unknown)

    init(owner: String, files: any FileStore, _ surroundings: Surroundings) {
        self.owner = owner
        self.files = files
        self.surroundings = surroundings
    }

    /// A sealed file; `nil` where the device's key can't be made.
    ///
    /// - Throws: ``StorageError`` where the key can't be read now. Making another one would lose all that it sealed.
    func file<Value: Codable & Sendable>(_ name: String, of: Value.Type) throws -> SealedFile<Value>? {
        try deviceKey().map { SealedFile(name: name, owner: owner, files: files, key: $0, now: surroundings.now) }
    }

    private func deviceKey() throws -> DeviceKey? {
        try key.withLock { key in
            switch key {
            case .known(let known): return known
            case .unavailable: return nil
            case .unknown:
                let found = try DeviceKey.read(in: files) ?? (try? DeviceKey.make(in: files, surroundings))
                key = found.map(Key.known) ?? .unavailable
                return found
            }
        }
    }
}
