import Foundation
import Perennial

extension PurchaseVault {
    /// Records of finished purchases, by purchase date.
    ///
    /// The store doesn't restore consumables and non-renewing subscriptions, so the records are their only trace on the device.
    public var records: [PurchaseRecord] {
        let state = current
        let signed = state.contents.transactions.filter { transaction in
            transaction.isFinished && transaction.isVerified && state.records.entry(String(transaction.id)) == nil
        }
        return (state.records.records + signed.map(PurchaseRecord.init)).sorted { $0.purchaseDate < $1.purchaseDate }
    }

    /// True if the app has finished a purchase on this device, or the store says so. A purchase in a receipt may be undelivered, and one
    /// of another date had the same ID in a store that was emptied.
    func hasFinished(_ transaction: StoreTransaction) -> Bool {
        let state = current
        let id = transaction.transactionId
        if let entry = state.records.entry(id), entry.isConfirmed, entry.record.isBought(at: transaction.purchased) {
            return true
        }
        guard let known = UInt64(id, radix: 10).flatMap({ state.contents.transaction($0) }) else { return false }
        return known.isFinished && PurchaseRecord(known).isBought(at: transaction.purchased)
    }

    /// True if the vault has a purchase of another date under a transaction's ID, as of a store that was emptied.
    func isOfEarlierStore(_ transaction: StoreTransaction) -> Bool {
        guard let id = UInt64(transaction.transactionId, radix: 10), let known = contents.transaction(id) else {
            return false
        }
        return !PurchaseRecord(known).isBought(at: transaction.purchased)
    }

    /// Adds a finished purchase, once. Keeps it in memory if the file can't be written, and writes it with the next.
    func add(_ record: PurchaseRecord) {
        try? change(.lenient) { storage in
            var patch = VaultPatch()
            patch.records = storage.state.records.adding(record).map { [$0] } ?? []
            return (patch, ())
        }
    }

    /// Removes records that come from a receipt only, for transactions that the store lists as unfinished.
    func retract(_ transactionIDs: [String]) {
        try? change(.lenient) { storage in
            var patch = VaultPatch()
            patch.removedRecords = transactionIDs.filter { storage.state.records.entry($0)?.isConfirmed == false }
            return (patch, ())
        }
    }

    /// Rebuilds the records of a refused vault. Keeps those that were added since.
    ///
    /// - Parameters:
    ///   - proven: Purchases in a receipt, finished or not.
    ///   - finished: Finished purchases.
    func rebuild(proven: [PurchaseRecord], finished: [PurchaseRecord]) {
        try? change(.lenient) { storage in
            guard storage.state.needsRebuild else { return (VaultPatch(), ()) }
            var records = storage.state.records
            for record in proven { records.adding(record, isConfirmed: false).map { records.put($0) } }
            for record in finished { records.adding(record).map { records.put($0) } }
            var patch = VaultPatch()
            patch.records = records.entries.filter {
                storage.state.records.entry($0.record.transactionIdentifier) != $0
            }
            patch.needsRebuild = false
            return (patch, ())
        }
    }
}

extension PurchaseRecord {
    /// Makes a record of a finished signed transaction.
    init(_ transaction: VaultTransaction) {
        self.init(
            transactionIdentifier: String(transaction.id),
            originalTransactionIdentifier: String(transaction.originalID), productIdentifier: transaction.productID,
            productType: transaction.kind.name, quantity: transaction.quantity,
            purchaseDate: transaction.purchaseDate.date)
    }
}

extension VaultTransaction.Kind {
    /// Name of a product type in store/v1.
    fileprivate var name: String {
        switch self {
        case .consumable: "consumable"
        case .nonConsumable: "nonConsumable"
        case .autoRenewable: "autoRenewable"
        case .nonRenewing: "nonRenewing"
        case .other: "other"
        }
    }
}
