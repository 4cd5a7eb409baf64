/// The field `Content-Disposition` of a download (RFC 6266).
enum DownloadDisposition {
    private static let maximumLength = 150

    /// Returns the field's value for a file's name: without path, control characters and quotation marks, as ASCII for old
    /// clients and as UTF-8 for all others.
    static func attachment(_ name: String) -> String {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        let scalars = last.unicodeScalars.filter { !isUnsafe($0) }.prefix(maximumLength)
        var safe = String(String.UnicodeScalarView(scalars))
        while safe.hasPrefix(".") { safe.removeFirst() }
        if safe.isEmpty { safe = "download" }
        let ascii = String(safe.unicodeScalars.map { $0.isASCII ? Character($0) : "_" })
        let plain = "attachment; filename=\"\(ascii)\""
        return ascii == safe ? plain : plain + "; filename*=UTF-8''\(ConsolePath.encoded(safe))"
    }

    /// Controls, quotation marks, and characters that reverse the direction of text to disguise a file's kind.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        default: "\"%;*:<>|?".unicodeScalars.contains(scalar)
        }
    }
}
