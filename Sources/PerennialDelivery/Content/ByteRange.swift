/// One range of a `Range` header, in bytes (RFC 9110, section 14).
package enum ByteRange: Hashable, Sendable {
    /// `bytes=100-199`
    case closed(first: Int64, last: Int64)
    /// `bytes=100-`
    case from(Int64)
    /// `bytes=-500`: the last 500 bytes
    case suffix(Int64)

    /// The meaning of a range for a file.
    package enum Resolution: Hashable, Sendable {
        case bytes(Range<Int64>)
        /// The range lies outside: 416.
        case unsatisfiable
        /// `Content-Range` can't express it, so the whole file is sent.
        case whole
    }

    /// Reads a header with one range. Returns `nil` for several ranges, other units and malformed headers, which a server may
    /// ignore.
    package init?(header: some StringProtocol) {
        let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].trimmed.lowercased() == "bytes" else { return nil }
        let ends = parts[1].trimmed.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        switch (ends[0].isEmpty, ends[1].isEmpty) {
        case (true, true): return nil
        case (true, false):
            guard let count = Self.number(ends[1]) else { return nil }
            self = .suffix(count)
        case (false, true):
            guard let first = Self.number(ends[0]) else { return nil }
            self = .from(first)
        case (false, false):
            guard let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else { return nil }
            self = .closed(first: first, last: last)
        }
    }

    package func resolved(in size: Int64) -> Resolution {
        switch self {
        case .closed(let first, let last):
            first < size ? .bytes(first..<(min(last, size - 1) + 1)) : .unsatisfiable
        case .from(let first): first < size ? .bytes(first..<size) : .unsatisfiable
        case .suffix(0): .unsatisfiable
        case .suffix where size == 0: .whole
        case .suffix(let count): .bytes((count < size ? size - count : 0)..<size)
        }
    }

    /// Reads decimal digits. A number that is too large counts as the largest.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text) ?? .max
    }
}

extension StringProtocol {
    /// The text without optional white space of HTTP around it.
    var trimmed: Substring {
        var slice = Substring(self)
        while let first = slice.utf8.first, first == 0x20 || first == 0x09 { slice = slice.dropFirst() }
        while let last = slice.utf8.last, last == 0x20 || last == 0x09 { slice = slice.dropLast() }
        return slice
    }
}
