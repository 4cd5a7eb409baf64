import Foundation
import Perennial

/// A value in a sealed file of its own, with the vault's key. It is read once and then only written.
///
/// The payment queue's journal is beside the vault and not in it, so that a damaged vault doesn't take payments with it that are under
/// way.
struct PersistedValue<Value: Codable & Sendable>: Sendable {
    enum Reading {
        case nothing
        case intact(Value)
        /// The file is of another device, changed, truncated, or rolled back.
        case refused(FileError)
    }

    private let name: String
    /// The file; `nil` without a device key.
    private var log: SealedLog?
    /// Milliseconds by the device's clock at the reading.
    private var now: Int64 = 0
    /// True if the file was read.
    private(set) var isLoaded = false

    init(_ name: String) {
        self.name = name
    }

    /// Reads the value.
    ///
    /// - Returns: The result; `nil` if the file can't be read now and must not be written.
    mutating func load(from vault: PurchaseVault) -> Reading? {
        let reading: Reading
        do {
            guard var log = try vault.sealedLog(name) else {
                isLoaded = true
                return .nothing
            }
            now = vault.dependencies.now().milliseconds
            switch log.read(now: now) {
            case .unreadable: return nil
            case .nothing: reading = .nothing
            case .refused(let reason): reading = .refused(reason)
            case .intact(let values):
                // Each frame is a whole value.
                if let last = values.last, let value = try? JSONDecoder().decode(Value.self, from: last) {
                    reading = .intact(value)
                } else {
                    log.requireSnapshot()
                    reading = .refused(FileError(.tampered, path: name, reason: "of another version"))
                }
            }
            self.log = log
        } catch {
            return nil
        }
        isLoaded = true
        return reading
    }

    /// Writes the value durably. Of several processes the last one counts.
    ///
    /// - Throws: ``FileError``.
    mutating func save(_ value: Value) throws {
        guard isLoaded else { throw FileError(.other, path: name, reason: "the file can't be read now") }
        guard log != nil else { throw FileError(.other, path: name, reason: "the device's key can't be made") }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let content = try encoder.encode(value)
        try log?.withLock {
            log?.passOthers(now: now)
            if log?.wantsSnapshot(inPlaceOf: content.count) == true {
                try log?.replace(by: content)
            } else {
                try log?.append(content)
            }
        }
    }
}
