import AppStoreFormats
import ArgumentParser
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
        return try NotificationTrust(roots: try paths.flatMap(Self.roots))
    }

    /// Returns the certificates of a file, in DER or PEM.
    ///
    /// - Throws: ``CommandError`` if it can't be read.
    static func roots(_ path: String) throws -> [[UInt8]] {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw CommandError("the root certificate \(path) can't be read")
        }
        do {
            return try CertificateFile.certificates(in: [UInt8](bytes))
        } catch {
            throw CommandError("\(path) is no certificate in DER or PEM: \(error)")
        }
    }
}
