import Foundation
import Perennial
import PerennialConnect
import PerennialHTTP

/// The information that a server publishes when it is ready: the banner for people, JSON for programs.
struct StartupInfo: Sendable, Codable {
    struct AppModel: Sendable, Codable {
        var bundleId: String
        var appAppleId: Int64
        var sharedSecret: String
        /// A product for a first purchase.
        var exampleProductId: String?
        var serverAPIKey: KeyFiles.Named?
        /// The seller's key of the App Store Connect API, with the role ADMIN.
        var connectAPIKey: KeyFiles.Named?
        /// The seller's number in requests for reports.
        var vendorNumber: String?
    }

    /// The TLS listener, which answers under the App Store's host names.
    struct TLSModel: Sendable, Codable {
        var url: String
        var port: Int
        var hosts: [String: [String]]
        /// The path of the root certificate in PEM.
        var trust: String

        init(host: String, port: Int, trust: String) {
            self.trust = trust
            url = Listening.reachableURL(scheme: "https", host: host, port: port)
            self.port = port
            hosts = ["Production": HostNames.production, "Sandbox": HostNames.sandbox]
        }
    }

    var url: String
    /// The web console's URL, on loopback with a code that signs in once; `nil` without a console.
    var console: String?
    var tls: TLSModel?
    var controlToken: String
    /// The path of the root of signed data, in DER.
    var rootCertificate: String
    /// The path of the root of receipts, in DER.
    var receiptRootCertificate: String
    var environments: [String: String]
    var apps: [AppModel]

    init(
        url: String, controlToken: String, rootCertificate: String, receiptRootCertificate: String,
        apps: [Apps.Registered], keys: [App.BundleID: KeyFiles.OfApp], vendorNumber: String? = nil,
        examples: [App.BundleID: Product.ID] = [:]
    ) {
        self.url = url
        self.controlToken = controlToken
        self.rootCertificate = rootCertificate
        self.receiptRootCertificate = receiptRootCertificate
        environments = ["Production": url, "Sandbox": url + "/sandbox"]
        self.apps = apps.map {
            AppModel(
                bundleId: $0.bundleID.rawValue, appAppleId: $0.appleID, sharedSecret: $0.sharedSecret,
                exampleProductId: examples[$0.bundleID]?.rawValue,
                serverAPIKey: keys[$0.bundleID]?.serverAPI, connectAPIKey: keys[$0.bundleID]?.connectAPI,
                vendorNumber: vendorNumber)
        }
    }

    /// The same information for a base URL.
    func at(_ url: String) -> StartupInfo {
        var info = self
        info.url = url
        // A path until then.
        info.console = console.map { url + $0 }
        info.environments = ["Production": url, "Sandbox": url + "/sandbox"]
        return info
    }
}

/// The file that tells waiting programs that the server is ready. It is removed when the server ends.
struct ReadyFile: Sendable {
    let path: String?

    /// The JSON of a file.
    static func contents(_ info: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return try encoder.encode(info)
    }

    func write(_ info: some Encodable) throws {
        guard let path else { return }
        // It holds secrets: only the owner reads it, from the first byte on; it appears as a whole or not at all.
        let temporary = path + ".new"
        try? FileManager.default.removeItem(atPath: temporary)
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: try Self.contents(info), attributes: [.posixPermissions: 0o600]),
            rename(temporary, path) == 0
        else {
            throw CommandError("the ready file \(path) can't be written: \(String(cString: strerror(errno)))")
        }
    }

    func remove() {
        guard let path else { return }
        try? FileManager.default.removeItem(atPath: path)
    }
}
