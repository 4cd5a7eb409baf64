import AppStoreFormats
import Foundation
import Perennial
import Testing

@testable import OpenStoreKit

/// Backups that their owner has changed: the key comes from the owner's own password.
struct ForgedBackupTests {
    private let files = MemoryFiles()

    private func vault(now: Instant = VaultSamples.start) -> PurchaseVault {
        let vault = VaultSamples.vault(files, now: now)
        vault.setSignatureCheck { !$0.hasSuffix(Self.badSignature) }
        return vault
    }

    private static let badSignature = VaultSamples.jws([], signature: 1).split(separator: ".").last ?? ""

    /// Returns a backup with any content, as its owner can make it.
    private func backup(_ content: VaultPatch) throws -> Data {
        let identity = BackupIdentity(
            account: "ann@example.com", bundleID: "com.example.magazine", environment: "/sandbox", password: "secret")
        return try BackupFile(identity, password: "secret").seal(
            content.encoded(), rounds: 2, salt: Data(repeating: 1, count: 16))
    }

    /// Returns an entry with facts beside a signed text that says something else.
    private func entry(
        _ payload: TransactionPayload, product: String, kind: VaultTransaction.Kind = .nonConsumable,
        group: String? = nil, end: Instant? = nil, quantity: Int = 1
    ) throws -> VaultTransaction {
        VaultTransaction(
            id: try #require(UInt64(payload.transactionId)),
            originalID: try #require(UInt64(payload.originalTransactionId)),
            productID: product, kind: kind, groupID: group, purchaseDate: Instant(payload.purchaseDate),
            originalPurchaseDate: Instant(payload.purchaseDate), signedDate: Instant(payload.signedDate),
            expirationDate: end, revocationDate: nil, quantity: quantity, isUpgraded: false, isFamilyShared: false,
            appAccountToken: nil, isFinished: false, isVerified: true,
            signed: try #require(SignedText(VaultSamples.jws(payload))))
    }

    @Test func `facts beside a signed text don't count`() throws {
        var content = VaultPatch()
        let week = VaultSamples.period(2, original: 2, week: 0)
        content.transactions = [
            try entry(VaultSamples.payload(1), product: "platinum"),
            try entry(
                week, product: "weekly", kind: .autoRenewable, group: "news", end: VaultSamples.start + .days(9_999)),
        ]
        let vault = vault(now: VaultSamples.start + .days(8))
        let imported = try vault.importBackup(backup(content))
        #expect(imported == PurchaseVault.ImportedBackup(accepted: 2, refused: 0))
        #expect(vault.contents.transaction(1)?.productID == "coins")
        #expect(vault.contents.transaction(1)?.kind == .consumable)
        #expect(vault.contents.transaction(2)?.expirationDate == VaultSamples.start + .days(7))
        #expect(vault.entitlements.isEmpty)
    }

    @Test func `entries without the store's signature are left out`() throws {
        let forged = VaultSamples.payload(1, "filter", .nonConsumable)
        var content = VaultPatch()
        content.transactions = [
            try #require(
                VaultTransaction(
                    VaultChanges.Transaction(
                        signed: VaultSamples.jws(forged, signature: 1), isFinished: true, isVerified: true)))
        ]
        content.finishing = [1]
        content.credits = [
            CreditLedger.Credit(key: CreditLedger.Key(content.transactions[0]), balance: "coins", amount: 5)
        ]
        content.records = [RecordedPurchases.Entry(record: PurchaseRecord(content.transactions[0]), isConfirmed: true)]
        let vault = vault()
        let imported = try vault.importBackup(backup(content)) { ($0.amount, $0.balance) }
        #expect(imported == PurchaseVault.ImportedBackup(accepted: 0, refused: 3))
        #expect(vault.contents.transactions.isEmpty && vault.contents.finishing.isEmpty)
        #expect(vault.records.isEmpty && vault.balances.isEmpty)
    }

    @Test func `the amount of a credit and its balance are the app's`() throws {
        var bought = VaultSamples.payload(1)
        bought.quantity = 3
        var content = VaultPatch()
        content.transactions = [
            try entry(bought, product: "coins", kind: .consumable, quantity: 9),
            try entry(VaultSamples.payload(2, "gems"), product: "coins", kind: .consumable),
        ]
        content.credits = content.transactions.map {
            CreditLedger.Credit(key: CreditLedger.Key($0), balance: "diamonds", amount: 1_000_000)
        }
        let vault = vault()
        let imported = try vault.importBackup(backup(content)) { credit in
            credit.productID == "coins" ? (100 * credit.quantity, "coins") : nil
        }
        #expect(imported == PurchaseVault.ImportedBackup(accepted: 3, refused: 1))
        #expect(vault.balances == ["coins": PurchaseVault.Balance(credited: 300, revoked: 0, spent: 0)])
    }

    @Test func `without the app's amounts no balance is imported`() throws {
        var content = VaultPatch()
        content.transactions = [try entry(VaultSamples.payload(1), product: "coins", kind: .consumable)]
        content.credits = [
            CreditLedger.Credit(key: CreditLedger.Key(content.transactions[0]), balance: "coins", amount: 100)
        ]
        let vault = vault()
        try vault.importBackup(backup(content))
        #expect(vault.balances.isEmpty)
    }

