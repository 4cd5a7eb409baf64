import BaseEncoding
import Crypto
import Foundation
import Perennial

/// A file that detects changes, rollbacks and copies from other devices.
///
/// The first line authenticates the file: an HMAC-SHA256 with the device's key over the file's name, the owner (app, account and
/// device), a version that grows with each write, and the content. A second file stores the version in the same form, so that an
/// older copy of the first is detected. It is written last: after a crash the content may be one version ahead, never behind.
///
/// If one of the two files is damaged or missing, the version continues from the other one; if both are, from the device's clock
/// in milliseconds, which is ahead of all copies.
///
/// An attacker who can read the key and replace both files can forge them.
struct AuthenticatedFile<Value: Codable & Sendable>: Sendable {
    enum Reading {
        case nothing
        case intact(Value)
        /// The file is of another device, changed, truncated, or rolled back.
        case refused(FileError)
        /// The file can't be read now, and must not be overwritten.
        case unreadable(FileError)
    }

    let name: String
    let owner: String
    let files: any FileStore
    private let key: SymmetricKey
    private let now: @Sendable () -> Instant

    init(name: String, owner: String, files: any FileStore, key: DeviceKey, now: @escaping @Sendable () -> Instant) {
        self.name = name
        self.owner = owner
        self.files = files
        self.key = key.key
        self.now = now
    }

    private var numberFile: String { name + ".number" }

    /// Reads the value, and the number that the next write must exceed.
    func read() -> (Reading, number: UInt64) {
        let numberData: Data?
        let data: Data?
        do {
            numberData = try files.read(numberFile)
            data = try files.read(name)
        } catch {
            let reason = (error as? FileError)?.reason ?? String(describing: error)
            return (.unreadable(FileError(.other, path: name, reason: reason)), 0)
        }
        let newest = numberData.map { bytes in Result { try verified(bytes, as: numberFile).number } }
        let content = data.map { bytes in Result { try verified(bytes, as: name) } }
        let known = [try? newest?.get(), try? content?.get().number].compactMap(\.self).max()
        do {
            return try (judged(newest: newest?.get(), content?.get()), known ?? 0)
        } catch {
            let reason = (error as? FileError) ?? refusal(String(describing: error))
            return (.refused(reason), known ?? UInt64(clamping: now().milliseconds))
        }
    }

    private func judged(newest: UInt64?, _ stored: (number: UInt64, content: Data)?) throws -> Reading {
        guard let stored else {
            guard newest ?? 0 == 0 else { throw refusal("the file is gone") }
            return .nothing
        }
        guard let newest, stored.number >= newest else { throw refusal("older than the last one written") }
        return .intact(try JSONDecoder().decode(Value.self, from: stored.content))
    }

    /// Writes the value under a number that is greater than the last one.
    func write(_ value: Value, number: UInt64) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        if try files.read(numberFile) == nil {
            try files.write(authenticated(Data(), number: 0, as: numberFile), to: numberFile)
        }
        try files.write(authenticated(try encoder.encode(value), number: number, as: name), to: name)
        // The content is written; without the number file the last number stays valid for one more write.
        try? files.write(authenticated(Data(), number: number, as: numberFile), to: numberFile)
    }

    // MARK: Authentication

    private static var mark: String { "perennial-sealed-1" }

    private func authenticated(_ content: Data, number: UInt64, as name: String) -> Data {
        let code = HMAC<SHA256>.authenticationCode(for: statement(content, number, name), using: key)
        return Data("\(Self.mark) \(number) \(Hexadecimal.encode(code))\n".utf8) + content
    }

    private func verified(_ data: Data, as name: String) throws -> (number: UInt64, content: Data) {
        guard let end = data.firstIndex(of: UInt8(ascii: "\n")) else { throw refusal("no seal") }
        let parts = String(decoding: data[..<end], as: UTF8.self).split(
            separator: " ", omittingEmptySubsequences: false)
        let content = Data(data[(end + 1)...])
        guard parts.count == 3, parts[0] == Self.mark, let number = UInt64(parts[1], radix: 10),
            let code = Hexadecimal.decode(parts[2]),
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: statement(content, number, name), using: key)
        else { throw refusal("the seal is broken") }
        return (number, content)
    }

    private func statement(_ content: Data, _ number: UInt64, _ name: String) -> Data {
        Data("\(Self.mark)\u{0}\(name)\u{0}\(owner)\u{0}\(number)\u{0}".utf8) + content
    }

    private func refusal(_ reason: String) -> FileError {
        FileError(.tampered, path: name, reason: reason)
    }
}
