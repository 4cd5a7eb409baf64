/// The clients of Sandbox, an expression where the language has one, and a purchase.
extension SnippetValues {
    var swiftClient: String {
        """
        try AppStoreServerAPIClient(signingKey: String(contentsOfFile: "\(privateKey)", encoding: .utf8), \
        keyId: "\(keyID)", issuerId: "\(issuerID)", bundleId: "\(bundleID)", environment: .sandbox)
        """
    }

    var pythonClient: String {
        """
        AppStoreServerAPIClient(open("\(privateKey)", "rb").read(), "\(keyID)", "\(issuerID)", "\(bundleID)", \
        Environment.SANDBOX)
        """
    }

    var nodeClient: String {
        """
        new AppStoreServerAPIClient(readFileSync("\(privateKey)", "utf8"), "\(keyID)", "\(issuerID)", "\(bundleID)", \
        Environment.SANDBOX)
        """
    }

    var javaClient: String {
        """
        new AppStoreServerAPIClient(Files.readString(Path.of("\(privateKey)")), "\(keyID)", "\(issuerID)", \
        "\(bundleID)", Environment.SANDBOX)
        """
    }

    /// The client of github.com/awa/go-iap/appstore/api; statements, since Go has no expression that reads a file.
    var goClient: String {
        """
        key, _ := os.ReadFile("\(privateKey)"); client := api.NewStoreClient(&api.StoreConfig{KeyContent: key, \
        KeyID: "\(keyID)", Issuer: "\(issuerID)", BundleID: "\(bundleID)", Sandbox: true})
        """
    }

    var purchase: String {
        """
        curl -s \(url)/sandbox/control/v1/purchases -H "Authorization: Bearer \(token)" \
        -d '{"bundleId": "\(bundleID)", "account": "ann@example.com", "productId": "\(productID)"}'
        """
    }
}
