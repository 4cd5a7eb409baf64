import AppStoreFormats
import ArgumentParser
import BaseEncoding
import Foundation
import PerennialDelivery

/// The roots of the server notifications that Delivery trusts.
struct RootCertificateOptions: ParsableArguments {
    @Option(
        name: .customLong("root-certificate"), parsing: .singleValue,
        help: ArgumentHelp(
            "A root certificate, DER or PEM, of trusted server notifications; may be repeated. The root of the store of --store if omitted.",
            valueName: "file"), completion: .file(extensions: ["cer", "pem"]))
    var paths: [String] = []

    /// Returns the roots of the options; `nil` for none.
    /// - Throws: ``CommandError`` if one can't be read.
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

    /// Returns the certificate of a file in DER. A file that isn't PEM is taken for DER.
    private static func der(_ bytes: Data) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let begin = text.range(of: "-----BEGIN CERTIFICATE-----"),
            let end = text.range(of: "-----END CERTIFICATE-----", range: begin.upperBound..<text.endIndex),
            let der = Base64.decode(text[begin.upperBound..<end.lowerBound].filter { !$0.isWhitespace })
        else { return [UInt8](bytes) }
        return der
    }
}
