import Crypto
import Foundation
import Synchronization

/// The authenticated files of one owner, with the device's key.
final class AuthenticatedStorage: Sendable {
    private enum Key {
        /// The key was not read yet.
        case unknown
        case known(DeviceKey)
        /// There is no key and none can be made: nothing is stored.
        case unavailable
    }

    private let owner: String
    private let files: any FileStore
    private let dependencies: DeviceDependencies
    private let key = Mutex(Key.unknown)

    init(owner: String, files: any FileStore, _ dependencies: DeviceDependencies) {
        self.owner = owner
        self.files = files
        self.dependencies = dependencies
    }

    /// Returns a file; `nil` if the device's key can't be made.
    ///
    /// - Throws: ``FileError`` if the key can't be read now. Another key would make all files unreadable.
    func file<Value: Codable & Sendable>(_ name: String, of: Value.Type) throws -> AuthenticatedFile<Value>? {
        try deviceKey().map {
            AuthenticatedFile(name: name, owner: owner, files: files, key: $0, now: dependencies.now)
        }
    }

    private func deviceKey() throws -> DeviceKey? {
        try key.withLock { key in
            switch key {
            case .known(let known): return known
            case .unavailable: return nil
            case .unknown:
                let found = try DeviceKey.read(in: files) ?? (try? DeviceKey.make(in: files, dependencies))
                key = found.map(Key.known) ?? .unavailable
                return found
            }
        }
    }
}

/// The secret of a device for its authenticated files: 32 random bytes in a file with mode 0600.
struct DeviceKey: Sendable {
    static let fileName = "device.key"
    static let byteCount = 32

    let key: SymmetricKey

    /// Reads the folder's key.
    ///
    /// - Returns: The key; `nil` for a missing or truncated one.
    /// - Throws: ``FileError`` if the file can't be read now.
    static func read(in files: any FileStore) throws -> DeviceKey? {
        guard let bytes = try files.read(fileName), bytes.count == byteCount else { return nil }
        return DeviceKey(key: SymmetricKey(data: bytes))
    }

    /// Makes and stores a key.
    static func make(in files: any FileStore, _ dependencies: DeviceDependencies) throws -> DeviceKey {
        let bytes = Data(dependencies.randomBytes(byteCount))
        try files.write(bytes, to: fileName)
        return DeviceKey(key: SymmetricKey(data: bytes))
    }
}

/// A value in an authenticated file, which is read once and then only written.
struct PersistedValue<Value: Codable & Sendable>: Sendable {
    private let name: String
    private var number: UInt64 = 0
    /// The file; `nil` without a device key.
    private var file: AuthenticatedFile<Value>?
    /// True if the file was read.
    private(set) var isLoaded = false

    init(_ name: String) {
        self.name = name
    }

    /// Reads the file.
    ///
    /// - Returns: The result; `nil` if the file can't be read now and must not be written.
    mutating func load(from storage: AuthenticatedStorage) -> AuthenticatedFile<Value>.Reading? {
        do {
            file = try storage.file(name, of: Value.self)
        } catch {
            return nil
        }
        let (reading, number) = file?.read() ?? (.nothing, 0)
        if case .unreadable = reading { return nil }
        self.number = number
        isLoaded = true
        return reading
    }

    mutating func save(_ value: Value) throws {
        guard isLoaded else { throw FileError(.other, path: name, reason: "the file can't be read now") }
        guard let file else {
            throw FileError(.other, path: name, reason: "the device's key can't be made")
        }
        // Grows also if the write fails, which may be after the number was written.
        number += 1
        try file.write(value, number: number)
    }
}
