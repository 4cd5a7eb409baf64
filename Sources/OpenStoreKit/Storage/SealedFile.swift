import Crypto
import Foundation

/// A value in a file that nobody but this device can change unnoticed.
///
/// The file's first line is a seal: an HMAC-SHA256 with the device's key over the file's name, the owner (app, account
/// and device), a number that grows with each writing, and the content. A second file keeps the number under a seal of
/// its own, so that an older copy put back in place is noticed too. The number file is written last: after a crash
/// between the two, the content may be one ahead, never behind.
///
/// Whoever can read the key and replace both files can still forge; what this stops is copying files from device to
/// device, editing them, and putting back an older one.
struct SealedFile<Value: Codable & Sendable>: Sendable {
    enum Reading {
        case nothing
        case intact(Value)
        /// Foreign, changed, cut, or older than the last one written.
        case refused(StorageError)
    }

    let name: String
    let owner: String
    let files: any FileStore
    private let key: SymmetricKey

    init(name: String, owner: String, files: any FileStore, key: DeviceKey) {
        self.name = name
        self.owner = owner
        self.files = files
        self.key = key.key
    }

    private var numberFile: String { name + ".number" }

    /// The value, and the number it was written under.
    func read() -> (Reading, number: UInt64) {
        do {
            let newest = try unsealedNumber()
            guard let data = try files.read(name) else {
                guard newest ?? 0 == 0 else { return (.refused(refusal("the file is gone")), newest ?? 0) }
                return (.nothing, 0)
            }
            let (number, content) = try unsealed(data, as: name)
            guard let newest, number >= newest else {
                return (.refused(refusal("older than the last one written")), newest ?? 0)
            }
            return (.intact(try JSONDecoder().decode(Value.self, from: content)), number)
        } catch let error as StorageError {
            return (.refused(error), 0)
        } catch {
            return (.refused(refusal(String(describing: error))), 0)
        }
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

    private func unsealedNumber() throws -> UInt64? {
        guard let data = try files.read(numberFile) else { return nil }
        return try unsealed(data, as: numberFile).number
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
        guard parts.count == 3, parts[0] == Self.mark, let number = UInt64(parts[1]), let code = bytes(of: parts[2]),
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
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private func refusal(_ reason: String) -> StorageError {
        StorageError(.tampered, path: name, reason: reason)
    }
}
