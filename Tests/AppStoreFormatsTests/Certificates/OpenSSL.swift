import AppStoreFormats
import Foundation
import Subprocesses

/// The openssl command as an independent judge, with a directory of its own for files.
final class OpenSSL {
    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    /// Runs a command; its last words are in `output`.
    @discardableResult
    func run(_ arguments: String...) throws -> (status: Int32, output: String) {
        try run(arguments)
    }

    /// Runs a command; its last words are in `output`.
    @discardableResult
    func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let ended = try Subprocess.output(of: "/usr/bin/env", ["openssl"] + arguments, in: directory.path)
        return (ended.status, ended.text)
    }

    func write(_ bytes: [UInt8], to file: String) throws {
        try Data(bytes).write(to: directory.appendingPathComponent(file))
    }

    func read(_ file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: directory.appendingPathComponent(file)))
    }

    /// Writes certificates one behind the other in PEM.
    func write(certificates: [[UInt8]], to file: String) throws {
        let pem = certificates.map { certificate in
            let text = Data(certificate).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
        }
        try write(Array(pem.joined().utf8), to: file)
    }

    /// Writes the three certificates of a chain as `leaf.pem`, `intermediate.pem` and `root.pem`.
    func write(chain: CertificateChain) throws {
        try write(certificates: [chain.leaf], to: "leaf.pem")
        try write(certificates: [chain.intermediate], to: "intermediate.pem")
        try write(certificates: [chain.root], to: "root.pem")
    }
}
