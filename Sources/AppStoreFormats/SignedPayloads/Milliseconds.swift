import FastJSON
import Foundation
import Perennial

/// A date that JSON holds as a number of milliseconds since 1970. Fractions, as Xcode writes them, are accepted; whole
/// numbers are written.
@propertyWrapper
public struct Milliseconds: Hashable, Sendable, Codable {
    /// The date.
    public var wrappedValue: Date

    /// Wraps a date.
    public init(wrappedValue: Date) { self.wrappedValue = wrappedValue }

    /// Reads a number of milliseconds.
    public init(from decoder: any Decoder) throws {
        wrappedValue = Date(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self) / 1000)
    }

    /// Writes a whole number of milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue.milliseconds)
    }
}

/// A date that JSON holds as a number of milliseconds since 1970, or that is not there at all. It is never written as
/// `null`, which some official libraries refuse.
@propertyWrapper
public struct OptionalMilliseconds: Hashable, Sendable, Codable {
    /// The date, if there is one.
    public var wrappedValue: Date?

    /// Wraps a date or none.
    public init(wrappedValue: Date? = nil) { self.wrappedValue = wrappedValue }

    /// Reads a number of milliseconds.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try Milliseconds(from: decoder).wrappedValue
    }

    /// Writes a whole number of milliseconds; only for a date that is there.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue?.milliseconds)
    }
}

// Synthesised conformances call these for members of the type, because they are closer than the generic ones.
extension KeyedDecodingContainer {
    /// Reads a date that may be missing.
    public func decode(_ type: OptionalMilliseconds.Type, forKey key: Key) throws -> OptionalMilliseconds {
        try decodeIfPresent(type, forKey: key) ?? OptionalMilliseconds()
    }
}

extension KeyedEncodingContainer {
    /// Writes a date unless it is missing.
    public mutating func encode(_ value: OptionalMilliseconds, forKey key: Key) throws {
        guard let date = value.wrappedValue else { return }
        try encode(date.milliseconds, forKey: key)
    }
}

extension Date {
    /// Whole milliseconds since 1970; a date that no calendar holds is moved to the nearest that one does.
    var milliseconds: Int64 { ReceiptDate.instant(self).milliseconds }
}

extension JSONWriter {
    /// A date as a number of milliseconds.
    mutating func milliseconds(_ key: StaticString, _ value: Date?) {
        number(key, value?.milliseconds)
    }

    /// A UUID in lower case, as the App Store writes it.
    mutating func uuid(_ key: StaticString, _ value: UUID?) {
        string(key, value?.uuidString.lowercased())
    }
}
