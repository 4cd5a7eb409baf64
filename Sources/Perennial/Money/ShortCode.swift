/// A code of a few letters, such as a country's or a currency's, kept in one machine word: values that hold many of them
/// (every price has one) are copied at every step of a subscription's life, and a word costs nothing to copy.
struct ShortCode: Hashable, Sendable {
    /// Bytes of UTF-8. The codes of ISO have three; a text that is longer than this names nothing, and is cut.
    static let maximumLength = 8

    /// The first byte is the lowest; zero behind the end. A zero in the text itself is kept as a byte that no text has, so
    /// that such a text names nothing either.
    private let bytes: UInt64

    init(_ text: String) {
        var bytes: UInt64 = 0
        for (index, byte) in text.utf8.prefix(Self.maximumLength).enumerated() {
            bytes |= UInt64(truncatingIfNeeded: byte == 0 ? .max : byte) << (8 * index)
        }
        self.bytes = bytes
    }

    var text: String {
        let length = Self.maximumLength - bytes.leadingZeroBitCount / 8
        return withUnsafeBytes(of: bytes.littleEndian) { String(decoding: $0.prefix(length), as: UTF8.self) }
    }
}
