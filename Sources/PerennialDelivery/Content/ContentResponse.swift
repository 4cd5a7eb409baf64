/// Range and conditions of a request for content.
package struct ContentRequest: Hashable, Sendable {
    package var isHead: Bool
    package var range: String?
    package var ifRange: String?
    package var ifMatch: String?
    package var ifNoneMatch: String?
    package var ifModifiedSince: String?
    package var ifUnmodifiedSince: String?

    package init(
        isHead: Bool = false, range: String? = nil, ifRange: String? = nil, ifMatch: String? = nil,
        ifNoneMatch: String? = nil, ifModifiedSince: String? = nil, ifUnmodifiedSince: String? = nil
    ) {
        self.isHead = isHead
        self.range = range
        self.ifRange = ifRange
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
        self.ifModifiedSince = ifModifiedSince
        self.ifUnmodifiedSince = ifUnmodifiedSince
    }
}

/// The answer to a request for content, decided before reading the file.
package struct ContentResponse: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        /// 200
        case whole
        /// 206
        case range(Range<Int64>)
        /// 304
        case notModified
        /// 412
        case preconditionFailed
        /// 416
        case unsatisfiable
    }

    package let part: Part
    /// Headers without `Content-Length`.
    package let headers: [(name: String, value: String)]
    /// Bytes of the body; empty without one, as for HEAD.
    package let body: Range<Int64>
    /// Value of `Content-Length`; `nil` without it.
    package let contentLength: Int64?

    package var status: Int {
        switch part {
        case .whole: 200
        case .range: 206
        case .notModified: 304
        case .preconditionFailed: 412
        case .unsatisfiable: 416
        }
    }

    /// Decides the answer, in the order of RFC 9110, section 13.2.2.
    package static func decide(
        _ request: ContentRequest, for metadata: FileMetadata, filename: String
    ) -> ContentResponse {
        let part = part(request, metadata)
        var headers: [(name: String, value: String)] = [
            ("Accept-Ranges", "bytes"), ("ETag", metadata.entityTag),
            ("Last-Modified", HTTPDate.text(seconds: metadata.modified)), ("Cache-Control", "private"),
        ]
        switch part {
        case .whole, .range:
            headers += [
                ("Content-Type", "application/octet-stream"),
                ("Content-Disposition", ContentDisposition.attachment(filename: filename)),
                ("Digest", "sha-256=\(metadata.base64Digest)"), ("Repr-Digest", "sha-256=:\(metadata.base64Digest):"),
            ]
        case .notModified, .preconditionFailed, .unsatisfiable: break
        }
        switch part {
        case .whole:
            return .init(part, headers, request.isHead ? 0..<0 : 0..<metadata.size, length: metadata.size)
        case .range(let range):
            headers.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(metadata.size)"))
            return .init(part, headers, range, length: range.upperBound - range.lowerBound)
        case .notModified: return .init(part, headers, 0..<0, length: nil)
        case .preconditionFailed: return .init(part, headers, 0..<0, length: 0)
        case .unsatisfiable:
            headers.append(("Content-Range", "bytes */\(metadata.size)"))
            return .init(part, headers, 0..<0, length: 0)
        }
    }

    private init(_ part: Part, _ headers: [(name: String, value: String)], _ body: Range<Int64>, length: Int64?) {
        self.part = part
        self.headers = headers
        self.body = body
        self.contentLength = length
    }

    package static func == (one: ContentResponse, other: ContentResponse) -> Bool {
        one.part == other.part && one.body == other.body && one.headers.elementsEqual(other.headers, by: ==)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(part)
        hasher.combine(body)
    }

    private static func part(_ request: ContentRequest, _ metadata: FileMetadata) -> Part {
        if let condition = request.ifMatch {
            if !EntityTags(condition).match(strongly: metadata.entityTag) { return .preconditionFailed }
        } else if let date = request.ifUnmodifiedSince.flatMap({ HTTPDate.seconds($0) }), metadata.modified > date {
            return .preconditionFailed
        }
        if let condition = request.ifNoneMatch {
            if EntityTags(condition).match(weakly: metadata.entityTag) { return .notModified }
        } else if let date = request.ifModifiedSince.flatMap({ HTTPDate.seconds($0) }), metadata.modified <= date {
            return .notModified
        }
        // Ranges are defined for GET only.
        guard !request.isHead, let range = request.range.flatMap({ ByteRange(header: $0) }),
            request.ifRange.map({ isCurrent($0, metadata) }) ?? true
        else { return .whole }
        switch range.resolved(in: metadata.size) {
        case .bytes(let range): return .range(range)
        case .unsatisfiable: return .unsatisfiable
        case .whole: return .whole
        }
    }

    /// True if the client's part is of the present file: by an equal strong ETag or an equal date.
    private static func isCurrent(_ ifRange: String, _ metadata: FileMetadata) -> Bool {
        let validator = ifRange.trimmed
        if validator.hasPrefix("\"") { return validator == metadata.entityTag }
        return HTTPDate.seconds(validator) == metadata.modified
    }
}
