import Testing

@testable import PerennialHTTP

/// The environments of the App Store's host names.
struct HostNameTests {
    @Test(arguments: HostNames.sandbox, ["verifyReceipt", "inApps/v1/transactions/1", "control/v1/clock?x=1"])
    func `sandbox's names lead to Sandbox`(host: String, path: String) {
        #expect(HostNames.path("/" + path, host: host) == "/sandbox/" + path)
        #expect(HostNames.path("/" + path, host: host.uppercased() + ":8443") == "/sandbox/" + path)
        #expect(HostNames.path("/" + path, host: host + ".") == "/sandbox/" + path)
        #expect(HostNames.path("/" + path, host: host + ".:443") == "/sandbox/" + path)
    }

    @Test(arguments: HostNames.production + ["localhost", "127.0.0.1:8443", "", "sandbox.example.com"])
    func `other names lead to Production`(host: String) {
        #expect(HostNames.path("/inApps/v1/transactions/1", host: host) == "/inApps/v1/transactions/1")
    }

    @Test(arguments: [
        "/health", "/certificates/root.cer", "/ocsp", "/sandbox/verifyReceipt", "/environments/x/verifyReceipt", "/",
        "",
        "/inapps/v1/transactions/1",
    ])
    func `paths that no environment has stay as they are`(path: String) {
        #expect(HostNames.path(path, host: "api.storekit-sandbox.apple.com") == path)
    }
}
