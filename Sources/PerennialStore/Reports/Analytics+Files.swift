import AppStoreFormats
import BaseEncoding
import Crypto
import Foundation
import Perennial
import PerennialStorage

/// A segment of an analytics report: a compressed file.
package struct AnalyticsSegment: Sendable {
    package let id: String
    package let bytes: [UInt8]

    /// MD5 in hexadecimal, as Apple's API has it.
    package var checksum: String { Hexadecimal.encode(Array(Insecure.MD5.hash(data: bytes))) }
}

/// A link to a segment that needs no token and ends soon.
package struct AnalyticsLink: Sendable {
    package let segmentID: String
    /// The end in seconds since 1970, by the wall clock.
    package let expires: Int64
    package let signature: String

    package init(segmentID: String, expires: Int64, signature: String) {
        (self.segmentID, self.expires, self.signature) = (segmentID, expires, signature)
    }
}

extension Analytics {
    /// The life of a link, in seconds.
    package static let linkLifetime: Int64 = 300

    /// Returns the segment of an instance. The same rows give the same bytes.
    package func segment(of instance: Instance) async throws -> AnalyticsSegment {
        let encoder = try GzipEncoder()
        var bytes = try encoder.compress(Self.line(instance.report.kind.columns))
        if let app = try await app(of: instance) {
            let key = try await rollUps.bringUpToDate(app)
            for period in instance.instance.periods {
                let rows = try await database.read { [environment] connection in
                    let source = AnalyticsRows(
                        app: app, key: key, environment: environment.id, period: period, connection: connection)
                    return try source.rows(of: instance.report.kind)
                }
                for row in rows { bytes += try encoder.compress(Self.line(row)) }
            }
        }
        bytes += try encoder.finish()
        return AnalyticsSegment(id: instance.segmentID, bytes: bytes)
    }

    /// Signs a link to a segment.
    package func link(to segmentID: String) -> AnalyticsLink {
        let expires = clock.wallClockNow.milliseconds / 1000 + Self.linkLifetime
        return AnalyticsLink(segmentID: segmentID, expires: expires, signature: signature(segmentID, expires))
    }

    /// Returns the segment of a link.
    ///
    /// - Returns: `nil` for a link that has expired or that this environment hasn't signed.
    package func segment(of link: AnalyticsLink) async throws -> AnalyticsSegment? {
        let now = clock.wallClockNow.milliseconds / 1000
        // The digests are compared, so that the time it takes says nothing about the signature.
        let isSigned =
            SHA256.hash(data: Data(link.signature.utf8))
            == SHA256.hash(data: Data(signature(link.segmentID, link.expires).utf8))
        guard isSigned, link.expires > now, let instance = try await instance(ofSegment: link.segmentID) else {
            return nil
        }
        return try await segment(of: instance)
    }

    private func signature(_ segmentID: String, _ expires: Int64) -> String {
        Hexadecimal.encode(cipher.bytes(from: Array("analytics segment \(segmentID) \(expires)".utf8), count: 32))
    }

    private func app(of instance: Instance) async throws -> App? {
        try await database.read { [catalog] in
            try catalog.entry(number: instance.report.request.app, on: $0)?.app
        }
    }

    /// A line of the file. Tabs and line ends in a cell become spaces.
    private static func line(_ cells: [String]) -> [UInt8] {
        let text = cells.map { cell in
            cell.contains { $0.isNewline || $0 == "\t" }
                ? String(cell.map { $0.isNewline || $0 == "\t" ? " " : $0 }) : cell
        }
        return Array((text.joined(separator: "\t") + "\n").utf8)
    }
}
