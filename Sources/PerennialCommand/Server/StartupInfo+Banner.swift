import Foundation

extension StartupInfo {
    /// The text that a person reads when the server is ready.
    /// - Parameter readyFile: The path of the same information for programs.
    func banner(database: String, readyFile: String? = nil) -> String {
        var lines = ["Perennial is ready."]
        if let console {
            lines.append("  Console         \(console)\(console.contains("code=") ? "  (signs in once)" : "")")
        }
        lines += [
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
        // The same for all apps.
        if let app = apps.first, let key = app.connectAPIKey {
            let vendor = app.vendorNumber.map { "; vendor \($0)" } ?? ""
            lines.append("  Connect API     key \(key.keyId), issuer \(key.issuerId), \(key.privateKey)\(vendor)")
        }
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
        return lines
    }

    /// The first line of an app's backend in each language.
    private func snippetLines(of app: AppModel, readyFile: String?) -> [String] {
        let needs = tls == nil ? "; all but curl need --tls" : ""
        let command = "perennial snippets LANGUAGE" + (readyFile.map { " --ready-file \($0)" } ?? "")
        var lines = ["  Code            whole programs: \(command)\(needs)"]
        let values = SnippetValues(store: self, app: app)
        for language in SnippetLanguage.allCases {
            let name = language.name.padding(toLength: 14, withPad: " ", startingAt: 0)
            lines.append("    \(name)\(language.line(values))")
        }
        return lines
    }
}
