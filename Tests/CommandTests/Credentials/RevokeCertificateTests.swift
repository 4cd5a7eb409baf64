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
        try await withStore { folder, authority, url in
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

    @Test func `a revocation with a serial number can be repeated`() async throws {
        try await withStore { folder, authority, url in
            let (old, other) = (folder.serialNumber(of: .receipts), folder.serialNumber(of: .transactions))
            func revoke(_ words: String...) async throws -> Report {
                try await RunningStore.run(
                    ["certificates", "revoke", "--url", url, "--token", RunningStore.token] + words)
            }
            let first = try await revoke("--purpose", "receipts", "--serial-number", old)
            let leaves = authority.leaves()
            #expect(try await revoke("--purpose", "receipts", "--serial-number", old).words == first.words)
            #expect(authority.leaves() == leaves)
            for wrong in [["--serial-number", old], ["--purpose", "receipts", "--serial-number", other]] {
                let error = await #expect(throws: StoreClientError.self) {
                    _ = try await RunningStore.run(
                        ["certificates", "revoke", "--url", url, "--token", RunningStore.token] + wrong)
                }
                #expect(error?.subject == "certificateNotFound")
            }
            let mistyped = try #require(leaves.first).serialNumber.dropLast()
            let error = await #expect(throws: StoreClientError.self) {
                _ = try await revoke("--serial-number", String(mistyped) + "x")
            }
            #expect(error.map { "\($0)" }?.contains(other) == true, "\(String(describing: error))")
            #expect(authority.leaves() == leaves)
        }
    }

    private func withStore(
        _ body: @escaping @Sendable (SigningFolder, CertificateAuthority, _ url: String) async throws -> Void
    ) async throws {
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
            try await body(folder, authority, url)
        }
    }
}
