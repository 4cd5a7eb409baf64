import BaseEncoding
import Foundation
import HTTPTypes

/// The next request of a download.
enum DownloadPlan: Equatable {
    /// Request the whole file.
    case fetchWhole
    /// Request the rest, if the file still has this ETag.
    case fetchRest(from: Int64, etag: String)
    /// Verify the complete part.
    case verify

    /// Makes a plan.
    ///
    /// - Parameter part: The part of an earlier run.
    init(part: (note: DownloadNote, received: Int64)?, contentId: String) {
        guard let part, part.note.contentId == contentId, part.received <= part.note.size else {
            self = .fetchWhole
            return
        }
        if part.received == part.note.size {
            self = .verify
        } else if part.received > 0, let etag = part.note.etag {
            self = .fetchRest(from: part.received, etag: etag)
        } else {
            self = .fetchWhole
        }
    }

    var headers: HTTPFields {
        guard case .fetchRest(let offset, let etag) = self else { return [:] }
        return [.range: "bytes=\(offset)-", .ifRange: etag]
    }
}

/// The use of an answer's body.
enum DownloadAnswer: Equatable {
    /// Replace the part with the whole file.
    case whole(DownloadNote)
    /// Append the rest to the part.
    case rest
    /// Start over, since the part is of another file.
    case startOver
    /// Retry later.
    case tryAgain(status: Int)
    case refused(status: Int)

    /// - Parameters:
    ///   - promised: Size and digest in the grant, for an answer without them.
    init(status: Int, headers: HTTPFields, to plan: DownloadPlan, promised: DownloadNote) {
        switch (status, plan) {
        case (200, _):
            self = .whole(
                DownloadNote(
                    contentId: promised.contentId,
                    size: headers[.contentLength].flatMap { Int64($0) } ?? promised.size,
                    sha256: Self.digest(in: headers) ?? promised.sha256, etag: Self.strongETag(in: headers)))
        case (206, .fetchRest(let offset, let etag)):
            let isSame = headers[.eTag].map { $0 == etag } ?? true
            self = isSame && Self.rangeStart(in: headers) == offset ? .rest : .startOver
        case (416, .fetchRest): self = .startOver
        case (408, _), (429, _), (500..., _): self = .tryAgain(status: status)
        default: self = .refused(status: status)
        }
    }

    private static func strongETag(in headers: HTTPFields) -> String? {
        headers[.eTag].flatMap { $0.hasPrefix("\"") ? $0 : nil }
    }

    /// Reads the first position of `bytes 100-199/200`.
    private static func rangeStart(in headers: HTTPFields) -> Int64? {
        guard let range = headers[.contentRange], range.hasPrefix("bytes ") else { return nil }
        return range.dropFirst(6).split(separator: "-").first.flatMap { Int64($0) }
    }

    /// Reads the whole file's SHA-256 in hexadecimal from `Repr-Digest: sha-256=:…:` (RFC 9530) or `Digest: sha-256=…` (RFC 3230).
    private static func digest(in headers: HTTPFields) -> String? {
        for value in headers[values: .reprDigest] + headers[values: .digest] {
            for item in value.split(separator: ",") {
                let text = item.trimmingCharacters(in: .whitespaces)
                guard text.lowercased().hasPrefix("sha-256=") else { continue }
                let base64 = text.dropFirst(8).trimmingCharacters(in: CharacterSet(charactersIn: ":"))
                if let bytes = Data(base64Encoded: base64), bytes.count == 32 { return Hexadecimal.encode(bytes) }
            }
        }
        return nil
    }
}

extension HTTPField.Name {
    fileprivate static let reprDigest = Self("Repr-Digest")!
    fileprivate static let digest = Self("Digest")!
}
