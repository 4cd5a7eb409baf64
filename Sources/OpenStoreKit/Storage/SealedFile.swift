import Crypto
import Foundation
import Perennial

/// A value in a file that nobody but this device can change unnoticed.
///
/// The file's first line is a seal: an HMAC-SHA256 with the device's key over the file's name, the owner (app, account
/// and device), a number that grows with each writing, and the content. A second file keeps the number under a seal of
/// its own, so that an older copy put back in place is noticed too. The number file is written last: after a crash
/// between the two, the content may be one ahead, never behind.
///
/// Where one of the two files is damaged or missing, the other one's number is continued; where both are, the number goes on
/// from the device's clock in milliseconds, so that it stays ahead of copies made before.
///
/// Whoever can read the key and replace both files can still forge; what this stops is copying files from device to
/// device, editing them, and putting back an older one.
struct SealedFile<Value: Codable & Sendable>: Sendable {
    enum Reading {
        case nothing
        case intact(Value)
        /// Foreign, changed, cut, or older than the last one written.
        case refused(StorageError)
        /// It can't be read now, which says nothing of what is in it: nothing may be written over it.
        case unreadable(StorageError)
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

    /// The value, and the number that the next one written must exceed.
    func read() -> (Reading, number: UInt64) {
        let numberData: Data?
        let data: Data?
        do {
            numberData = try files.read(numberFile)
            data = try files.read(name)
        } catch {
            let reason = (error as? StorageError)?.reason ?? String(describing: error)
            return (.unreadable(StorageError(.other, path: name, reason: reason)), 0)
        }
        let newest = numberData.map { bytes in Result { try unsealed(bytes, as: numberFile).number } }
        let content = data.map { bytes in Result { try unsealed(bytes, as: name) } }
        let known = [try? newest?.get(), try? content?.get().number].compactMap(\.self).max()
        do {
            return try (judged(newest: newest?.get(), content?.get()), known ?? 0)
        } catch {
            let reason = (error as? StorageError) ?? refusal(String(describing: error))
            return (.refused(reason), known ?? UInt64(clamping: now().milliseconds))
        }
    }

    private func judged(newest: UInt64?, _ sealed: (number: UInt64, content: Data)?) throws -> Reading {
        guard let sealed else {
            guard newest ?? 0 == 0 else { throw refusal("the file is gone") }
            return .nothing
        }
        guard let newest, sealed.number >= newest else { throw refusal("older than the last one written") }
        return .intact(try JSONDecoder().decode(Value.self, from: sealed.content))
    }

    /// Writes the value under a number that must be greater than the last one's.
    func write(_ value: Value, number: UInt64) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        if try files.read(numberFile) == nil {
            try files.write(sealed(Data(), number: 0, as: numberFile), to: numberFile)
        }
        try files.write(sealed(try encoder.encode(value), number: number, as: name), to: name)
        // The content is there and stands: a number that couldn't be written only keeps the last one a while longer.
        try? files.write(sealed(Data(), number: number, as: numberFile), to: numberFile)
    }

    // MARK: The seal

    private static var mark: String { "perennial-sealed-1" }

    private func sealed(_ content: Data, number: UInt64, as name: String) -> Data {
        let code = HMAC<SHA256>.authenticationCode(for: statement(content, number, name), using: key)
        return Data("\(Self.mark) \(number) \(Array(code).hexadecimal)\n".utf8) + content
    }

    private func unsealed(_ data: Data, as name: String) throws -> (number: UInt64, content: Data) {
        guard let end = data.firstIndex(of: UInt8(ascii: "\n")) else { throw refusal("no seal") }
        let parts = String(decoding: data[..<end], as: UTF8.self).split(
            separator: " ", omittingEmptySubsequences: false)
        let content = Data(data[(end + 1)...])
        guard parts.count == 3, parts[0] == Self.mark, let number = UInt64(parts[1], radix: 10),
            let code = bytes(of: parts[2]),
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: statement(content, number, name), using: key)
        else { throw refusal("the seal is broken") }
        return (number, content)
    }

    private func statement(_ content: Data, _ number: UInt64, _ name: String) -> Data {
        Data("\(Self.mark)\u{0}\(name)\u{0}\(owner)\u{0}\(number)\u{0}".utf8) + content
    }

    private func bytes(of hexadecimal: Substring) -> [UInt8]? {
        let digits = hexadecimal.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == hexadecimal.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(truncatingIfNeeded: digits[$0] << 4 | digits[$0 + 1])
        }
    }

    private func refusal(_ reason: String) -> StorageError {
        StorageError(.tampered, path: name, reason: reason)
    }
}
