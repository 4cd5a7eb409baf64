/// The format and size of an image, from its first bytes.
package struct ImageHeader: Hashable, Sendable {
    package enum Format: String, Sendable, CaseIterable {
        case png, jpeg
    }

    package let format: Format
    /// The width in pixels.
    package let width: Int
    package let height: Int

    /// Reads a PNG's IHDR chunk (PNG specification, 11.2.2) or a JPEG's frame header (ITU-T T.81, B.2.2); `nil` for another
    /// format.
    package init?(_ bytes: [UInt8]) {
        if let size = Self.png(bytes) {
            (format, width, height) = (.png, size.width, size.height)
        } else if let size = Self.jpeg(bytes) {
            (format, width, height) = (.jpeg, size.width, size.height)
        } else {
            return nil
        }
    }

    private static func png(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.count >= 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            bytes[12..<16].elementsEqual("IHDR".utf8)
        else { return nil }
        return sized(width: number(bytes[16..<20]), height: number(bytes[20..<24]))
    }

    private static func jpeg(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var position = 2
        while position + 9 <= bytes.count {
            guard bytes[position] == 0xFF else { return nil }
            let marker = bytes[position + 1]
            if marker == 0xFF {
                position += 1
                continue
            }
            // Frame headers, without the tables DHT, JPG and DAC between them.
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return sized(
                    width: number(bytes[(position + 7)..<(position + 9)]),
                    height: number(bytes[(position + 5)..<(position + 7)]))
            }
            let length = number(bytes[(position + 2)..<(position + 4)])
            guard length >= 2, marker != 0xDA, marker != 0xD9 else { return nil }
            position += 2 + length
        }
        return nil
    }

    private static func sized(width: Int, height: Int) -> (width: Int, height: Int)? {
        width > 0 && height > 0 ? (width, height) : nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
