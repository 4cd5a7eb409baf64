/// The values in the snippets.
struct SnippetValues {
    let url: String
    let token: String
    let root: String
    let trust: String
    let bundleID: String
    let appleID: Int64
    let productID: String
    let sharedSecret: String
    let issuerID: String
    let keyID: String
    let privateKey: String
    /// The steps before the program runs.
    let preparation: [String]

    init(store: StartupInfo, app: StartupInfo.AppModel) {
        url = store.url
        token = store.controlToken
        root = store.rootCertificate
        trust = store.tls?.trust ?? "root-certificate.pem"
        bundleID = app.bundleId
        appleID = app.appAppleId
        productID = app.exampleProductId ?? "PRODUCT_ID"
        sharedSecret = app.sharedSecret
        issuerID = app.serverAPIKey?.issuerId ?? "ISSUER_ID"
        keyID = app.serverAPIKey?.keyId ?? "KEY_ID"
        privateKey = app.serverAPIKey?.privateKey ?? "SubscriptionKey.p8"
        preparation = Self.preparation(store.tls)
    }

    private static func preparation(_ tls: StartupInfo.TLSModel?) -> [String] {
        guard let tls else { return ["The store runs without TLS: start it with --tls --tls-port 443."] }
        let names = (tls.hosts["Production"] ?? []) + (tls.hosts["Sandbox"] ?? [])
        let hosts = "/etc/hosts: 127.0.0.1 \(names.filter { $0.hasPrefix("api.") }.joined(separator: " "))"
        return tls.port == 443
            ? [hosts]
            : [hosts, "The library asks port 443: start the store with --tls-port 443, or lead 443 to \(tls.port)."]
    }

    /// The preparation as a comment.
    func comment(_ mark: String, _ more: String...) -> String {
        (preparation + more).map { "\(mark) \($0)" }.joined(separator: "\n")
    }
}
