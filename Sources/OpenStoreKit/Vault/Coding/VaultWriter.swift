import Foundation

/// Writes numbers and bytes in a fixed form: little-endian numbers, byte strings after their length.
struct VaultWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    mutating func number<Number: FixedWidthInteger>(_ number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func count(_ count: Int) {
        number(UInt32(clamping: count))
    }

    mutating func bytes(_ raw: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: raw)
    }

    mutating func data(_ data: some Collection<UInt8>) {
        count(data.count)
        bytes.append(contentsOf: data)
    }

    mutating func text(_ text: String) {
        count(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func list<Element>(_ list: [Element], _ write: (inout VaultWriter, Element) -> Void) {
        count(list.count)
        for element in list { write(&self, element) }
    }
}

/// An error in the form of a vault's bytes. Their seal is intact, so they are of a later version.
struct VaultFormatError: Error, Equatable {
    var position: Int
}

/// Reads what ``VaultWriter`` wrote.
struct VaultReader {
    private let data: Data
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    /// - Parameter bytes: The bytes of `data`, which stay valid while the reader is used.
    init(_ data: Data, _ bytes: UnsafeRawBufferPointer) {
        self.data = data
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(VaultFormatError) -> Number {
        let size = MemoryLayout<Number>.size
        guard bytes.count - position >= size else { throw VaultFormatError(position: position) }
        defer { position += size }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
    }

    mutating func count() throws(VaultFormatError) -> Int {
        let count = Int(try number(UInt32.self))
        guard count <= bytes.count - position else { throw VaultFormatError(position: position) }
        return count
    }

    /// Returns a slice, which shares its storage with the whole.
    mutating func slice() throws(VaultFormatError) -> Data {
        let count = try count()
        defer { position += count }
        return data[(data.startIndex + position)..<(data.startIndex + position + count)]
    }

    mutating func text() throws(VaultFormatError) -> String {
        let count = try count()
        defer { position += count }
        return String(decoding: bytes[position..<(position + count)], as: UTF8.self)
    }

    mutating func list<Element>(
        _ read: (inout VaultReader) throws(VaultFormatError) -> Element
    ) throws(VaultFormatError) -> [Element] {
        let count = try count()
        var list: [Element] = []
        list.reserveCapacity(count)
        for _ in 0..<count { list.append(try read(&self)) }
        return list
    }
}
