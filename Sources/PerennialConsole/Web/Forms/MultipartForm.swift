import AppStoreFormats

/// A form with files: `multipart/form-data` (RFC 7578), already collected and so bounded.
enum MultipartForm {
    private static let maximumParts = 200
    /// The longest head of a part, in bytes.
    private static let maximumHeadLength = 8_192
    /// RFC 2046, 5.1.1.
    private static let maximumBoundaryLength = 70
    private static let lineBreak: [UInt8] = [13, 10]

    /// Returns the boundary that a `Content-Type` names; `nil` for another type.
    static func boundary(ofType contentType: String) -> String? {
        let parts = contentType.split(separator: ";", omittingEmptySubsequences: false)
        guard parts.first.map({ String($0).trimmed.lowercased() }) == "multipart/form-data" else { return nil }
        for parameter in parts.dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, String(pair[0]).trimmed.lowercased() == "boundary" else { continue }
            var value = String(pair[1]).trimmed
            if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
                value = String(value.dropFirst().dropLast())
            }
            guard (1...maximumBoundaryLength).contains(value.utf8.count) else { return nil }
            return value
        }
        return nil
    }

    /// Reads the fields and files. A file without name and bytes wasn't chosen, and is left out.
    ///
    /// - Throws: ``ConsoleError`` `.badRequest` for a body that isn't one.
    static func values(_ body: [UInt8], boundary: String) throws -> FormValues {
        var fields: [String: [String]] = [:]
        var files: [String: UploadedFile] = [:]
        let delimiter = Array("--\(boundary)".utf8)
        // The first delimiter begins the body, each further one ends a part with the line break before it.
        guard var start = find(delimiter, in: body[...])?.upperBound else { throw malformed }
        var count = 0
        while !body[start...].starts(with: Array("--".utf8)) {
            count += 1
            guard count <= maximumParts, let lineEnd = find(lineBreak, in: body[start...]),
                let end = find(lineBreak + delimiter, in: body[max(start, lineEnd.upperBound - 2)...])
            else { throw malformed }
            let part = body[min(lineEnd.upperBound, end.lowerBound)..<end.lowerBound]
            start = end.upperBound
            let head = try head(of: part)
            guard let name = head.name else { continue }
            if let fileName = head.fileName {
                guard !fileName.isEmpty || !head.body.isEmpty else { continue }
                files[name] = UploadedFile(name: fileName, bytes: Array(head.body))
            } else {
                fields[name, default: []].append(String(decoding: head.body, as: UTF8.self))
            }
        }
        return FormValues(fields, files: files)
    }

    private struct Part {
        var name: String?
        var fileName: String?
        var body: ArraySlice<UInt8>
    }

    /// Separates a part's headers from its body.
    private static func head(of part: ArraySlice<UInt8>) throws -> Part {
        var found = Part(body: part)
        var rest = part
        while true {
            guard let end = find(lineBreak, in: rest), end.lowerBound - part.startIndex <= maximumHeadLength else {
                throw malformed
            }
            let line = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
            rest = rest[end.upperBound...]
            guard !line.isEmpty else { break }
            guard line.lowercased().hasPrefix("content-disposition:") else { continue }
            found.name = parameter("name", of: line)
            found.fileName = parameter("filename", of: line).map(lastComponent)
        }
        found.body = rest
        return found
    }

    /// Returns a parameter's value. Browsers write a quotation mark in it as `%22` (HTML Living Standard).
    private static func parameter(_ name: String, of line: String) -> String? {
        guard let start = line.firstRange(of: "; \(name)=\"") ?? line.firstRange(of: ";\(name)=\"") else { return nil }
        guard let end = line[start.upperBound...].firstIndex(of: "\"") else { return nil }
        return String(line[start.upperBound..<end]).replacing("%22", with: "\"").replacing("%0D%0A", with: "\r\n")
    }

    /// Old browsers send a whole path.
    private static func lastComponent(_ path: String) -> String {
        String(path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? "")
    }

    /// Finds bytes by their first one.
    private static func find(_ pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        guard let first = pattern.first else { return nil }
        return bytes.withUnsafeBufferPointer { buffer -> Range<Int>? in
            var index = 0
            while index + pattern.count <= buffer.count {
                guard let next = buffer[index...].firstIndex(of: first), next + pattern.count <= buffer.count else {
                    return nil
                }
                if buffer[next..<next + pattern.count].elementsEqual(pattern) {
                    let start = bytes.startIndex + next
                    return start..<start + pattern.count
                }
                index = next + 1
            }
            return nil
        }
    }

    private static var malformed: ConsoleError { .badRequest(.phrase(WebPhrases.malformedForm)) }
}
