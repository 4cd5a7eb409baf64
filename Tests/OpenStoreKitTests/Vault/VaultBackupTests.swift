import AppStoreFormats
import BaseEncoding
import Crypto
import Foundation
import OpenStoreKit
import Perennial
import Testing

/// Backups of one device on another one.
struct VaultBackupTests {
    private let files = MemoryFiles()
    private let otherFiles = MemoryFiles()
    private let rounds: UInt32 = 3

    private func other(_ account: String = "ann@example.com", password: String? = "secret") -> PurchaseVault {
        let vault = VaultSamples.vault(
            otherFiles, owner: "com.example.magazine\u{0}\(account)\u{0}other device", account: account,
            password: password)
        vault.setSignatureCheck { _ in true }
        return vault
    }

    private func filled() throws -> PurchaseVault {
        let vault = VaultSamples.vault(files)
        try vault.put(
            VaultSamples.payload(1), VaultSamples.payload(2, "filter", .nonConsumable),
            VaultSamples.period(3, original: 3, week: 0))
        try vault.credit(100, to: "coins", for: 1)
        try vault.finish(1)
        try vault.spend(30, from: "coins")
        return vault
    }

    @Test func `another device of the account has everything at once`() throws {
        let backup = try filled().exportBackup(rounds: rounds)
        let imported = try other().importBackup(backup) { ($0.amount, $0.balance) }
        #expect(imported == PurchaseVault.ImportedBackup(accepted: 4, refused: 0))
        let vault = other()
        #expect(vault.entitlements.map(\.productID) == ["weekly", "filter"])
        #expect(vault.balance("coins") == PurchaseVault.Balance(credited: 100, revoked: 0, spent: 30))
        #expect(vault.contents.revision == nil)
        #expect(try !vault.credit(100, to: "coins", for: 1))
        try vault.spend(70, from: "coins")
        #expect(vault.balance("coins").available == 0)
    }

    @Test func `importing twice changes nothing, and both devices' spending counts`() throws {
        let first = try filled()
        let second = other()
        try second.importBackup(first.exportBackup(rounds: rounds)) { _ in (100, "coins") }
        try second.spend(20, from: "coins")
        try first.spend(10, from: "coins")
        for _ in 0..<2 { try second.importBackup(first.exportBackup(rounds: rounds)) { _ in (100, "coins") } }
        try first.importBackup(Self.withCheck(first, second.exportBackup(rounds: rounds))) { _ in (100, "coins") }
        #expect(first.balance("coins").available == 40)
        #expect(second.balance("coins").available == 40)
    }

    private static func withCheck(_ vault: PurchaseVault, _ backup: Data) -> Data {
        vault.setSignatureCheck { _ in true }
        return backup
    }

    @Test func `the next connection reconciles`() throws {
        let vault = other()
        try vault.apply(VaultChanges(revision: "5"))
        try vault.importBackup(filled().exportBackup(rounds: rounds)) { _ in (100, "coins") }
        #expect(vault.contents.revision == nil)
        let delta = try vault.apply(
            VaultChanges(
                transactions: [VaultSamples.change(VaultSamples.payload(1), isFinished: true)], revision: "6",
                isComplete: true))
        #expect(delta.removed == [2, 3])
        #expect(vault.entitlements.isEmpty)
        #expect(vault.balance("coins").available == 70)
    }

    @Test func `another account can't open it`() throws {
        let backup = try filled().exportBackup(rounds: rounds)
        #expect {
            try other("bob@example.com").importBackup(backup)
        } throws: { error in
            guard case PurchaseVaultError.backupRefused(let reason) = error else { return false }
            return reason.contains("another account")
        }
        // Not with the text of the account changed, either.
        var forged = backup
        let salt = Data(backup.dropFirst("perennial-backup-1\n".utf8.count + 4).prefix(16))
        let identity = "perennial-backup-1\u{0}bob@example.com\u{0}com.example.magazine\u{0}/sandbox"
        let check = Data(SHA256.hash(data: salt + Data(identity.utf8)).prefix(16))
        let start = "perennial-backup-1\n".utf8.count + 4 + 16
        forged.replaceSubrange(start..<(start + 16), with: check)
        #expect(throws: PurchaseVaultError.self) { try other("bob@example.com").importBackup(forged) }
        #expect(other("bob@example.com").contents.transactions.isEmpty)
    }

    @Test func `a wrong password opens nothing`() throws {
        let backup = try filled().exportBackup(rounds: rounds)
        #expect(throws: PurchaseVaultError.self) { try other(password: "Secret").importBackup(backup) }
        #expect(throws: PurchaseVaultError.self) { try other().importBackup(backup, passphrase: "x") }
    }

    @Test func `an account without a password needs a passphrase`() throws {
        let vault = VaultSamples.vault(files, password: nil)
        try vault.put(VaultSamples.payload(2, "filter", .nonConsumable))
        #expect(throws: PurchaseVaultError.passphraseRequired) { try vault.exportBackup() }
        let backup = try vault.exportBackup(passphrase: "correct horse", rounds: rounds)
        let second = other(password: nil)
        #expect(throws: PurchaseVaultError.passphraseRequired) { try second.importBackup(backup) }
        try second.importBackup(backup, passphrase: "correct horse")
        #expect(second.entitlements.map(\.productID) == ["filter"])
    }

    @Test func `a change of any byte is refused and changes nothing`() throws {
        let backup = try filled().exportBackup(rounds: rounds)
        let vault = other()
        for position in backup.indices {
            var changed = backup
            changed[position] ^= 1
            #expect(throws: PurchaseVaultError.self, "byte \(position)") { try vault.importBackup(changed) }
        }
        #expect(throws: PurchaseVaultError.self) { try vault.importBackup(Data()) }
        #expect(vault.contents.transactions.isEmpty && vault.balances.isEmpty)
    }

    @Test func `a forged transaction in a backup grants nothing`() throws {
        let forger = VaultSamples.vault(files)
        try forger.put(VaultSamples.payload(1), VaultSamples.payload(2, "filter", .nonConsumable))
        try forger.credit(100, to: "coins", for: 1)
        let backup = try forger.exportBackup(rounds: rounds)
        let vault = VaultSamples.vault(otherFiles)
        let real = VaultSamples.jws(VaultSamples.payload(2, "filter", .nonConsumable))
        vault.setSignatureCheck { $0 == real }
        let imported = try vault.importBackup(backup) { ($0.amount, $0.balance) }
        #expect(imported == PurchaseVault.ImportedBackup(accepted: 1, refused: 2))
        #expect(vault.contents.transactions.map(\.id) == [2])
        #expect(vault.entitlements.map(\.productID) == ["filter"])
        #expect(vault.balances.isEmpty)
    }

    /// Source: RFC 7914, section 11.
    @Test func `PBKDF2 has the values of its test vectors`() {
        let one = BackupFile.derivedKey(password: Data("passwd".utf8), salt: Data("salt".utf8), rounds: 1)
        #expect(
            one.withUnsafeBytes { Hexadecimal.encode($0) }
                == "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc")
        let many = BackupFile.derivedKey(password: Data("Password".utf8), salt: Data("NaCl".utf8), rounds: 80_000)
        #expect(
            many.withUnsafeBytes { Hexadecimal.encode($0) }
                == "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56")
    }
}
