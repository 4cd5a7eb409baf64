/// What restoring brings back.
package enum Restoration {
    /// The purchases that `restoreCompletedTransactions` returns, oldest first: finished, of a type that can be restored,
    /// neither revoked nor replaced; one for a non-consumable or free subscription however often it was bought, one for
    /// every period of an auto-renewable subscription.
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
