/// The rules of restoring purchases.
package enum Restoration {
    /// Returns the purchases to restore, oldest first: finished, of a restorable type, neither revoked nor upgraded.
    /// A non-consumable or free subscription is restored once, an auto-renewable subscription with every period.
    ///
    /// Source: StoreKit, `SKPaymentQueue.restoreCompletedTransactions()`.
    package static func restorable(_ transactions: [Transaction], applicationUsername: String? = nil) -> [Transaction] {
        var seen: Set<TransactionID> = []
        return transactions.filter { transaction in
            guard transaction.type.isRestorable, transaction.isFinished, transaction.revocation == nil,
                !transaction.isUpgraded,
                applicationUsername == nil || transaction.applicationUsername == applicationUsername
            else { return false }
            switch transaction.type {
            case .autoRenewable: return true
            case .free where transaction.expiresDate != nil: return false
            default: return seen.insert(transaction.originalID).inserted
            }
        }
    }
}
