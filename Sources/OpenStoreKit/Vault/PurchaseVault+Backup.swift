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
    /// The customer has the key of the backup, so nothing in it counts for itself. Each transaction and each subscription's status is
    /// read from what the store signed, and its signature is verified again. A credit's amount and balance are signed by no one: `credits`
    /// says them, from the signed product and quantity. All else is left out: unsigned and badly signed entries, credits and records without
    /// such a transaction.
    ///
    /// Whether a transaction is finished is signed by no one either: one that the backup calls unfinished isn't credited, nor among
    /// `Transaction.unfinished`, before the store has listed it.
    ///
    /// A balance gets the credits and the spending that it doesn't have, so that importing a backup twice changes nothing. The next
    /// connection to the store removes what the store doesn't confirm. A connection without root certificates has to have reached the
    /// store before: signatures can't be verified without its root.
    ///
    /// - Parameters:
    ///   - backup: A backup of ``exportBackup(passphrase:)``.
    ///   - passphrase: The passphrase of the export, if it had one.
    ///   - credits: Returns the amount that the app credits for a purchase and the balance that gets it, `nil` for none. By default
    ///     balances aren't imported.
    /// - Returns: The number of entries that were accepted and refused.
    /// - Throws: ``PurchaseVaultError``; nothing changes then.
    @discardableResult
    public func importBackup(
        _ backup: Data, passphrase: String? = nil,
        crediting credits: (BackupCredit) -> (amount: Int, balance: String)? = { _ in nil }
    ) throws -> ImportedBackup {
        let content: VaultPatch
        do {
            content = try VaultPatch(backupFile(passphrase).open(backup))
        } catch let error as PurchaseVaultError {
            throw error
        } catch {
            throw PurchaseVaultError.backupRefused(reason: "it is of another version")
        }
        let check = signatureCheck.withLock { $0 } ?? { _ in false }
        let proven = try ProvenBackup(content, check)
        return try durably { storage in
            try BackupMerge(storage.state, mark: self.dependencies.uniqueName()).patch(proven, credits)
        }
    }

    /// Document with the mark of the last import.
    static let importDocument = "backup.import"

    /// A credit in a backup.
    public struct BackupCredit: Sendable, Hashable {
        /// Product identifier, as the store signed it. ``quantity`` and ``transactionID`` are signed as well.
        public var productID: String
        /// Quantity of the purchase.
        public var quantity: Int
        /// Transaction that grants the amount.
        public var transactionID: UInt64
        /// Name of the balance, by the backup.
        public var balance: String
        /// Amount, by the backup.
        public var amount: Int
    }

    /// The outcome of an import.
    public struct ImportedBackup: Sendable, Hashable {
        /// Entries that the store's signature proves: transactions, statuses, credits and records.
        public var accepted = 0
        /// Entries that were left out.
        public var refused = 0

        /// Makes an outcome, for doubles in tests.
        public init(accepted: Int = 0, refused: Int = 0) {
            self.accepted = accepted
            self.refused = refused
        }
    }

    private func backupFile(_ passphrase: String?) throws(PurchaseVaultError) -> BackupFile {
        guard let password = passphrase ?? identity.password, !password.isEmpty else { throw .passphraseRequired }
        return BackupFile(identity, password: password)
    }
}

extension PurchaseVault {
    /// Document with the transactions that an imported backup calls unfinished, until the store lists them: an ID on each line.
    ///
    /// No signature says whether a transaction is finished, and the customer can change a backup. Without the store's word a purchase that
    /// was delivered long ago would be delivered and credited again, in each new vault.
    fileprivate static let unconfirmedDocument = "backup.unconfirmed"

    /// Transactions that wait for the app, oldest first: without those whose state only a backup says.
    package var undelivered: [VaultTransaction] {
        let state = current
        let unconfirmed = state.unconfirmed
        return state.contents.unfinished.filter { !unconfirmed.contains($0.id) }
    }
}

extension VaultState {
    /// IDs of the transactions that the store hasn't listed since the import.
    var unconfirmed: Set<UInt64> {
        guard let document = documents[PurchaseVault.unconfirmedDocument] else { return [] }
        return Set(
            String(decoding: document, as: UTF8.self).split(separator: "\n").compactMap { UInt64($0, radix: 10) })
    }
}

extension VaultPatch.Document {
    /// Makes the document of the transactions that wait; without any it is removed.
    init(unconfirmed: Set<UInt64>) {
        let lines = unconfirmed.sorted().map(String.init).joined(separator: "\n")
        self.init(name: PurchaseVault.unconfirmedDocument, content: Data(lines.utf8))
    }
}
