import Foundation
import Perennial
import PerennialConnect
import PerennialHTTP

/// What a server says when it is ready: to people as a banner, to programs as JSON.
struct Announcement: Sendable, Codable {
    struct AppModel: Sendable, Codable {
        var bundleId: String
        var appAppleId: Int64
        var sharedSecret: String
        /// One that can be bought, for a first try.
        var exampleProductId: String?
        var serverAPIKey: KeyFiles.Named?
        var connectAPIKey: KeyFiles.Named?
    }

    /// The App Store's host names, answered over TLS.
    struct TLSModel: Sendable, Codable {
        var url: String
        var port: Int
        var hosts: [String: [String]]
        /// The root certificate as TLS clients want it: a path to PEM.
        var trust: String

        init(host: String, port: Int, trust: String) {
            self.trust = trust
            url = Listening.reachableURL(scheme: "https", host: host, port: port)
            self.port = port
            hosts = ["Production": HostNames.production, "Sandbox": HostNames.sandbox]
        }
    }

    var url: String
    var tls: TLSModel?
    var controlToken: String
    /// A path: the root of signed data, in DER.
    var rootCertificate: String
    /// A path: the root of receipts, in DER.
    var receiptRootCertificate: String
    var environments: [String: String]
    var apps: [AppModel]

    init(
        url: String, controlToken: String, rootCertificate: String, receiptRootCertificate: String,
        apps: [Apps.Registered], keys: [App.BundleID: KeyFiles.OfApp], examples: [App.BundleID: Product.ID] = [:]
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
                serverAPIKey: keys[$0.bundleID]?.serverAPI, connectAPIKey: keys[$0.bundleID]?.connectAPI)
        }
    }

    /// The same of a server that listens at a URL.
    func at(_ url: String) -> Announcement {
        var announcement = self
        announcement.url = url
        announcement.environments = ["Production": url, "Sandbox": url + "/sandbox"]
        return announcement
    }
}

/// The file that says to a waiting program that the server is ready; gone when the server is.
struct ReadyFile: Sendable {
    let path: String?

    func write(_ announcement: some Encodable) throws {
        guard let path else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        // It holds secrets: for the owner's eyes only from its first byte on, and in place as a whole or not at all.
        let temporary = path + ".new"
        try? FileManager.default.removeItem(atPath: temporary)
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: try encoder.encode(announcement), attributes: [.posixPermissions: 0o600]),
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
