import AppStoreFormats
import HTTPTypes
import TestSupport
import Testing

/// The root below each environment's base URL: a content server started with that URL asks for it there.
struct RootCertificateTests {
    @Test(arguments: StoreServer.places)
    func `each environment gives the root of all that is signed`(place: String) async throws {
        try await StoreServer.run { server in
            let reply = try await server.ask(.get, "\(place)/certificates/root.cer")
            #expect(reply.status == 200)
            #expect(reply.headers[.contentType] == "application/pkix-cert")
            #expect(try reply.body == TestSigning.identities.rootCertificate)
        }
    }

    @Test func `an environment that isn't there gives none`() async throws {
        try await StoreServer.run { server in
            let reply = try await server.ask(.get, "/environments/none/certificates/root.cer")
            #expect((reply.status, reply.error?["code"]) == (404, "environmentNotFound"))
        }
    }
}
