import Foundation

/// An error of a picture's file.
public struct PictureError: Error, CustomStringConvertible, Equatable {
    public let description: String
}

/// PNG files with 8-bit channels: grey, RGB, RGBA and palettes are read, RGBA is written. Interlaced files aren't read.
///
/// Source: W3C, Portable Network Graphics (PNG) Specification, third edition.
extension Picture {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Reads a picture.
    ///
    /// - Throws: ``PictureError``.
    public init(png bytes: [UInt8]) throws {
        guard bytes.starts(with: Self.signature) else { throw PictureError(description: "not a PNG file") }
        var reader = ChunkReader(bytes: bytes[8...])
        var header: Header?
        var palette: [Pixel] = []
        var compressed: [UInt8] = []
        while let chunk = try reader.next(), chunk.type != "IEND" {
            switch chunk.type {
            case "IHDR": header = try Header(Array(chunk.data))
            case "PLTE":
                let data = Array(chunk.data)
                palette = stride(from: 0, to: data.count - 2, by: 3).map {
                    Pixel(red: data[$0], green: data[$0 + 1], blue: data[$0 + 2])
                }
            case "IDAT": compressed += chunk.data
            default: break
            }
        }
        guard let header else { throw PictureError(description: "a PNG file without its header") }
        let data = try Inflate.zlib(compressed, maximumCount: header.dataCount)
        let rows = try header.unfiltered(data)
        self.init(width: header.width, height: header.height) { x, y in
            header.pixel(rows, x, y, palette)
        }
    }

    /// Returns the picture as a PNG file.
    public func png() -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                let pixel = self[x, y]
                rows += [pixel.red, pixel.green, pixel.blue, pixel.alpha]
            }
        }
        var file = Self.signature
        file += Self.chunk("IHDR", UInt32(width).bytes + UInt32(height).bytes + [8, 6, 0, 0, 0])
        file += Self.chunk("IDAT", Inflate.stored(rows))
        file += Self.chunk("IEND", [])
        return file
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return UInt32(data.count).bytes + body + CRC32.value(body).bytes
    }
}

private struct Header {
    /// Largest number of pixels; a limit of this example.
    private static let maximumPixels = 100_000_000

    let width: Int
    let height: Int
    let channels: Int
    let isPalette: Bool

    init(_ data: [UInt8]) throws {
        guard data.count == 13 else { throw PictureError(description: "a PNG header of the wrong length") }
        width = Int(UInt32(bytes: data[0..<4]))
        height = Int(UInt32(bytes: data[4..<8]))
        let counts: [UInt8: Int] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
        guard let channels = counts[data[9]], data[8] == 8, data[12] == 0, width > 0, height > 0,
            width.multipliedReportingOverflow(by: height).partialValue <= Self.maximumPixels
        else { throw PictureError(description: "a kind of PNG file that isn't read here") }
        self.channels = channels
        isPalette = data[9] == 3
    }

    private var rowCount: Int { width * channels + 1 }
    var dataCount: Int { rowCount * height }

    /// Undoes the filters of the rows.
    func unfiltered(_ data: [UInt8]) throws -> [UInt8] {
        guard data.count == dataCount else { throw PictureError(description: "too few bytes of pixels") }
        var rows = data
        for y in 0..<height {
            let start = y * rowCount + 1
            for index in start..<(start + width * channels) {
                let left = index - start >= channels ? Int(rows[index - channels]) : 0
                let above = y > 0 ? Int(rows[index - rowCount]) : 0
                let corner = y > 0 && index - start >= channels ? Int(rows[index - rowCount - channels]) : 0
                let predicted: Int
                switch data[y * rowCount] {
                case 0: predicted = 0
                case 1: predicted = left
                case 2: predicted = above
                case 3: predicted = (left + above) / 2
                case 4: predicted = Self.paeth(left, above, corner)
                default: throw PictureError(description: "an unknown filter of a row")
                }
                rows[index] &+= UInt8(truncatingIfNeeded: predicted)
            }
        }
        return rows
    }

    private static func paeth(_ left: Int, _ above: Int, _ corner: Int) -> Int {
        let estimate = left + above - corner
        let distances = [(estimate - left).magnitude, (estimate - above).magnitude, (estimate - corner).magnitude]
        if distances[0] <= distances[1], distances[0] <= distances[2] { return left }
        return distances[1] <= distances[2] ? above : corner
    }

    func pixel(_ rows: [UInt8], _ x: Int, _ y: Int, _ palette: [Picture.Pixel]) -> Picture.Pixel {
        let start = y * rowCount + 1 + x * channels
        let bytes = rows[start..<(start + channels)].map(\.self)
        if isPalette {
            return bytes[0] < palette.count ? palette[Int(bytes[0])] : Picture.Pixel(red: 0, green: 0, blue: 0)
        }
        switch channels {
        case 1: return Picture.Pixel(red: bytes[0], green: bytes[0], blue: bytes[0])
        case 2: return Picture.Pixel(red: bytes[0], green: bytes[0], blue: bytes[0], alpha: bytes[1])
        case 3: return Picture.Pixel(red: bytes[0], green: bytes[1], blue: bytes[2])
        default: return Picture.Pixel(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes[3])
        }
    }
}

private struct ChunkReader {
    var bytes: ArraySlice<UInt8>

    mutating func next() throws -> (type: String, data: ArraySlice<UInt8>)? {
        guard !bytes.isEmpty else { return nil }
        guard bytes.count >= 12 else { throw PictureError(description: "a PNG file that ends early") }
        let count = Int(UInt32(bytes: bytes.prefix(4)))
        guard count <= bytes.count - 12 else { throw PictureError(description: "a PNG file that ends early") }
        let body = bytes.dropFirst(4).prefix(count + 4)
        let sum = UInt32(bytes: bytes.dropFirst(8 + count).prefix(4))
        guard CRC32.value(Array(body)) == sum else { throw PictureError(description: "a damaged PNG file") }
        bytes = bytes.dropFirst(count + 12)
        return (String(decoding: body.prefix(4), as: UTF8.self), body.dropFirst(4))
    }
}

enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    static func value(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
    }
}

extension UInt32 {
    /// Bytes in network order.
    var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }

    init(bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
