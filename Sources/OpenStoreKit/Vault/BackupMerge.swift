import AppStoreFormats
import Foundation
import Perennial

/// The entries of a backup that the store's signatures prove.
///
/// A vault keeps facts beside the signed texts; those of a backup are ignored, and read from the texts again.
struct ProvenBackup {
    let content: VaultPatch
    private(set) var transactions: [VaultTransaction] = []
    private(set) var subscriptions: [VaultSubscription] = []
    /// Number of transactions and statuses without a valid signature.
    let refused: Int
    /// The customer's download of the app; `nil` if no transaction says it.
    let appTransactionID: String?

    /// - Parameter check: Verifies a JWS.
    /// - Throws: ``PurchaseVaultError`` for purchases of several customers.
    init(_ content: VaultPatch, _ check: (String) -> Bool) throws(PurchaseVaultError) {
        self.content = content
        var customers: Set<String> = []
        for entry in content.transactions where check(entry.jws) {
            let signed = VaultChanges.Transaction(signed: entry.jws, isFinished: entry.isFinished, isVerified: true)
            guard let transaction = VaultTransaction(signed) else { continue }
            if let customer = try? transaction.decoded().appTransactionId { customers.insert(customer) }
            transactions.append(transaction)
        }
        for entry in content.subscriptions where check(entry.signedTransaction) && check(entry.signedRenewalInfo) {
            guard let subscription = VaultSubscription(provenBy: entry) else { continue }
            subscriptions.append(subscription)
        }
        guard customers.count <= 1 else {
            throw .backupRefused(reason: "it has purchases of several customers")
        }
        appTransactionID = customers.first
        refused = content.transactions.count - transactions.count + content.subscriptions.count - subscriptions.count
    }

    /// The newest date at which the store signed something, by its clock.
    var newestSignature: Instant? {
        transactions.map(\.signedDate).max()
    }
}

extension VaultSubscription {
    /// Reads a status again from its signed texts. Returns `nil` if they are malformed, or of another subscription.
    fileprivate init?(provenBy entry: VaultSubscription) {
        let texts = VaultChanges.Transaction(signed: entry.signedTransaction, isFinished: false, isVerified: true)
        guard let transaction = VaultTransaction(texts), let group = transaction.groupID else { return nil }
        self.init(
            VaultChanges.Subscription(
                originalID: transaction.originalID, groupID: group, status: entry.status,
                signedTransaction: entry.signedTransaction, signedRenewalInfo: entry.signedRenewalInfo, isVerified: true
            ))
        guard renewalOriginalID == transaction.originalID else { return nil }
    }
}

/// Additions of a backup to the vault.
struct BackupMerge {
    private let state: VaultState
    private let mark: String

    /// - Parameter mark: Mark of this import, another one each time.
    init(_ state: VaultState, mark: String) {
        self.state = state
        self.mark = mark
    }

    /// - Throws: ``PurchaseVaultError`` for a backup of another customer.
    func patch(
        _ backup: ProvenBackup, _ apps: (PurchaseVault.BackupCredit) -> (amount: Int, balance: String)?
    ) throws(PurchaseVaultError) -> (VaultPatch, PurchaseVault.ImportedBackup) {
        try checkCustomer(of: backup)
        let content = backup.content
        let proven = Dictionary(backup.transactions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let credits = content.credits.compactMap { credit($0, proven[$0.key.transactionID], apps) }
        let records = content.records.filter { entry in
            let id = UInt64(entry.record.transactionIdentifier, radix: 10)
            return id.flatMap { proven[$0] }.map { entry.record.says($0) } ?? false
        }
        var patch = VaultPatch()
        patch.transactions = backup.transactions.compactMap { state.contents.merging($0) }
        patch.subscriptions = backup.subscriptions.filter { subscription in
            state.contents.subscription(originalID: subscription.id).map { !$0.isVerified } ?? true
        }
        patch.finishing = content.finishing.filter { id in
            proven[id] != nil && !state.contents.finishing.contains(id)
        }
        patch.credits = credits.filter { !state.ledger.hasCredited($0.key) }
        patch.spendings = content.spendings.filter { spending in
            spending.amount > state.ledger.spent(from: spending.balance, on: spending.device)
        }
        patch.records = records.filter { state.records.entry($0.record.transactionIdentifier) == nil }
        patch.latestTime = latestTime(backup)
        // The store lists everything again, also if it is listing it now.
        patch.documents = [VaultPatch.Document(name: PurchaseVault.importDocument, content: Data(mark.utf8))]
        let undelivered = patch.transactions.filter { !$0.isFinished && state.contents.transaction($0.id) == nil }
        if !undelivered.isEmpty {
            patch.documents.append(.init(unconfirmed: state.unconfirmed.union(undelivered.map(\.id))))
        }
        if state.contents.revision != nil { patch.revision = .set(nil) }
        var counts = PurchaseVault.ImportedBackup()
        counts.accepted = backup.transactions.count + backup.subscriptions.count + credits.count + records.count
        counts.refused = backup.refused + content.credits.count - credits.count + content.records.count - records.count
        return (patch, counts)
    }

    /// The same account has the same download of the app on all devices.
    private func checkCustomer(of backup: ProvenBackup) throws(PurchaseVaultError) {
        guard let theirs = backup.appTransactionID else { return }
        let known = state.contents.transactions.last { $0.isVerified }
        guard let mine = try? known?.decoded().appTransactionId, mine != theirs else { return }
        throw .backupRefused(reason: "it has purchases of another customer")
    }

    /// Returns a credit with the app's amount and balance; `nil` without a signed purchase, or if the app credits nothing for it.
    private func credit(
        _ credit: CreditLedger.Credit, _ transaction: VaultTransaction?,
        _ apps: (PurchaseVault.BackupCredit) -> (amount: Int, balance: String)?
    ) -> CreditLedger.Credit? {
        guard let transaction, CreditLedger.Key(transaction) == credit.key else { return nil }
        let claim = PurchaseVault.BackupCredit(
            productID: transaction.productID, quantity: transaction.quantity, transactionID: transaction.id,
            balance: credit.balance, amount: Int(clamping: credit.amount))
        guard let (amount, balance) = apps(claim), amount > 0 else { return nil }
        return CreditLedger.Credit(key: credit.key, balance: balance, amount: Int64(amount))
    }

    /// Takes the latest time that the backup says or a signature has, and nothing that could hold the clock back: periods end by the
    /// device's clock, or earlier.
    private func latestTime(_ backup: ProvenBackup) -> Instant? {
        guard state.contents.confirmation == nil else { return nil }
        let times = [
            backup.newestSignature, backup.content.confirmation?.storeTime, backup.content.latestTime,
            state.contents.latestTime,
        ]
        return times.compactMap { $0 }.max()
    }
}

extension PurchaseRecord {
    /// True if the record says the same as a signed transaction, as far as both say it.
    fileprivate func says(_ transaction: VaultTransaction) -> Bool {
        productIdentifier == transaction.productID && quantity == transaction.quantity
            && isBought(at: transaction.purchaseDate)
    }
}
