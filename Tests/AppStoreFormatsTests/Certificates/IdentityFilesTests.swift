import Foundation
import Testing

@testable import AppStoreFormats

/// The files of signing identities, in a directory of its own for each test.
final class IdentityFilesTests {
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("perennial-\(UUID().uuidString)").appendingPathComponent("certificates")

    deinit {
        try? FileManager.default.removeItem(at: directory.deletingLastPathComponent())
    }

    private struct Crash: Error {}

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    private func make(
        _ wanted: SigningIdentities? = nil, afterEachFile step: SigningIdentities.Step = { _ in }
    ) throws -> SigningIdentities {
        try SigningIdentities.loadOrMake(
            in: directory,
            making: { () throws(SigningIdentitiesError) in
                guard let identities = try? wanted ?? TestIdentities.shared else {
                    throw SigningIdentitiesError(.generationFailed, file: "", reason: "")
                }
                return identities
            },
            afterEachFile: step)
    }

    private func rotate(afterEachFile step: SigningIdentities.Step = { _ in }) throws -> SigningIdentities {
        try SigningIdentities.rotateLeaves(
            in: directory,
            rotating: { (_) throws(SigningIdentitiesError) in
                guard let identities = try? TestIdentities.rotated else {
                    throw SigningIdentitiesError(.generationFailed, file: "", reason: "")
                }
                return identities
            },
            afterEachFile: step)
    }

    @Test func `what was made is loaded again`() throws {
        let made = try make()
        let loaded = try SigningIdentities.load(from: directory)
        #expect(loaded.transactionChain == made.transactionChain)
        #expect(loaded.receiptChain == made.receiptChain)
        #expect(try SigningIdentities.loadOrMake(in: directory).rootCertificate == made.rootCertificate)
        #expect(try Array(Data(contentsOf: directory.appendingPathComponent("root.cer"))) == made.rootCertificate)
        #expect(loaded.receiptRootFile == "receipt-root.cer")
        let receiptRoot = directory.appendingPathComponent(loaded.receiptRootFile)
        #expect(try Array(Data(contentsOf: receiptRoot)) == made.receiptRootCertificate)
    }

