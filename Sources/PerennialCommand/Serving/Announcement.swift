import Foundation
import Perennial
import PerennialConnect

/// What a server says when it is ready: to people as a banner, to programs as JSON.
struct Announcement: Sendable, Encodable {
    struct AppModel: Sendable, Encodable {
        var bundleId: String
        var appAppleId: Int64
        var sharedSecret: String
        var serverAPIKey: KeyFiles.Named?
        var connectAPIKey: KeyFiles.Named?
    }

    var url: String
    var controlToken: String
    /// A path.
    var rootCertificate: String
    var environments: [String: String]
    var apps: [AppModel]

    init(
        url: String, controlToken: String, rootCertificate: String, apps: [Apps.Registered],
        keys: [App.BundleID: KeyFiles.OfApp]
    ) {
        self.url = url
        self.controlToken = controlToken
        self.rootCertificate = rootCertificate
        environments = ["Production": url, "Sandbox": url + "/sandbox"]
        self.apps = apps.map {
            AppModel(
                bundleId: $0.bundleID.rawValue, appAppleId: $0.appleID, sharedSecret: $0.sharedSecret,
                serverAPIKey: keys[$0.bundleID]?.serverAPI, connectAPIKey: keys[$0.bundleID]?.connectAPI)
        }
    }

    func banner(database: String) -> String {
        var lines = [
            "Perennial is ready.",
            "  Production      \(url)",
            "  Sandbox         \(url)/sandbox",
            "  verifyReceipt   \(url)/verifyReceipt and \(url)/sandbox/verifyReceipt",
            "  Root            \(rootCertificate)",
            "  Database        \(database)",
            "  Control token   \(controlToken)",
        ]
        for app in apps {
            lines.append(
                "  App             \(app.bundleId), number \(app.appAppleId), shared secret \(app.sharedSecret)")
            if let key = app.serverAPIKey {
                lines.append("    Server API    key \(key.keyId), issuer \(key.issuerId), \(key.privateKey)")
            }
            if let key = app.connectAPIKey {
                lines.append("    Connect API   key \(key.keyId), issuer \(key.issuerId), \(key.privateKey)")
            }
        }
        if apps.isEmpty { lines.append("  Apps            none yet: start with --storekit FILE or --catalog FILE") }
        return lines.joined(separator: "\n")
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
        else { throw CommandError("\(path) can't be written") }
    }

    func remove() {
        guard let path else { return }
        try? FileManager.default.removeItem(atPath: path)
    }
}
