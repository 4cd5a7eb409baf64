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

    @Test(arguments: [true, false], SigningLeaf.allCases)
    func `a revoked leaf of another purpose is none of this one`(inMemory: Bool, leaf: SigningLeaf) async throws {
        let authority =
            inMemory
            ? authority(SigningFolder(inMemory: try TestSigning.identities))
            : try authority(URL(filePath: try TemporaryFolder.make()).appending(path: "keys"))
        let other: SigningLeaf = leaf == .receipts ? .transactions : .receipts
        let revoked = try await authority.revoke(other, reason: .keyCompromise)
        let (leaves, revocations) = (authority.leaves(), try authority.revocations())
        await #expect(throws: CertificateAuthority.NotInUse(serialNumber: revoked.serialNumber)) {
            _ = try await authority.revoke(leaf, revoked.serialNumber, reason: .superseded)
        }
        #expect(authority.leaves() == leaves)
        #expect(try authority.revocations() == revocations)
        #expect(try await authority.revoke(other, revoked.serialNumber, reason: .superseded) == revoked)
    }

    @Test(arguments: Engine.lasting)
    func `nodes that share a folder and rotate at once sign with one leaf`(engine: Engine) async throws {
        let database = try engine.makeDatabase(options: .forTests)
        let directory = URL(filePath: try TemporaryFolder.make()).appending(path: "keys")
        let nodes = [try authority(directory, database), try authority(directory, database)]
        var revoked: Set<String> = []
        for _ in 0..<4 {
            let serialNumbers = try await withThrowingTaskGroup(of: String.self) { group in
                for node in nodes {
                    group.addTask { try await node.revoke(.transactions, reason: .keyCompromise).serialNumber }
                }
                // The command that rotates, which asks no node.
                group.addTask {
                    _ = try SigningIdentities.rotateLeaves(in: directory)
                    return ""
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            revoked.formUnion(serialNumbers.filter { !$0.isEmpty })
            for node in nodes + nodes { _ = try await node.catchUp() }
            for node in nodes {
                #expect(Set(try node.revocations().keys).isSuperset(of: revoked))
                let leaf = try #require(node.leaves().first { $0.purpose == .transactions })
                #expect(!revoked.contains(leaf.serialNumber))
            }
        }
        // A node that starts now has what the folder has.
        let next = try authority(directory, database)
        let leaf = try #require(next.leaves().first { $0.purpose == .transactions })
        #expect(try next.revocations()[leaf.serialNumber] == nil)
        #expect(Set(try next.revocations().keys) == revoked)
    }

    @Test func `a leaf that another node revoked is one of its purpose only`() async throws {
        let database = try Engine.sqlite.makeDatabase(options: .forTests)
        let keys = URL(filePath: try TemporaryFolder.make()).appending(path: "keys")
        let copy = URL(filePath: try TemporaryFolder.make()).appending(path: "keys")
        let here = try authority(keys, database)
        try FileManager.default.copyItem(at: keys, to: copy)
        let elsewhere = try authority(copy, database)
        let first = try await elsewhere.revoke(.receipts, reason: .superseded)
        // This leaf was issued from the other folder only.
        let second = try await elsewhere.revoke(.receipts, reason: .superseded)
        for serialNumber in [first.serialNumber, second.serialNumber] {
            await #expect(throws: CertificateAuthority.NotInUse(serialNumber: serialNumber)) {
                _ = try await here.revoke(.transactions, serialNumber, reason: .superseded)
            }
            #expect(try await here.revoke(.receipts, serialNumber, reason: .superseded).serialNumber == serialNumber)
        }
    }

    @Test(arguments: [
        ("00A1:B2", "00a1b2"), ("A1B2", "00a1b2"), ("712", "0712"), ("0712", "0712"), ("f", "0f"), ("", ""),
    ])
    func `digits of a serial number may be those that OpenSSL prints`(digits: String, normalized: String) {
        #expect(SerialNumberDigits.normalized(digits) == normalized)
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
        let printed = leaf.uppercased().replacing(/^00/, with: "")
        for name in [leaf, leaf.uppercased(), printed] {
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
        authority(try SigningFolder(directory), database)
    }

    private func authority(_ folder: SigningFolder, _ database: Database? = nil) -> CertificateAuthority {
        CertificateAuthority(
            folder: folder, signing: Signing(folder.identities), database: database,
            wallClock: { Instant(seconds: 1_700_000_000) })
    }
}
