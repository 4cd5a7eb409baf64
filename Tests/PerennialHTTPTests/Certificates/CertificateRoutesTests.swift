import AppStoreFormats
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Perennial
import PerennialHTTP
import PerennialStore
import TestSupport
import Testing

/// The responder and the revocation of leaves behind the router; what the answers say is judged beside the responder.
struct CertificateRoutesTests {
    /// An OCSP request that names no certificate, and so is none.
    private static let malformed: [UInt8] = [0x30, 0x03, 0x0A, 0x01, 0x01]

    /// An authority in a folder of its own.
    static func authority(
        now: @escaping @Sendable () -> Instant = { Instant(seconds: 1_700_000_000) }
    ) throws -> (authority: CertificateAuthority, signing: Signing, root: [UInt8]) {
        let folder = try SigningFolder(
            URL(filePath: try TemporaryFolder.make()).appending(path: "keys"), prepared: try TestSigning.identities)
        let signing = Signing(folder.identities)
        let authority = CertificateAuthority(folder: folder, signing: signing, wallClock: now)
        try authority.publish(at: CertificateURLs(base: "http://store.example"))
        return (authority, signing, folder.identities.rootCertificate)
    }

    private func run(
        _ test: @escaping @Sendable (any TestClientProtocol, CertificateAuthority) async throws -> Void
    ) async throws {
        let (authority, signing, root) = try Self.authority()
        let shop = try await TestStore.make(signing: signing)
        var router = PerennialRouter(
            registry: shop.registry, controlToken: StoreServer.controlToken,
            rootCertificate: root, delivery: nil, nanoseconds: { 0 })
        router.authority = authority
        try await Application(router: router.make(), logger: TestStore.quiet).test(.router) { client in
            try await test(client, authority)
        }
    }

    @Test func `issuers' certificates are there for everybody`() async throws {
        try await run { client, authority in
            for issuer in IssuingCertificate.allCases {
                let answer = try await client.executeRequest(
                    uri: "/certificates/\(issuer.rawValue).cer", method: .get, headers: [:], body: nil)
                #expect(answer.status == .ok)
                #expect(answer.headers[.contentType] == "application/pkix-cert")
                #expect(Array(answer.body.readableBytesView) == authority.certificate(issuer))
            }
        }
    }

    @Test(arguments: ["/ocsp/MAMKAQE=", "/ocsp/MAMKAQE%3D", "/ocsp/MA//==", "/ocsp/%%%"])
    func `questions come in bodies and in paths`(path: String) async throws {
        try await run { client, _ in
            let get = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
            let post = try await client.executeRequest(
                uri: "/ocsp", method: .post, headers: [:], body: ByteBuffer(bytes: [0x30, 0x00]))
            for answer in [get, post] {
                #expect(answer.status == .ok)
                #expect(answer.headers[.contentType] == "application/ocsp-response")
                #expect(Array(answer.body.readableBytesView) == Self.malformed)
            }
        }
    }

    @Test func `the control token revokes a leaf, once for the whole process`() async throws {
        try await run { client, authority in
            let before = authority.leaves()
            let refused = try await client.executeRequest(
                uri: "/control/v1/certificates/revoke", method: .post, headers: [:], body: nil)
            #expect(refused.status == .unauthorized)
            #expect(authority.leaves() == before)
            let token = "Bearer \(StoreServer.controlToken)"
            let wrong = try await client.executeRequest(
                uri: "/control/v1/certificates/revoke", method: .post, headers: [.authorization: token],
                body: ByteBuffer(string: #"{"purpose": "root"}"#))
            #expect(wrong.status == .badRequest)
            let done = try await client.executeRequest(
                uri: "/control/v1/certificates/revoke", method: .post, headers: [.authorization: token],
                body: ByteBuffer(string: #"{"purpose": "receipts", "reason": 1}"#))
            #expect(done.status == .ok)
            let answer = try JSONValue(Array(done.body.readableBytesView))
            let after = authority.leaves()
            #expect(after[0] == before[0])
            #expect(answer["serialNumber"]?.text == before[1].serialNumber)
            #expect(answer["replacement"]?.text == after[1].serialNumber)
            #expect(answer["revokedAt"] == "2023-11-14T22:13:20Z")
            let revoked = try #require(answer["serialNumber"]?.text)
            for (purpose, status) in [("receipts", HTTPResponse.Status.ok), ("transactions", .notFound)] {
                let repeated = try await client.executeRequest(
                    uri: "/control/v1/certificates/revoke", method: .post, headers: [.authorization: token],
                    body: ByteBuffer(string: #"{"purpose": "\#(purpose)", "serialNumber": "\#(revoked)"}"#))
                #expect(repeated.status == status)
                #expect(authority.leaves() == after)
            }
            let listed = try await client.executeRequest(
                uri: "/control/v1/certificates", method: .get, headers: [.authorization: token], body: nil)
            let list = try JSONValue(Array(listed.body.readableBytesView))
            #expect(list["revoked"]?.elements?.first?["serialNumber"]?.text == before[1].serialNumber)
            #expect(list["signing"]?.elements?.count == 2)
        }
    }
}
