/// Compressed data in the zlib format.
///
/// Source: RFC 1950 (zlib), RFC 1951 (DEFLATE).
enum Inflate {
    /// Returns the uncompressed data.
    ///
    /// - Throws: ``PictureError`` for malformed data, or more than `maximumCount` bytes.
    static func zlib(_ data: [UInt8], maximumCount: Int) throws -> [UInt8] {
        guard data.count > 6, data[0] & 15 == 8, (Int(data[0]) * 256 + Int(data[1])) % 31 == 0, data[1] & 32 == 0 else {
            throw PictureError(description: "not zlib data")
        }
        var bits = BitReader(bytes: data, position: 2)
        var output: [UInt8] = []
        output.reserveCapacity(maximumCount)
        while true {
            let isLast = try bits.take(1) == 1
            switch try bits.take(2) {
            case 0: try copyStored(&bits, to: &output)
            case 1: try decode(&bits, Huffman.fixedLiterals, Huffman.fixedDistances, to: &output, maximumCount)
            case 2:
                let (literals, distances) = try Huffman.tables(&bits)
                try decode(&bits, literals, distances, to: &output, maximumCount)
            default: throw PictureError(description: "an unknown block")
            }
            guard output.count <= maximumCount else {
                throw PictureError(description: "more bytes than the picture has")
            }
            if isLast { break }
        }
        return output
    }

    /// Returns data in the zlib format without compression.
    static func stored(_ data: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var rest = data[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            result += [
                rest.isEmpty ? 1 : 0, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8),
            ]
            result += block
        } while !rest.isEmpty
        return result + adler32(data).bytes
    }

    private static func adler32(_ data: [UInt8]) -> UInt32 {
        var (low, high) = (UInt32(1), UInt32(0))
        for byte in data {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static func copyStored(_ bits: inout BitReader, to output: inout [UInt8]) throws {
        bits.skipToByte()
        let count = try bits.take(16)
        guard try bits.take(16) == count ^ 0xFFFF else { throw PictureError(description: "a damaged block") }
        for _ in 0..<count { output.append(UInt8(try bits.take(8))) }
    }

    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12289, 16385, 24577,
    ]
    private static let distanceBits = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]

    private static func decode(
        _ bits: inout BitReader, _ literals: Huffman, _ distances: Huffman, to output: inout [UInt8],
        _ maximumCount: Int
    ) throws {
        while true {
            let symbol = try literals.next(&bits)
            if symbol == 256 { return }
            if symbol < 256 {
                output.append(UInt8(symbol))
            } else {
                guard symbol - 257 < lengthBases.count else { throw PictureError(description: "an unknown length") }
                let length = lengthBases[symbol - 257] + (try bits.take(lengthBits[symbol - 257]))
                let code = try distances.next(&bits)
                guard code < distanceBases.count else { throw PictureError(description: "an unknown distance") }
                let distance = distanceBases[code] + (try bits.take(distanceBits[code]))
                guard distance <= output.count else { throw PictureError(description: "a distance before the start") }
                for _ in 0..<length { output.append(output[output.count - distance]) }
            }
            guard output.count <= maximumCount else {
                throw PictureError(description: "more bytes than the picture has")
            }
        }
    }
}

/// Bits of bytes, the lowest first.
struct BitReader {
    let bytes: [UInt8]
    var position: Int
    private var bit = 0

    init(bytes: [UInt8], position: Int) {
        (self.bytes, self.position) = (bytes, position)
    }

    mutating func take(_ count: Int) throws -> Int {
        var value = 0
        for index in 0..<count {
            guard position < bytes.count else { throw PictureError(description: "compressed data that ends early") }
            value |= Int(bytes[position] >> UInt8(bit) & 1) << index
            bit += 1
            if bit == 8 { (bit, position) = (0, position + 1) }
        }
        return value
    }

    mutating func skipToByte() {
        if bit > 0 { (bit, position) = (0, position + 1) }
    }
}

/// A canonical Huffman code.
struct Huffman {
    /// Number of codes by length, and the symbols in the order of their codes.
    private var counts = [Int](repeating: 0, count: 16)
    private var symbols: [Int] = []

    init(lengths: [Int]) {
        for length in lengths { counts[length] += 1 }
        counts[0] = 0
        for length in 1..<16 {
            symbols += lengths.indices.filter { lengths[$0] == length }
        }
    }

    static let fixedLiterals = Huffman(
        lengths: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    static let fixedDistances = Huffman(lengths: [Int](repeating: 5, count: 30))

    func next(_ bits: inout BitReader) throws -> Int {
        var (code, first, index) = (0, 0, 0)
        for length in 1..<16 {
            code |= try bits.take(1)
            let count = counts[length]
            if code - count < first { return symbols[index + (code - first)] }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        throw PictureError(description: "an unknown code")
    }

    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// Reads the codes of a block.
    static func tables(_ bits: inout BitReader) throws -> (literals: Huffman, distances: Huffman) {
        let (literalCount, distanceCount) = (try bits.take(5) + 257, try bits.take(5) + 1)
        let lengthCount = try bits.take(4) + 4
        var lengthLengths = [Int](repeating: 0, count: 19)
        for index in 0..<lengthCount { lengthLengths[order[index]] = try bits.take(3) }
        let code = Huffman(lengths: lengthLengths)
        var lengths: [Int] = []
        while lengths.count < literalCount + distanceCount {
            let symbol = try code.next(&bits)
            switch symbol {
            case 0..<16: lengths.append(symbol)
            case 16:
                guard let last = lengths.last else { throw PictureError(description: "a repeat of nothing") }
                lengths += [Int](repeating: last, count: try bits.take(2) + 3)
            case 17: lengths += [Int](repeating: 0, count: try bits.take(3) + 3)
            default: lengths += [Int](repeating: 0, count: try bits.take(7) + 11)
            }
        }
        guard lengths.count == literalCount + distanceCount else { throw PictureError(description: "too many lengths") }
        return (Huffman(lengths: Array(lengths[..<literalCount])), Huffman(lengths: Array(lengths[literalCount...])))
    }
}
