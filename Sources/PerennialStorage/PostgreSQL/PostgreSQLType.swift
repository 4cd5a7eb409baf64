import CPostgreSQL

/// The types whose binary format is read, by their OID in the server's `pg_type`.
enum PostgreSQLType {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let name: Oid = 19
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
    static let text: Oid = 25
    static let unknown: Oid = 705
    static let bpchar: Oid = 1042
    static let varchar: Oid = 1043
    static let numeric: Oid = 1700

    /// Returns the type declared for a parameter; 0 lets the server infer it.
    static func declared(_ value: SQLValue) -> Oid {
        switch value {
        case .null: 0
        case .integer: int8
        case .text: text
        case .blob: bytea
        }
    }

    /// Reads an integer from its binary format. Returns `nil` if the type has no integers or the number doesn't fit.
    ///
    /// Sums of `BIGINT` come as `NUMERIC`, comparisons as `BOOL`, and counts of characters as `INT4`.
    static func integer(_ bytes: UnsafeRawBufferPointer, type: Oid) -> Int64? {
        switch type {
        case int8 where bytes.count == 8: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case int4 where bytes.count == 4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case int2 where bytes.count == 2: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case bool where bytes.count == 1: bytes[0] == 0 ? 0 : 1
        case numeric: integer(numeric: bytes)
        default: nil
        }
    }

    /// Reads a `NUMERIC`: four words (digits, weight, sign, decimal places), then digits to the base of 10,000, most significant
    /// first.
    private static func integer(numeric bytes: UnsafeRawBufferPointer) -> Int64? {
        guard bytes.count >= 8, bytes.count % 2 == 0 else { return nil }
        func word(_ index: Int) -> Int16 {
            Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self))
        }
        let digits = Int(word(0))
        let weight = Int(word(1))
        let sign: Int64
        switch UInt16(bitPattern: word(2)) {
        case 0: sign = 1
        case 0x4000: sign = -1
        default: return nil  // not a number, or infinite
        }
        guard bytes.count == 8 + digits * 2, weight < 6 else { return nil }
        var value: Int64 = 0
        for place in 0..<max(digits, weight + 1) {
            let digit = place < digits ? Int64(word(4 + place)) * sign : 0
            guard place <= weight else {
                if digit == 0 { continue }
                return nil
            }
            let (shifted, overflows) = value.multipliedReportingOverflow(by: 10_000)
            let (sum, exceeds) = shifted.addingReportingOverflow(digit)
            if overflows || exceeds { return nil }
            value = sum
        }
        return value
    }
}