    @Test func `keys are for their owner only`() throws {
        _ = try make()
        let modes = try files().filter { $0.hasSuffix(".pem") }.map { file in
            try FileManager.default.attributesOfItem(atPath: directory.appendingPathComponent(file).path)[
                .posixPermissions] as? Int
        }
        #expect(modes == Array(repeating: 0o600, count: 6))
        let mode = try FileManager.default.attributesOfItem(atPath: directory.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test func `a directory without identities is told from a broken one`() throws {
        #expect(throws: SigningIdentitiesError(.missing, file: "", reason: "")) {
            try SigningIdentities.load(from: directory)
        }
    }

    @Test(arguments: 1...12)
    func `a crash after any file leaves nothing half made`(step: Int) throws {
        var count = 0
        #expect(throws: SigningIdentitiesError(.unwritable, file: "", reason: "")) {
            try make { _ in
                count += 1
                if count == step { throw Crash() }
            }
        }
        #expect(throws: SigningIdentitiesError(.missing, file: "", reason: "")) {
            try SigningIdentities.load(from: directory)
        }
        let made = try make()
        #expect(try SigningIdentities.load(from: directory).receiptChain == made.receiptChain)
    }

    @Test(arguments: 1...4)
    func `a crash in a rotation leaves the old leaves in use`(step: Int) throws {
        let made = try make()
        var count = 0
        #expect(throws: SigningIdentitiesError(.unwritable, file: "", reason: "")) {
            try rotate { _ in
                count += 1
                if count == step { throw Crash() }
            }
        }
        let loaded = try SigningIdentities.load(from: directory)
        #expect(loaded.receiptChain == made.receiptChain)
        #expect(loaded.transactionChain == made.transactionChain)
    }

    @Test func `a rotation keeps the old certificates and drops their keys`() throws {
        let old = try make()
        let new = try rotate()
        #expect(try SigningIdentities.load(from: directory).receiptChain == new.receiptChain)
        #expect(new.receiptChain.leaf != old.receiptChain.leaf)
        #expect(new.transactionChain.leaf != old.transactionChain.leaf)
        #expect(new.rootCertificate == old.rootCertificate)
        let names = try files()
        for leaf in [
            "receipt-leaf-\(old.receiptLeaf.serialNumber)", "transaction-leaf-\(old.transactionLeaf.serialNumber)",
        ] {
            #expect(names.contains(leaf + ".cer"))
            #expect(!names.contains(leaf + ".pem"))
        }
    }

    @Test func `keys without their index are refused and stay as they are`() throws {
        let made = try make()
        try FileManager.default.removeItem(at: directory.appendingPathComponent("identities.json"))
        let error = #expect(throws: SigningIdentitiesError.self) { try make() }
        #expect(error?.code == .incomplete)
        #expect(error?.reason.contains("restore it from a backup") == true)
        #expect(try Array(Data(contentsOf: directory.appendingPathComponent("root.cer"))) == made.rootCertificate)
        #expect(try !files().contains("identities.json"))
    }

    @Test func `keys that others could read become their owner's only`() throws {
        _ = try make()
        let root = directory.appendingPathComponent("root.pem").path
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: root)
        _ = try make()
        #expect(try FileManager.default.attributesOfItem(atPath: root)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `nothing temporary is left behind`() throws {
        _ = try make()
        #expect(try files().filter { $0.hasSuffix(".new") || $0 == ".making" } == [])
    }

    @Test func `a key that does not fit is named`() throws {
        _ = try make()
        let key = try TestIdentities.another.root.keyPEM
        try Data(key.utf8).write(to: directory.appendingPathComponent("root.pem"))
        let error = #expect(throws: SigningIdentitiesError.self) { try SigningIdentities.load(from: directory) }
        #expect(error?.code == .keyMismatch)
        #expect(error?.file.hasSuffix("/root.pem") == true)
    }

    @Test func `a certificate of another chain is named`() throws {
        _ = try make()
        let other = try TestIdentities.another.receiptIntermediate
        try Data(other.keyPEM.utf8)
            .write(to: directory.appendingPathComponent("receipt-intermediate.pem"))
        try Data(other.encoding).write(to: directory.appendingPathComponent("receipt-intermediate.cer"))
        let error = #expect(throws: SigningIdentitiesError.self) { try SigningIdentities.load(from: directory) }
        #expect(error?.code == .brokenChain)
        #expect(error?.file.hasSuffix("/receipt-intermediate.cer") == true)
    }

    @Test func `a directory from before there were two roots keeps its one`() throws {
        let made = try make(try TestIdentities.underOneRoot)
        let index = try String(contentsOf: directory.appendingPathComponent("identities.json"), encoding: .utf8)
        #expect(!index.contains("receiptRoot"))
        let old = try ReceiptSigner(identities: made).sign(SampleReceipts.small)
        var folder = try SigningFolder(directory)
        try folder.publish(at: StatusFolder.urls)
        _ = try folder.revoke(.receipts, CertificateRevocation(date: StatusFolder.now, reason: .superseded))
        let now = try SigningIdentities.load(from: directory)
        #expect(now.receiptRootCertificate == made.rootCertificate && now.receiptRootFile == "root.cer")
        #expect(folder.certificate(.receiptRoot) == made.rootCertificate)
        #expect(try files().filter { $0.hasPrefix("receipt-root") } == [])
        let verifier = try ReceiptVerifier(trustedRoots: [made.rootCertificate])
        for receipt in [old, try ReceiptSigner(identities: now).sign(SampleReceipts.small)] {
            #expect(throws: Never.self) { try verifier.verify(receipt) }
        }
        #expect(now.validity == made.validity)
    }

    @Test(arguments: ["receipt-root.pem", "receipt-root.cer"])
    func `a missing receipt root is named, and the other root doesn't replace it`(file: String) throws {
        _ = try make()
        try FileManager.default.removeItem(at: directory.appendingPathComponent(file))
        let error = #expect(throws: SigningIdentitiesError.self) {
            try SigningIdentities.loadOrMake(in: directory)
        }
        #expect(error?.file.hasSuffix("/" + file) == true)
        #expect(try !files().contains(file))
    }

    @Test(arguments: ["root.pem", "root.cer", "receipt-root.cer", "transaction-intermediate.pem", "identities.json"])
    func `a damaged file is named`(file: String) throws {
        _ = try make()
        try Data("nonsense".utf8).write(to: directory.appendingPathComponent(file))
        let error = #expect(throws: SigningIdentitiesError.self) { try SigningIdentities.load(from: directory) }
        #expect(error?.code == .unreadable)
        #expect(error?.file.hasSuffix("/" + file) == true)
    }

    @Test func `an index cannot lead out of the directory`() throws {
        _ = try make()
        try Data(#"{"transactionLeaf": "../1", "receiptLeaf": "2"}"#.utf8)
            .write(to: directory.appendingPathComponent("identities.json"))
        #expect(throws: SigningIdentitiesError(.unreadable, file: "", reason: "")) {
            try SigningIdentities.load(from: directory)
        }
    }

    @Test func `starts at the same time agree on one root`() async throws {
        let directory = directory
        let roots = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<2 {
                group.addTask { try SigningIdentities.loadOrMake(in: directory).rootCertificate }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(roots.count == 1)
    }
}
