import Foundation
import Perennial
import Synchronization

extension PurchaseVault {
    /// Exports the purchases and balances for another device of the same account.
    ///
    /// The backup is encrypted with a key from the account's password, or from a passphrase. Deriving the key takes about half a second.
    ///
    /// - Parameter passphrase: A passphrase of the customer, in place of the account's password.
    /// - Throws: ``PurchaseVaultError``; `passphraseRequired` for an account without a password.
    public func exportBackup(passphrase: String? = nil) throws -> Data {
        try exportBackup(passphrase: passphrase, rounds: BackupFile.rounds)
    }

    package func exportBackup(passphrase: String? = nil, rounds: UInt32) throws -> Data {
        let file = try backupFile(passphrase)
        guard load() else { throw PurchaseVaultError.unavailable(reason: "the file can't be read now") }
        var content = current.snapshot(revision: nil)
        // The name of the spending counter is this device's.
        content.documents = []
        content.needsRebuild = nil
        return try file.seal(content.encoded(), rounds: rounds, salt: Data(dependencies.randomBytes(16)))
    }

    /// Adds the purchases and balances of a backup, which give access at once, without a network.
    ///
    /// Each transaction's signature is verified. A balance gets the credits and the spending that it doesn't have, so that importing
    /// a backup twice changes nothing. The next connection to the store removes what the store doesn't confirm.
    ///
    /// - Parameters:
    ///   - backup: A backup of ``exportBackup(passphrase:)``.
    ///   - passphrase: The passphrase of the export, if it had one.
    /// - Throws: ``PurchaseVaultError``; nothing changes then.
    public func importBackup(_ backup: Data, passphrase: String? = nil) throws {
        let content: VaultPatch
        do {
            content = try VaultPatch(backupFile(passphrase).open(backup))
        } catch let error as PurchaseVaultError {
            throw error
        } catch {
            throw PurchaseVaultError.backupRefused(reason: "it is of another version")
        }
        let check = signatureCheck.withLock { $0 } ?? { _ in false }
        let transactions = content.transactions.map { transaction in
            var transaction = transaction
            transaction.isVerified = check(transaction.jws)
            return transaction
        }
        let subscriptions = content.subscriptions.map { subscription in
            var subscription = subscription
            subscription.isVerified = check(subscription.signedTransaction) && check(subscription.signedRenewalInfo)
            return subscription
        }
        try durably { storage in
            (BackupMerge(storage.state).patch(content, transactions, subscriptions), ())
        }
    }

    private func backupFile(_ passphrase: String?) throws(PurchaseVaultError) -> BackupFile {
        guard let password = passphrase ?? identity.password, !password.isEmpty else { throw .passphraseRequired }
        return BackupFile(identity, password: password)
    }
}

/// Additions of a backup to the vault.
private struct BackupMerge {
    private let state: VaultState

    init(_ state: VaultState) {
        self.state = state
    }

    func patch(
        _ backup: VaultPatch, _ transactions: [VaultTransaction], _ subscriptions: [VaultSubscription]
    ) -> VaultPatch {
        var patch = VaultPatch()
        patch.transactions = transactions.compactMap(merged)
        patch.subscriptions = subscriptions.filter { subscription in
            guard let known = state.contents.subscription(originalID: subscription.id) else { return true }
            return !known.isVerified && subscription.isVerified
        }
        patch.finishing = backup.finishing.filter { !state.contents.finishing.contains($0) }
        let granted = Dictionary(
            transactions.filter(\.isVerified).map { (CreditLedger.Key($0), true) },
            uniquingKeysWith: { first, _ in first })
        patch.credits = backup.credits.filter { granted[$0.key] != nil && !state.ledger.hasCredited($0.key) }
        patch.spendings = backup.spendings.filter { spending in
            spending.amount > state.ledger.spent(from: spending.balance, on: spending.device)
        }
        patch.records = backup.records.filter { state.records.entry($0.record.transactionIdentifier) == nil }
        if state.contents.confirmation == nil {
            patch.confirmation = backup.confirmation
            patch.latestTime = [backup.latestTime, state.contents.latestTime].compactMap { $0 }.max()
        }
        // The store lists everything again.
        if state.contents.revision != nil { patch.revision = .set(nil) }
        return patch
    }

    private func merged(_ transaction: VaultTransaction) -> VaultTransaction? {
        guard let known = state.contents.transaction(transaction.id) else { return transaction }
        guard known.purchaseDate == transaction.purchaseDate, transaction.isVerified || !known.isVerified else {
            return nil
        }
        var newest = known.isVerified && known.signedDate >= transaction.signedDate ? known : transaction
        newest.isFinished = known.isFinished || transaction.isFinished
        return newest == known ? nil : newest
    }
}
