import AppStoreFormats
import Foundation
import Perennial
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

    private func authority(_ directory: URL) throws -> CertificateAuthority {
        let folder = try SigningFolder(directory)
        return CertificateAuthority(
            folder: folder, signing: Signing(folder.identities), wallClock: { Instant(seconds: 1_700_000_000) })
    }
}
