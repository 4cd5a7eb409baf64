import AppStoreFormats
import Foundation
import Perennial
import PerennialHTTP
import PerennialStore
import TestSupport
import Testing

@testable import PerennialCommand

/// `perennial certificates revoke` on a running store.
struct RevokeCertificateTests {
    @Test(arguments: SigningLeaf.allCases)
    func `a revocation prints the revoked leaf and its replacement`(leaf: SigningLeaf) async throws {
        let folder = try SigningFolder(URL(filePath: try TemporaryFolder.make()).appending(path: "keys"))
        let signing = Signing(folder.identities)
        let authority = CertificateAuthority(
            folder: folder, signing: signing, wallClock: { Instant(seconds: 1_700_000_000) })
        let shop = try await TestStore.make(signing: signing)
        var router = PerennialRouter(
            registry: shop.registry, controlToken: RunningStore.token,
            rootCertificate: folder.identities.rootCertificate, delivery: nil, nanoseconds: { 0 })
        router.authority = authority
        try await RunningStore.serve(router.make()) { url in
            let old = folder.serialNumber(of: leaf)
            let words = leaf == .transactions ? [] : ["--purpose", leaf.rawValue]
            let report = try await RunningStore.run(
                ["certificates", "revoke", "--url", url, "--token", RunningStore.token] + words)
            let new = try #require(authority.leaves().first { $0.purpose == leaf }).serialNumber
            #expect(new != old)
            #expect(
                report.words == "\(old) is revoked; \(leaf.rawValue) are signed with \(new) from now on")
            #expect(Array(try authority.revocations().keys) == [old])
        }
    }
}
