import BaseEncoding
import Foundation
import Perennial

extension PurchaseVault {
    /// A balance of the app, such as coins.
    public struct Balance: Sendable, Hashable {
        /// Amount credited for purchases that weren't refunded.
        public var credited: Int
        /// Amount credited for purchases that were refunded or removed since.
        public var revoked: Int
        /// Amount spent.
        public var spent: Int

        /// Makes a balance, for doubles in tests.
        public init(credited: Int, revoked: Int, spent: Int) {
            self.credited = credited
            self.revoked = revoked
            self.spent = spent
        }

        /// Amount that can be spent. Not below zero, also if a refunded purchase was spent already.
        public var available: Int { max(0, credited.clampedSubtracting(spent)) }
    }

    /// Credits a purchase to a balance, once for each transaction.
    ///
    /// Call it before the transaction is finished. If the app ends in between, the transaction comes again at the next launch, and
    /// the second call changes nothing. A refund takes the amount back by itself.
    ///
    /// - Parameters:
    ///   - amount: Amount, at least 1.
    ///   - balance: Name of the balance, such as `coins`. A balance begins with its first credit.
    ///   - transactionID: The transaction that grants the amount, for a quantity of several the amount of all.
    /// - Returns: True if it was credited now; false if it was before.
    /// - Throws: ``PurchaseVaultError``. Nothing is credited then.
    @discardableResult
    public func credit(_ amount: Int, to balance: String, for transactionID: UInt64) throws -> Bool {
        guard amount > 0 else { throw PurchaseVaultError.invalidAmount }
        return try durably { storage in
            guard let transaction = storage.state.contents.transaction(transactionID) else {
                throw PurchaseVaultError.unknownTransaction
            }
            guard transaction.isVerified else { throw PurchaseVaultError.unverifiedTransaction }
            let key = CreditLedger.Key(transaction)
            guard !storage.state.ledger.hasCredited(key) else { return (VaultPatch(), false) }
            guard !storage.state.unconfirmed.contains(transactionID) else {
                throw PurchaseVaultError.unknownTransaction
            }
            guard transaction.revocationDate == nil else { throw PurchaseVaultError.revokedTransaction }
            guard !transaction.isFinished else { throw PurchaseVaultError.finishedTransaction }
            var patch = VaultPatch()
            patch.credits = [CreditLedger.Credit(key: key, balance: balance, amount: Int64(amount))]
            return (patch, true)
        }
    }

    /// Credits a purchase of StoreKit 1, as ``credit(_:to:for:)-(Int,String,UInt64)``.
    @discardableResult
    public func credit(_ amount: Int, to balance: String, for transactionIdentifier: String) throws -> Bool {
        guard let id = UInt64(transactionIdentifier, radix: 10) else { throw PurchaseVaultError.unknownTransaction }
        return try credit(amount, to: balance, for: id)
    }

    /// Takes an amount from a balance.
    ///
    /// - Throws: ``PurchaseVaultError``; `insufficientBalance` if it has less. Nothing is taken then.
    public func spend(_ amount: Int, from balance: String) throws {
        guard amount > 0 else { throw PurchaseVaultError.invalidAmount }
        try durably { storage in
            let available = Self.balance(balance, in: storage.state).available
            guard amount <= available else { throw PurchaseVaultError.insufficientBalance(available: available) }
            var patch = VaultPatch()
            let device: String
            if let known = storage.state.documents[Self.deviceDocument] {
                device = String(decoding: known, as: UTF8.self)
            } else {
                device = self.dependencies.uniqueName()
                patch.documents = [VaultPatch.Document(name: Self.deviceDocument, content: Data(device.utf8))]
            }
            let spent = storage.state.ledger.spent(from: balance, on: device).clampedAdding(Int64(amount))
            patch.spendings = [CreditLedger.Spending(balance: balance, device: device, amount: spent)]
            return (patch, ())
        }
    }

    /// Returns a balance; zeros for an unknown one.
    public func balance(_ name: String) -> Balance {
        Self.balance(name, in: current)
    }

    /// All balances by name.
    public var balances: [String: Balance] {
        let state = current
        return Dictionary(uniqueKeysWithValues: state.ledger.balances.map { ($0, Self.balance($0, in: state)) })
    }

    /// True if a transaction was credited to a balance.
    public func hasCredited(_ transactionID: UInt64) -> Bool {
        let state = current
        return state.contents.transaction(transactionID).map { state.ledger.hasCredited(CreditLedger.Key($0)) } ?? false
    }

    /// Document with the name under which this vault counts its spending.
    static let deviceDocument = "ledger.device"

    private static func balance(_ name: String, in state: VaultState) -> Balance {
        var (credited, revoked): (Int64, Int64) = (0, 0)
        for credit in state.ledger.credits where credit.balance == name {
            // A credit counts as long as the store has its transaction.
            let isGranted = state.contents.transaction(credit.key.transactionID).map {
                CreditLedger.Key($0) == credit.key && $0.revocationDate == nil
            }
            if isGranted ?? false {
                credited = credited.clampedAdding(credit.amount)
            } else {
                revoked = revoked.clampedAdding(credit.amount)
            }
        }
        return Balance(credited: Int(credited), revoked: Int(revoked), spent: Int(state.ledger.spent(from: name)))
    }

    /// Makes a change only if it can be written.
    ///
    /// - Throws: ``PurchaseVaultError``, `unavailable` for an error of the files.
    func durably<Outcome: Sendable>(_ body: (inout Storage) throws -> (VaultPatch, Outcome)) throws -> Outcome {
        do {
            return try change(.required, body)
        } catch let error as PurchaseVaultError {
            throw error
        } catch {
            throw PurchaseVaultError.unavailable(reason: String(describing: error))
        }
    }
}

extension CreditLedger.Key {
    init(_ transaction: VaultTransaction) {
        self.init(transactionID: transaction.id, purchaseDate: transaction.purchaseDate)
    }
}

extension Int {
    fileprivate func clampedSubtracting(_ other: Int) -> Int {
        Int(Int64(self).clampedSubtracting(Int64(other)))
    }
}
