import PerennialStorage
import Synchronization

/// Watches the statements of a node on PostgreSQL that waits for one transaction at a time, and finds those that wait for a lock
/// out of the order of docs/architecture.md ("Order of locks").
package final class LockOrder: Sendable {
    /// The locks in their order.
    private enum Rank: Int, Comparable {
        case production, lease, environment, massExtension, catalog, customer, account, code, rollUp, journal

        static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
    }

    /// A customer by app and account.
    private struct Customer: Hashable, Comparable {
        let app: Int64
        let account: Int64

        static func < (one: Customer, other: Customer) -> Bool { (one.app, one.account) < (other.app, other.account) }
    }

    private struct State {
        /// The last lock that the present transaction has waited for.
        var last: Rank?
        var held: Set<Rank> = []
        var customers: Set<Customer> = []
        var violations: [String] = []
        /// The locks of all transactions, so that a test sees that they were watched.
        var seen: Set<Rank> = []
    }

    private let state = Mutex(State())

    package init() {}

    /// The statements that waited out of order.
    package var violations: [String] { state.withLock { $0.violations } }

    /// The number of kinds of locks that were taken.
    package var kinds: Int { state.withLock { $0.seen.count } }

    /// Pass it to `DatabaseOptions.onSend`.
    package func observe(_ statement: SentStatement) {
        state.withLock { state in
            guard !statement.text.hasPrefix("BEGIN") else {
                (state.last, state.held, state.customers) = (nil, [], [])
                return
            }
            guard let rank = Self.rank(statement) else { return }
            state.seen.insert(rank)
            if rank == .customer {
                observeCustomer(statement, &state)
            } else if state.held.insert(rank).inserted {
                if let last = state.last, rank < last {
                    state.violations.append("\(rank) after \(last): \(statement.text)")
                }
                state.last = max(state.last ?? rank, rank)
            }
        }
    }

    private func observeCustomer(_ statement: SentStatement, _ state: inout State) {
        let (text, numbers) = (statement.text, statement.values.map(Self.integer))
        // The key begins with the first value of a query, and the second of an update.
        let start = text.hasPrefix("UPDATE") ? 2 : 1
        guard numbers.count > start + 1, let app = numbers[start], let account = numbers[start + 1] else {
            // The customer of a device's token: the first of its transaction.
            if let last = state.last, last >= .customer { state.violations.append("customer after \(last): \(text)") }
            state.last = max(state.last ?? .customer, .customer)
            return
        }
        let customer = Customer(app: app, account: account)
        // No other transaction has a new customer's row, and one that is skipped isn't waited for.
        let waits = !text.hasPrefix("INSERT") && !text.contains("SKIP LOCKED")
        if waits, !state.customers.contains(customer), state.last != nil {
            if let last = state.last, .customer < last {
                state.violations.append("customer after \(last): \(text)")
            } else if let highest = state.customers.max(), customer < highest {
                state.violations.append("\(customer) after \(highest): \(text)")
            }
        }
        state.customers.insert(customer)
        if waits { state.last = max(state.last ?? .customer, .customer) }
    }

    private static func integer(_ value: SQLValue) -> Int64? {
        if case .integer(let number) = value { number } else { nil }
    }

    private static func rank(_ statement: SentStatement) -> Rank? {
        let text = statement.text
        func touches(_ table: String) -> Bool {
            text.hasPrefix("UPDATE \(table) ") || text.hasPrefix("INSERT INTO \(table) ")
                || text.contains("FROM \(table)") && text.contains("FOR UPDATE")
        }
        if touches("environments") {
            // Other environments than Production and Sandbox are tested.
            return statement.values.contains(.integer(1)) && text.contains("FOR UPDATE") ? .production : .environment
        }
        if touches("leases") { return .lease }
        if touches("mass_extensions") { return .massExtension }
        if touches("catalog_head") { return .catalog }
        if touches("customers") || text.contains("FOR UPDATE OF customers") { return .customer }
        if text.contains("FROM accounts"), text.contains("FOR UPDATE") { return .account }
        if touches("offer_codes") { return .code }
        if touches("roll_up_heads") { return .rollUp }
        return text.contains("journal_heads") && !text.hasPrefix("SELECT position") ? .journal : nil
    }
}
