import AppStoreFormats
import ArgumentParser
import Foundation
import PerennialDelivery

/// Whose server notifications are believed.
struct RootCertificateOptions: ParsableArguments {
    @Option(
        name: .customLong("root-certificate"), parsing: .singleValue,
        help: ArgumentHelp(
            "A root certificate, DER or PEM, whose server notifications are believed; may be repeated. The store's own where --store says it.",
            valueName: "file"), completion: .file(extensions: ["cer", "pem"]))
    var paths: [String] = []

    /// The roots that were named; `nil` for none.
    /// - Throws: ``CommandError`` where one can't be read.
    func trust() throws -> NotificationTrust? {
        guard !paths.isEmpty else { return nil }
        return try NotificationTrust(roots: try paths.map(Self.root))
    }

    private static func root(_ path: String) throws -> [UInt8] {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw CommandError("the root certificate \(path) can't be read")
        }
        let root = der(bytes)
        do {
            _ = try NotificationTrust(roots: [root])
        } catch {
            throw CommandError("\(path) is no certificate in DER or PEM: \(error)")
        }
        return root
    }

    /// What a file holds, in DER; a file that is no PEM is taken for it.
    private static func der(_ bytes: Data) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let begin = text.range(of: "-----BEGIN CERTIFICATE-----"),
            let end = text.range(of: "-----END CERTIFICATE-----", range: begin.upperBound..<text.endIndex),
            let der = Data(
                base64Encoded: String(text[begin.upperBound..<end.lowerBound]), options: .ignoreUnknownCharacters)
        else { return [UInt8](bytes) }
        return [UInt8](der)
    }
}
