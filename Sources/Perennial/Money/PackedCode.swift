/// A short code, such as of a country or a currency, packed into one machine word. Values with many codes (every
/// price has one) are copied at every step of a subscription, and a word is cheap to copy.
struct PackedCode: Hashable, Comparable, Sendable {
    /// The most bytes of UTF-8. ISO codes have three; longer texts are invalid and are truncated.
    static let maximumLength = 8

    /// The bytes, with the first one lowest and zeros at the end. A zero byte in the text is stored as a byte that no
    /// text has, so that the code is invalid.
    private let bytes: UInt64

    init(_ text: String) { self.init(text.utf8) }

    /// - Parameter text: UTF-8.
    init(_ text: some Sequence<UInt8>) {
        var bytes: UInt64 = 0
        for (index, byte) in text.prefix(Self.maximumLength).enumerated() {
            bytes |= UInt64(truncatingIfNeeded: byte == 0 ? .max : byte) << (8 * index)
        }
        self.bytes = bytes
    }

    var text: String {
        let length = Self.maximumLength - bytes.leadingZeroBitCount / 8
        return withUnsafeBytes(of: bytes.littleEndian) { String(decoding: $0.prefix(length), as: UTF8.self) }
    }

    /// Compares in the order of the bytes: alphabetical for codes in capitals.
    static func < (one: Self, other: Self) -> Bool { one.bytes.byteSwapped < other.bytes.byteSwapped }
}
