import Foundation
import Perennial
import Testing

@testable import AppStoreFormats

struct ServerCertificateTests {
    @Test(arguments: [
        ["-verify_hostname", "api.storekit.apple.com"], ["-verify_hostname", "localhost"], ["-verify_ip", "127.0.0.1"],
        ["-verify_ip", "::1"],
    ])
    func `openssl accepts the certificate of a TLS server for each of its names`(check: [String]) throws {
        let openssl = try OpenSSL()
        let identities = try TestIdentities.shared
        let certificate = try ServerCertificate(
            names: ["api.storekit.apple.com", "localhost", "127.0.0.1", "::1"], root: identities, now: Instant(Date()))
        try openssl.write(certificates: [certificate.chain[0]], to: "server.pem")
        try openssl.write(certificates: [identities.rootCertificate], to: "root.pem")
        let verify = ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", "root.pem"]
        let accepted = try openssl.run(verify + check + ["server.pem"])
        #expect(accepted.status == 0, "\(accepted.output)")
        #expect(try openssl.run(verify + ["-verify_hostname", "example.com", "server.pem"]).status != 0)
    }

    @Test func `a certificate is valid from yesterday, for fewer days than Apple allows`() throws {
        let openssl = try OpenSSL()
        let certificate = try ServerCertificate(
            names: ["localhost"], root: try TestIdentities.shared, now: StatusFolder.now)
        try openssl.write(certificates: [certificate.chain[0]], to: "server.pem")
        let text = try openssl.run("x509", "-in", "server.pem", "-noout", "-text").output
        #expect(text.contains("Not Before: Nov 20 10:00:00 2026 GMT"), "\(text)")
        #expect(text.contains("Not After : Jan 28 10:00:00 2029 GMT"), "\(text)")
        #expect(text.contains("TLS Web Server Authentication"), "\(text)")
    }
}