    @Test func `what a backup calls unfinished waits until the store lists it`() throws {
        var content = VaultPatch()
        content.transactions = [
            try entry(VaultSamples.payload(1), product: "coins", kind: .consumable),
            try entry(VaultSamples.payload(2), product: "coins", kind: .consumable),
            try entry(VaultSamples.payload(3, "filter", .nonConsumable), product: "filter"),
        ]
        let vault = vault()
        try vault.importBackup(backup(content))
        // Access at once, but nothing again.
        #expect(vault.entitlements.map(\.productID) == ["filter"])
        #expect(vault.undelivered.isEmpty)
        #expect(throws: PurchaseVaultError.unknownTransaction) { try vault.credit(100, to: "coins", for: 1) }
        #expect(vault.balances.isEmpty)
        // Another backup, and the next run of the app, change nothing.
        try vault.importBackup(backup(content))
        let next = self.vault()
        #expect(next.contents.transactions.count == 3)
        #expect(next.undelivered.isEmpty)

        // The first one was finished long ago, the second one never.
        let list = [(1 as UInt64, true), (2, false), (3, true)].map { id, isFinished in
            VaultSamples.change(
                id == 3 ? VaultSamples.payload(3, "filter", .nonConsumable) : VaultSamples.payload(id),
                isFinished: isFinished)
        }
        let delta = try next.apply(VaultChanges(transactions: list, revision: "1", isComplete: true))
        #expect(delta.added.map(\.id) == [2])
        #expect(next.undelivered.map(\.id) == [2])
        #expect(throws: PurchaseVaultError.finishedTransaction) { try next.credit(100, to: "coins", for: 1) }
        #expect(try next.credit(100, to: "coins", for: 2))
        let last = self.vault()
        #expect(last.undelivered.map(\.id) == [2])
        #expect(try last.apply(VaultChanges(transactions: list, revision: "2")).added.isEmpty)
    }

    @Test func `an unfinished purchase that this device has from the store stays one`() throws {
        var content = VaultPatch()
        content.transactions = [try entry(VaultSamples.payload(1), product: "coins", kind: .consumable)]
        let vault = vault()
        try vault.put(VaultSamples.payload(1))
        try vault.importBackup(backup(content))
        #expect(vault.undelivered.map(\.id) == [1])
        #expect(try vault.credit(100, to: "coins", for: 1))
    }

    @Test func `a record that says other than the signed purchase is left out`() throws {
        let real = try entry(VaultSamples.payload(1), product: "coins", kind: .consumable)
        var content = VaultPatch()
        content.transactions = [real]
        var record = PurchaseRecord(real)
        record.productIdentifier = "platinum"
        content.records = [RecordedPurchases.Entry(record: record, isConfirmed: true)]
        let vault = vault()
        let imported = try vault.importBackup(backup(content))
        #expect(imported == PurchaseVault.ImportedBackup(accepted: 1, refused: 1))
        #expect(vault.records.isEmpty)
    }

    @Test func `a status is that of its own signed texts`() throws {
        let week = VaultSamples.period(2, original: 2, week: 0)
        let status = try #require(VaultSubscription(try VaultSamples.status(1, of: week)))
        var other = VaultSamples.period(3, original: 3, week: 0)
        other.subscriptionGroupIdentifier = "other"
        let foreign = try VaultSamples.status(1, of: other)
        var content = VaultPatch()
        content.subscriptions = [
            // Under the number of another subscription, with that one's renewal information.
            VaultSubscription(
                id: 7, groupID: "gold", status: 1, isVerified: true, gracePeriodExpirationDate: nil, renewalDate: nil,
                transactionID: 7, transaction: status.transaction, renewalInfo: status.renewalInfo),
            VaultSubscription(
                id: 2, groupID: "news", status: 1, isVerified: true, gracePeriodExpirationDate: nil, renewalDate: nil,
                transactionID: 2, transaction: status.transaction,
                renewalInfo: try #require(SignedText(foreign.signedRenewalInfo))),
        ]
        let vault = vault()
        let imported = try vault.importBackup(backup(content))
        #expect(imported == PurchaseVault.ImportedBackup(accepted: 1, refused: 1))
        #expect(vault.contents.subscriptions.map(\.id) == [2])
        #expect(vault.contents.subscription(originalID: 2)?.groupID == "news")
    }

    @Test func `a forged clock extends nothing`() throws {
        var content = VaultPatch()
        let week = VaultSamples.period(2, original: 2, week: 0)
        content.transactions = [try entry(week, product: "weekly", kind: .autoRenewable, group: "news")]
        content.confirmation = StoreConfirmation(
            storeTime: VaultSamples.start, deviceTime: VaultSamples.start + .days(9_999))
        content.latestTime = VaultSamples.start
        let late = vault(now: VaultSamples.start + .days(8))
        try late.importBackup(backup(content))
        #expect(late.entitlements.isEmpty)
        #expect(late.lastConfirmed == nil)
    }

    @Test func `purchases of another customer are refused`() throws {
        func payload(_ id: UInt64, _ customer: String) -> TransactionPayload {
            var payload = VaultSamples.payload(id, "filter\(id)", .nonConsumable)
            payload.appTransactionId = customer
            return payload
        }
        var content = VaultPatch()
        content.transactions = [
            try entry(payload(1, "70"), product: "filter1"), try entry(payload(2, "71"), product: "filter2"),
        ]
        #expect(throws: PurchaseVaultError.self) { try vault().importBackup(backup(content)) }
        content.transactions.removeLast()
        let other = vault()
        try other.put(payload(3, "72"))
        #expect(throws: PurchaseVaultError.self) { try other.importBackup(backup(content)) }
        #expect(other.contents.transactions.map(\.id) == [3])
    }
}
