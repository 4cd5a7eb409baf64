import AppStoreFormats
import BaseEncoding
import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import Perennial
import PerennialHTTP
import PerennialStorage
import PerennialStore
import SwiftASN1
import TestSupport
import Testing
import X509

/// swift-certificates' online checks, as Apple's Swift library makes them, with the routes in place of the network.
struct OnlineCheckTests {
    /// The transport of a request (RFC 6960, A.1).
    enum Form: CaseIterable {
        case post
        case get
        /// Some clients leave the base64 as it is, slashes and all.
        case bareGet
    }

    private struct Requester: OCSPRequester {
        let client: any TestClientProtocol
        let form: Form

        func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
            guard uri == "http://store.example/ocsp" else { return .terminalError(Unexpected(what: uri)) }
            do {
                let answer = try await ask(request)
                guard answer.status == .ok else { return .terminalError(Unexpected(what: "\(answer.status)")) }
                return .response(Array(answer.body.readableBytesView))
            } catch {
                return .terminalError(error)
            }
        }

        private func ask(_ request: [UInt8]) async throws -> TestResponse {
            if form == .post {
                return try await client.executeRequest(
                    uri: "/ocsp", method: .post, headers: [.contentType: "application/ocsp-request"],
                    body: ByteBuffer(bytes: request))
            }
            let base64 = Data(request).base64EncodedString()
            let encoded = base64.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            return try await client.executeRequest(
                uri: "/ocsp/" + (form == .get ? encoded ?? "" : base64), method: .get, headers: [:], body: nil)
        }
    }

    private struct Unexpected: Error {
        let what: String
    }

    private static func header(of jws: String) throws -> JSONValue {
        try JSONValue(try #require(Base64.decode(jws.prefix { $0 != "." }, as: .url)))
    }

    /// Returns the verifier's verdict on the chain of a JWS.
    private func isGood(_ jws: String, root: [UInt8], _ requester: Requester) async throws -> Bool {
        let header = try Self.header(of: jws)
        let chain = try #require(header["x5c"]?.elements).map { element in
            try Certificate(derEncoded: Array(try #require(Data(base64Encoded: element.text ?? ""))))
        }
        #expect(chain.count == 3)
        var verifier = Verifier(rootCertificates: CertificateStore([try Certificate(derEncoded: root)])) {
            RFC5280Policy()
            OCSPVerifierPolicy(failureMode: .hard, requester: requester)
        }
        let result = await verifier.validate(leaf: chain[0], intermediates: CertificateStore([chain[1]]))
        if case .validCertificate = result { return true }
        return false
    }

    @Test(arguments: Form.allCases)
    func `a signature passes until its leaf is revoked, and the next leaf's passes`(form: Form) async throws {
        let (authority, signing, root) = try CertificateRoutesTests.authority(now: { Instant(Date()) })
        let shop = try await TestStore.make(signing: signing)
        var router = PerennialRouter(
            registry: shop.registry, controlToken: StoreServer.controlToken, rootCertificate: root, delivery: nil,
            nanoseconds: { 0 })
        router.authority = authority
        try await Application(router: router.make(), logger: TestStore.quiet).test(.router) { client in
            let requester = Requester(client: client, form: form)
            let old = try signing.jws.sign(payload: [])
            #expect(try await isGood(old, root: root, requester))
            _ = try await authority.revoke(.transactions, reason: .keyCompromise)
            #expect(try await !isGood(old, root: root, requester))
            #expect(try await isGood(try signing.jws.sign(payload: []), root: root, requester))
        }
    }

    // MARK: - Nodes with folders of their own

    /// Two nodes on one database. The second one's folder is a copy of the first one's.
    private static func nodes(
        _ engine: Engine
    ) throws -> [(authority: CertificateAuthority, signing: Signing, root: [UInt8])] {
        let location = try engine.makeLocation()
        let folder = URL(filePath: try TemporaryFolder.make())
        return try ["one", "two"].map { name in
            let database = try Database(location, options: .forTests)
            try database.migrate()
            let keys = folder.appending(path: name)
            if name == "two" { try FileManager.default.copyItem(at: folder.appending(path: "one"), to: keys) }
            var identities = try SigningFolder(keys, prepared: try TestSigning.identities)
            try identities.publish(at: CertificateURLs(base: "http://store.example"))
            let signing = Signing(identities.identities)
            let authority = CertificateAuthority(
                folder: identities, signing: signing, database: database, wallClock: { Instant(Date()) })
            return (authority, signing, identities.identities.rootCertificate)
        }
    }

    private func isGood(
        _ jws: String, at node: (authority: CertificateAuthority, signing: Signing, root: [UInt8])
    ) async throws -> Bool {
        var router = PerennialRouter(
            registry: try await TestStore.make(signing: node.signing).registry,
            controlToken: StoreServer.controlToken, rootCertificate: node.root, delivery: nil, nanoseconds: { 0 })
        router.authority = node.authority
        return try await Application(router: router.make(), logger: TestStore.quiet).test(.router) { client in
            try await isGood(jws, root: node.root, Requester(client: client, form: .post))
        }
    }

    @Test(arguments: Engine.lasting)
    func `a new leaf of one node is known to another one that is asked at once`(engine: Engine) async throws {
        let nodes = try Self.nodes(engine)
        for node in nodes { _ = try await node.authority.catchUp() }
        _ = try await nodes[0].authority.revoke(.transactions, reason: .superseded)
        #expect(try await isGood(try nodes[0].signing.jws.sign(payload: []), at: nodes[1]))
    }

    @Test(arguments: Engine.lasting)
    func `a leaf revoked on one node is refused by another with a folder of its own`(engine: Engine) async throws {
        let nodes = try Self.nodes(engine)
        for node in nodes { #expect(try await !node.authority.catchUp()) }
        func isGood(_ jws: String, at node: Int) async throws -> Bool { try await self.isGood(jws, at: nodes[node]) }
        let old = try nodes.map { try $0.signing.jws.sign(payload: []) }
        for jws in old { #expect(try await isGood(jws, at: 1)) }
        let revoked = try await nodes[0].authority.revoke(.transactions, reason: .keyCompromise)
        #expect(try await nodes[1].authority.catchUp())
        #expect(try await !nodes[0].authority.catchUp())
        for jws in old {
            for node in [0, 1] { #expect(try await !isGood(jws, at: node)) }
        }
        // Each signs with a leaf of its own now, which the other knows.
        let leaves = nodes.map { $0.authority.leaves().first { $0.purpose == .transactions }?.serialNumber }
        #expect(leaves[0] == revoked.replacement)
        #expect(Set(leaves).count == 2 && !leaves.contains(revoked.serialNumber))
        for node in nodes {
            let jws = try node.signing.jws.sign(payload: [])
            for other in [0, 1] { #expect(try await isGood(jws, at: other)) }
            #expect(try node.authority.revocations()[revoked.serialNumber] == revoked.revocation)
            #expect(try await !node.authority.catchUp())
        }
    }
}
