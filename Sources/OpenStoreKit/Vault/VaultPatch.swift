import Foundation
import Perennial

/// A change of the vault's state. A patch is written to the log before it is applied; a snapshot is the patch of an empty state.
struct VaultPatch: Sendable, Equatable {
    /// A small value beside the purchases, which stays on this device.
    struct Document: Sendable, Equatable {
        var name: String
        var content: Data
    }

    /// A new value, which may be none.
    enum Setting<Value: Sendable & Equatable>: Sendable, Equatable {
        case keep
        case set(Value?)
    }

    var revision = Setting<String>.keep
    var confirmation: StoreConfirmation?
    /// Latest time by the store's clock since that answer.
    var latestTime: Instant?
    var needsRebuild: Bool?
    var transactions: [VaultTransaction] = []
    var removedTransactions: [UInt64] = []
    var subscriptions: [VaultSubscription] = []
    var removedSubscriptions: [UInt64] = []
    var finishing: [UInt64] = []
    var acknowledged: [UInt64] = []
    var credits: [CreditLedger.Credit] = []
    var spendings: [CreditLedger.Spending] = []
    var records: [RecordedPurchases.Entry] = []
    var removedRecords: [String] = []
    var documents: [Document] = []

    var isEmpty: Bool { self == VaultPatch() }
}

/// The vault's state.
struct VaultState: Sendable {
    var contents = VaultContents()
    /// True after a refusal, until the store has listed everything.
    var needsRebuild = false
    var ledger = CreditLedger()
    var records = RecordedPurchases()
    var documents: [String: Data] = [:]

    init() {}

    mutating func apply(_ patch: VaultPatch) {
        if case .set(let revision) = patch.revision { contents.revision = revision }
        if let confirmation = patch.confirmation { contents.confirm(confirmation) }
        if let latestTime = patch.latestTime { contents.latestTime = latestTime }
        if let needsRebuild = patch.needsRebuild { self.needsRebuild = needsRebuild }
        contents.remove(Set(patch.removedTransactions))
        contents.removeSubscriptions(Set(patch.removedSubscriptions))
        contents.put(patch.transactions)
        patch.subscriptions.forEach { contents.put($0) }
        for id in patch.finishing where !contents.finishing.contains(id) {
            contents.finishing.append(id)
            contents.finish(id)
        }
        if !patch.acknowledged.isEmpty { contents.finishing.removeAll(where: patch.acknowledged.contains) }
        patch.credits.forEach { ledger.put($0) }
        patch.spendings.forEach { ledger.put($0) }
        records.remove(Set(patch.removedRecords))
        patch.records.forEach { records.put($0) }
        for document in patch.documents {
            documents[document.name] = document.content.isEmpty ? nil : document.content
        }
    }

    /// The patch that makes this state from an empty one.
    ///
    /// - Parameter revision: The revision to store; `nil` while a complete list is under way.
    func snapshot(revision: String?) -> VaultPatch {
        var patch = VaultPatch()
        if let revision { patch.revision = .set(revision) }
        patch.confirmation = contents.confirmation
        patch.latestTime = contents.latestTime
        if needsRebuild { patch.needsRebuild = true }
        patch.transactions = Array(contents.transactions)
        patch.subscriptions = contents.subscriptions
        patch.finishing = contents.finishing
        patch.credits = ledger.credits
        patch.spendings = ledger.spendings
        patch.records = records.entries
        patch.documents = documents.sorted { $0.key < $1.key }.map {
            VaultPatch.Document(name: $0.key, content: $0.value)
        }
        return patch
    }
}
