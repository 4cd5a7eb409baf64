import AppStoreFormats

/// Compresses the text of reports while it is written.
///
/// Holds one chunk of text and one of compressed data, however long the report is.
struct ReportStream {
    /// The number of bytes of text that are compressed at once.
    static let chunkSize = 64 << 10

    private var writer: ReportWriter
    private let encoder: GzipEncoder

    init(_ layout: ReportLayout) throws {
        writer = ReportWriter(layout)
        encoder = try GzipEncoder()
    }

    /// Appends a row, and writes the chunk if it is full.
    mutating func append(
        _ row: [ReportValue], _ write: (ArraySlice<UInt8>) async throws -> Void
    ) async throws {
        writer.append(row)
        guard writer.count >= Self.chunkSize else { return }
        try await Self.pass(try encoder.compress(writer.takeBytes()), write)
    }

    /// Writes the rest.
    mutating func finish(_ write: (ArraySlice<UInt8>) async throws -> Void) async throws {
        try await Self.pass(try encoder.compress(writer.takeBytes()), write)
        try await Self.pass(try encoder.finish(), write)
    }

    /// Compresses a text that is held in memory.
    static func write(_ text: String, _ write: (ArraySlice<UInt8>) async throws -> Void) async throws {
        let encoder = try GzipEncoder()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try await pass(try encoder.compress(Array(rest.prefix(chunkSize))), write)
            rest = rest.dropFirst(chunkSize)
        }
        try await pass(try encoder.finish(), write)
    }

    private static func pass(
        _ bytes: [UInt8], _ write: (ArraySlice<UInt8>) async throws -> Void
    ) async throws {
        if !bytes.isEmpty { try await write(bytes[...]) }
    }
}
