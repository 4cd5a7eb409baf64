import CPostgreSQL

/// Bound values in the format that libpq sends.
struct PostgreSQLParameters {
    /// All values one after the other, each followed by a NUL.
    private var bytes: [UInt8] = []
    /// The position of each value; nil for null.
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    /// 1 for binary, 0 for text.
    private var formats: [Int32] = []

    /// - Parameter types: The placeholders' types on the server, as many as there are values.
    /// - Throws: ``StorageError`` with `invalidText` or `statement`.
    init(_ values: [SQLValue], types: [Oid], during sql: SQL) throws {
        for (index, value) in values.enumerated() {
            switch value {
            case .null:
                offsets.append(nil)
                lengths.append(0)
                formats.append(0)
            case .integer(let integer) where types[index] == PostgreSQLType.int8:
                withUnsafeBytes(of: integer.bigEndian) { append($0, format: 1) }
            case .integer(let integer):
                append(String(integer).utf8, format: 0)
            case .text(let text):
                guard !text.utf8.contains(0) else { throw StorageError(nulInParameter: Int32(index + 1)) }
                append(text.utf8, format: 0)
            case .blob(let blob):
                guard types[index] == PostgreSQLType.bytea else {
                    throw StorageError(.statement, sql.text, "$\(index + 1) got bytes where none belong.")
                }
                append(blob, format: 1)
            }
        }
    }

    private mutating func append(_ value: some Collection<UInt8>, format: Int32) {
        offsets.append(bytes.count)
        lengths.append(Int32(clamping: value.count))
        formats.append(format)
        bytes.append(contentsOf: value)
        bytes.append(0)
    }

    /// Sends a request to run a prepared statement with these values; its result comes in binary format.
    ///
    /// - Returns: libpq's result: 0 if it can't.
    func send(_ name: String, on connection: OpaquePointer) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            let pointers = offsets.map { offset in
                offset.flatMap { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            return PQsendQueryPrepared(connection, name, Int32(offsets.count), pointers, lengths, formats, 1)
        }
    }
}
