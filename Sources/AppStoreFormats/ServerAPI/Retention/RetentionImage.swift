import Foundation

/// The use of a retention image, which decides its size.
public enum RetentionImageSize: String, Hashable, Sendable, Codable, CaseIterable {
    /// An image above a message: 3840 pixels wide, 160 to 2160 high.
    case fullSize = "FULL_SIZE"
    /// The icon of a bullet point: 1024 × 1024 pixels.
    case bulletPoint = "BULLET_POINT"

    func holds(width: UInt32, height: UInt32) -> Bool {
        switch self {
        case .fullSize: width == 3840 && (160...2160).contains(height)
        case .bulletPoint: width == 1024 && height == 1024
        }
    }
}

/// A PNG file as far as the store looks into it: its dimensions, and whether anything shines through.
package struct RetentionImage: Hashable, Sendable {
    /// Perennial's limit: the size of the largest image without compression, rounded up.
    package static let maximumBytes = 26_214_400
    private static let maximumChunks = 65_536
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    package let width: UInt32
    package let height: UInt32
    package let isTransparent: Bool

    /// Reads a file chunk by chunk: a header first, at least one chunk of data, an end with nothing behind it.
    /// - Throws: ``ServerAPIError`` 4000161.
    package init(png bytes: some RandomAccessCollection<UInt8>) throws {
        func broken(_ reason: String) -> ServerAPIError { ServerAPIError(.invalidImage, nil, reason) }
        guard bytes.count <= Self.maximumBytes, bytes.prefix(8).elementsEqual(Self.signature) else {
            throw broken("an image is a PNG file of at most \(Self.maximumBytes) bytes")
        }
        var rest = bytes.dropFirst(8)
        var header: [UInt8]?
        var hasData = false
        var hasTransparentColor = false
        var hasEnd = false
        for _ in 0..<Self.maximumChunks {
            guard rest.count >= 12 else { break }
            let length = Int(Self.number(rest.prefix(4)))
            let name = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            guard rest.count - 12 >= length else { throw broken("a chunk of the PNG file is cut off") }
            switch name {
            case "IHDR" where header == nil && length == 13: header = Array(rest.dropFirst(8).prefix(13))
            case _ where header == nil: throw broken("a PNG file begins with its header")
            case "IDAT": hasData = true
            case "tRNS": hasTransparentColor = true
            default: break
            }
            rest = rest.dropFirst(12 + length)
            hasEnd = name == "IEND"
            guard !hasEnd else { break }
        }
        guard let header, hasData, hasEnd, rest.isEmpty else { throw broken("the PNG file is not complete") }
        width = Self.number(header.prefix(4))
        height = Self.number(header.dropFirst(4).prefix(4))
        // Color types 4 and 6 carry an alpha channel.
        isTransparent = hasTransparentColor || header[9] & 4 != 0
    }

    /// - Throws: ``ServerAPIError`` 4000161.
    package func check(as size: RetentionImageSize) throws {
        guard !isTransparent else {
            throw ServerAPIError(
                .invalidImage, nil, "an image has no transparency: save it without alpha channel")
        }
        guard size.holds(width: width, height: height) else {
            throw ServerAPIError(
                .invalidImage, nil,
                """
                it has \(width) × \(height) pixels; FULL_SIZE is 3840 wide and 160 to 2160 high, BULLET_POINT 1024 × 1024
                """)
        }
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32(truncatingIfNeeded: $1) }
    }
}
