import Perennial

/// A row of a result, valid only inside the closure that receives it.
///
/// Columns are counted from 0. Each function throws ``StorageError`` with `wrongType` if the column has another type, doesn't
/// exist, or is null although a value is required.
package protocol Row {
    func integer(_ column: Int) throws -> Int64
    func optionalInteger(_ column: Int) throws -> Int64?
    func text(_ column: Int) throws -> String
    func optionalText(_ column: Int) throws -> String?
    func blob(_ column: Int) throws -> [UInt8]
    func optionalBlob(_ column: Int) throws -> [UInt8]?
    /// Returns true unless the column's integer is 0.
    func bool(_ column: Int) throws -> Bool
}

extension Row {
    package func integer(_ column: Int) throws -> Int64 {
        guard let value = try optionalInteger(column) else { throw missing("integer", column) }
        return value
    }

    package func text(_ column: Int) throws -> String {
        guard let value = try optionalText(column) else { throw missing("text", column) }
        return value
    }

    package func blob(_ column: Int) throws -> [UInt8] {
        guard let value = try optionalBlob(column) else { throw missing("bytes", column) }
        return value
    }

    package func bool(_ column: Int) throws -> Bool {
        try integer(column) != 0
    }

    private func missing(_ wanted: String, _ column: Int) -> StorageError {
        StorageError(.wrongType, "column \(column)", "It is null where \(wanted) was asked for.")
    }
}

extension Row {
    /// Returns the value of an enumeration whose raw value the column holds.
    package func value<Value: RawRepresentable<String>>(_ column: Int) throws -> Value {
        let text = try text(column)
        guard let value = Value(rawValue: text) else {
            throw StorageError(.corrupt, "\(Value.self)", "the column holds “\(text)”, which is none of its values")
        }
        return value
    }

    package func instant(_ column: Int) throws -> Instant {
        Instant(milliseconds: try integer(column))
    }

    package func optionalInstant(_ column: Int) throws -> Instant? {
        try optionalInteger(column).map(Instant.init(milliseconds:))
    }
}
