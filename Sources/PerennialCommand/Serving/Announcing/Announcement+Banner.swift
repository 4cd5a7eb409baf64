import Foundation

extension Announcement {
    /// What people read when the server is ready.
    /// - Parameter readyFile: Where the same stands for programs.
    func banner(database: String, readyFile: String? = nil) -> String {
        var lines = [
            "Perennial is ready.",
            "  Production      \(url)",
            "  Sandbox         \(url)/sandbox",
            "  verifyReceipt   \(url)/verifyReceipt and \(url)/sandbox/verifyReceipt",
        ]
        if let tls {
            lines.append("  TLS             \(tls.url), for the App Store's host names too; trust \(tls.trust)")
        }
        lines += [
            "  Root            \(rootCertificate)",
            "  Receipt root    \(receiptRootCertificate)",
            "  Database        \(database)",
            "  Control token   \(controlToken)",
        ]
        for app in apps { lines += introduction(of: app) }
        if let app = apps.first {
            lines += snippetLines(of: app, readyFile: readyFile)
        } else {
            lines.append("  Apps            none yet: start with --storekit FILE or --catalog FILE")
        }
        return lines.joined(separator: "\n")
    }

    private func introduction(of app: AppModel) -> [String] {
        var lines = ["  App             \(app.bundleId), number \(app.appAppleId), shared secret \(app.sharedSecret)"]
        if let key = app.serverAPIKey {
            lines.append("    Server API    key \(key.keyId), issuer \(key.issuerId), \(key.privateKey)")
        }
        if let key = app.connectAPIKey {
            lines.append("    Connect API   key \(key.keyId), issuer \(key.issuerId), \(key.privateKey)")
        }
        return lines
    }

    /// How an app's backend begins in each language.
    private func snippetLines(of app: AppModel, readyFile: String?) -> [String] {
        let needs = tls == nil ? "; all but curl need --tls" : ""
        let command = "perennial snippets LANGUAGE --ready-file \(readyFile ?? "FILE")"
        var lines = ["  Code            whole programs: \(command)\(needs)"]
        let values = SnippetValues(store: self, app: app)
        for language in SnippetLanguage.allCases {
            let name = language.name.padding(toLength: 14, withPad: " ", startingAt: 0)
            lines.append("    \(name)\(language.line(values))")
        }
        return lines
    }
}
