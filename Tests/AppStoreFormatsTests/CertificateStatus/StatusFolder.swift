import Foundation
import Perennial

@testable import AppStoreFormats

/// A directory of signing identities with the URLs of a store in its certificates.
final class StatusFolder {
    static let urls = CertificateURLs(base: "http://store.example:8080/")
    static let now = Instant(rfc3339: "2026-11-21T10:00:00Z") ?? Instant(milliseconds: 0)

    let directory: URL
    var folder: SigningFolder

    init(publishing: Bool = true) throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
        let shared = try TestIdentities.shared
        _ = try SigningIdentities.loadOrMake(
            in: directory, making: { () throws(SigningIdentitiesError) in shared }, afterEachFile: { _ in })
        folder = try SigningFolder(directory)
        if publishing { try folder.publish(at: Self.urls) }
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }
}
