import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// Processes that share a key folder.
struct CertificateAuthorityTests {
    @Test(arguments: SigningLeaf.allCases)
    func `a leaf revoked by one process is no longer used by others`(leaf: SigningLeaf) async throws {
        let directory = URL(filePath: try TemporaryFolder.make()).appending(path: "keys")
        let (here, elsewhere) = (try authority(directory), try authority(directory))
        #expect(try await !here.catchUp())
        let before = here.leaves()
        let revoked = try await elsewhere.revoke(leaf, reason: .keyCompromise)
        #expect(here.leaves() == before)
        #expect(try await here.catchUp())
        #expect(here.leaves() == elsewhere.leaves())
        #expect(here.leaves().first { $0.purpose == leaf }?.serialNumber == revoked.replacement)
        #expect(try await !here.catchUp())
    }

    @Test(arguments: Engine.lasting)
    func `a revocation whose commit was answered late is made once`(engine: Engine) async throws {
        let fault = TestFault()
        var options = DatabaseOptions.forTests
        options.faults = { try fault.reach($0) }
        let database = try engine.makeDatabase(options: options)
        let authority = try authority(
            URL(filePath: try TemporaryFolder.make()).appending(path: "keys"), database)
        let (unknown, before) = (StorageError(.commitUnknown, "", ""), authority.leaves())
        let leaf = try #require(before.first { $0.purpose == .receipts }).serialNumber
        fault.inject(at: .beforeCommit, with: unknown)
        await #expect(throws: unknown) { _ = try await authority.revoke(.receipts, reason: .superseded) }
        #expect(authority.leaves() == before)
        // It is committed, and the answer is lost.
        fault.inject(at: .afterCommit, with: unknown)
        let revoked = try await authority.revoke(.receipts, reason: .superseded)
        #expect(revoked.serialNumber == leaf)
        #expect(try authority.revocations() == [leaf: revoked.revocation])
        let after = authority.leaves()
        #expect(after.contains { $0.serialNumber == revoked.replacement })
        // A request that names the leaf is the same revocation each time.
        for name in [leaf, leaf.uppercased()] {
            #expect(try await authority.revoke(.receipts, name, reason: .keyCompromise) == revoked)
        }
        await #expect(throws: CertificateAuthority.NotInUse(serialNumber: "1234")) {
            _ = try await authority.revoke(.receipts, "1234", reason: .superseded)
        }
        #expect(authority.leaves() == after)
        let next = try await authority.revoke(.receipts, revoked.replacement, reason: .superseded)
        #expect(next.serialNumber == revoked.replacement)
        #expect(try authority.revocations().count == 2)
    }

    private func authority(_ directory: URL, _ database: Database? = nil) throws -> CertificateAuthority {
        let folder = try SigningFolder(directory)
        return CertificateAuthority(
            folder: folder, signing: Signing(folder.identities), database: database,
            wallClock: { Instant(seconds: 1_700_000_000) })
    }
}
