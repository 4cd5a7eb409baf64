import Perennial

/// The balances of an app's own currencies, such as coins: credits, each for one transaction, and amounts spent.
///
/// The ledgers of two devices can be merged: a credit counts once, and each device counts its own spending.
struct CreditLedger: Sendable, Equatable {
    /// Tells a transaction from a later one with the same ID, in a store that was emptied.
    struct Key: Hashable, Sendable {
        var transactionID: UInt64
        var purchaseDate: Instant
    }

    struct Credit: Sendable, Equatable {
        var key: Key
        var balance: String
        var amount: Int64
    }

    /// Amount that a device has spent from a balance, since the beginning.
    struct Spending: Sendable, Equatable {
        var balance: String
        var device: String
        var amount: Int64
    }

    private(set) var credits: [Credit] = []
    private var credited: Set<Key> = []
    private var spent: [String: [String: Int64]] = [:]

    init() {}

    func hasCredited(_ key: Key) -> Bool { credited.contains(key) }

    func spent(from balance: String) -> Int64 {
        spent[balance, default: [:]].values.reduce(0) { $0.clampedAdding($1) }
    }

    func spent(from balance: String, on device: String) -> Int64 {
        spent[balance]?[device] ?? 0
    }

    /// Names of all balances.
    var balances: Set<String> { Set(credits.map(\.balance)).union(spent.keys) }

    /// All spending, in a fixed order.
    var spendings: [Spending] {
        spent.flatMap { balance, devices in
            devices.map { Spending(balance: balance, device: $0.key, amount: $0.value) }
        }
        .sorted { ($0.balance, $0.device) < ($1.balance, $1.device) }
    }

    mutating func put(_ credit: Credit) {
        guard credited.insert(credit.key).inserted else { return }
        credits.append(credit)
    }

    /// Sets a device's spending, which only grows.
    mutating func put(_ spending: Spending) {
        let known = spent(from: spending.balance, on: spending.device)
        spent[spending.balance, default: [:]][spending.device] = max(known, spending.amount)
    }
}
