import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Lists of transactions, subscriptions and journal entries, compared with all rows.
struct TransactionListTests {
    private static let products = ["film.roll", "filter.amber", "pass.summer", "monthly", "family.monthly"]
    private static let accounts = ["ann", "bob", "cem", "dora"]

    /// Makes a store with purchases of all types, several at the same time, renewals and refunds.
    private static func commerce(on engine: Engine) async throws -> TestStore {
        let shop = try await TestStore.make(on: engine)
        var number = 0
        for round in 0..<4 {
            for account in accounts {
                for product in products where round == 0 || product == "film.roll" {
                    number += 1
                    guard number % 3 > 0 else { continue }
                    let bought = try await shop.buy(product, as: account)
                    if number % 4 == 0 { try await shop.refund(bought) }
                }
            }
            // Every other round is at the time of the one before.
            if round % 2 == 1 { try await shop.advance(by: .days(20)) }
        }
        return shop
    }

    private static func pages(
        _ shop: TestStore, _ filter: TransactionFilter, limit: Int
    ) async throws -> [TransactionID] {
        var (found, cursor): ([TransactionID], String?) = ([], nil)
        repeat {
            let page = try await shop.store.transactions.list(
                of: TestCatalog.bundleID, filter, after: cursor, limit: limit
            ).page
            #expect(page.items.count <= limit)
            found += page.items.map(\.value.id)
            cursor = page.next
        } while cursor != nil
        return found
    }

    private static func all(_ shop: TestStore) async throws -> [Listed<Transaction>] {
        var all: [Listed<Transaction>] = []
        for account in accounts {
            let key = try await shop.customer(account).key
            all += try await shop.database.read { try TransactionsTable.all(of: key, on: $0) }
                .map { Listed(value: $0, account: account) }
        }
        return all.sorted { ($0.value.purchaseDate, $0.value.id) > ($1.value.purchaseDate, $1.value.id) }
    }

    @Test(arguments: [Engine.sqliteInMemory, .postgres])
    func `filters find what a search through all rows finds`(engine: Engine) async throws {
        let shop = try await Self.commerce(on: engine)
        let (all, now) = (try await Self.all(shop), try await shop.store.now())
        #expect(all.count > 25)
        let middle = all[all.count / 2].value.purchaseDate
        var filters: [TransactionFilter] = []
        for account in [nil, "bob"] as [String?] {
            for state in [nil] + TransactionState.allCases.map(Optional.some) {
                for (product, type) in [
                    (nil, nil), ("film.roll", nil), ("monthly", ProductType.autoRenewable), (nil, .consumable),
                ] {
                    filters.append(
                        TransactionFilter(
                            account: account, product: product.map(Product.ID.init(rawValue:)), type: type, state: state
                        ))
                }
            }
            filters.append(TransactionFilter(account: account, from: middle))
            filters.append(TransactionFilter(account: account, until: middle))
            let days = all.compactMap(\.value.revocation?.date).sorted()
            for refund in [
                RefundFilter(), RefundFilter(reason: .other), RefundFilter(reason: .issueWithApp),
                RefundFilter(from: days.last), RefundFilter(until: days.last),
            ] {
                filters.append(TransactionFilter(account: account, state: .refunded, refund: refund))
            }
        }
        for filter in filters {
            let expected = all.filter { listed in
                let transaction = listed.value
                return (filter.account ?? listed.account) == listed.account
                    && (filter.product ?? transaction.productID) == transaction.productID
                    && (filter.type ?? transaction.type) == transaction.type
                    && (filter.state ?? TransactionState(transaction, at: now))
                        == TransactionState(transaction, at: now)
                    && (filter.from ?? .beginningOfTime) <= transaction.purchaseDate
                    && transaction.purchaseDate < (filter.until ?? .endOfTime)
                    && (filter.refund == nil || Self.meets(filter.refund, transaction.revocation))
            }
            #expect(try await Self.pages(shop, filter, limit: 3) == expected.map(\.value.id), "\(filter)")
        }
        let states = Set(all.map { TransactionState($0.value, at: now) })
        #expect(states.isSuperset(of: [.paid, .refunded, .expired]))
    }

    private static func meets(_ filter: RefundFilter?, _ refund: Transaction.Revocation?) -> Bool {
        guard let filter, let refund else { return false }
        let days = (filter.from ?? .beginningOfTime)..<(filter.until ?? .endOfTime)
        return days.contains(refund.date) && (filter.reason ?? refund.reason) == refund.reason
    }

    @Test(arguments: [Engine.sqliteInMemory, .postgres])
    func `each row is returned once while rows are added`(engine: Engine) async throws {
        let shop = try await Self.commerce(on: engine)
        let before = try await Self.all(shop).map(\.value.id)
        var (found, cursor): ([TransactionID], String?) = ([], nil)
        repeat {
            let page = try await shop.store.transactions.list(of: TestCatalog.bundleID, after: cursor, limit: 4).page
            found += page.items.map(\.value.id)
            cursor = page.next
            try await shop.buy("film.roll", as: "ann")
        } while cursor != nil
        #expect(Set(found).count == found.count)
        #expect(found.filter(before.contains) == before)
    }

    @Test(arguments: [Engine.sqliteInMemory, .postgres])
    func `subscriptions are found by product, status and customer`(engine: Engine) async throws {
        let shop = try await Self.commerce(on: engine)
        let now = try await shop.store.now()
        var all: [Listed<Subscription>] = []
        for account in Self.accounts {
            let key = try await shop.customer(account).key
            all += try await shop.database.read { try SubscriptionsTable.all(of: key, on: $0) }
                .map { Listed(value: $0, account: account) }
        }
        all.sort { $0.value.id > $1.value.id }
        for status in [nil] + SubscriptionStatus.allCases.map(Optional.some) {
            for (product, account) in [(nil, nil), ("monthly", nil), (nil, "ann")] as [(String?, String?)] {
                let filter = SubscriptionFilter(
                    account: account, product: product.map(Product.ID.init(rawValue:)), status: status)
                var (found, cursor): ([TransactionID], String?) = ([], nil)
                repeat {
                    let page = try await shop.store.subscriptions.list(
                        of: TestCatalog.bundleID, filter, after: cursor, limit: 1
                    ).page
                    found += page.items.map(\.value.id)
                    cursor = page.next
                } while cursor != nil
                let expected = all.filter {
                    (account ?? $0.account) == $0.account
                        && (status ?? $0.value.status(at: now)) == $0.value.status(at: now)
                        && (product ?? $0.value.product.id.rawValue) == $0.value.product.id.rawValue
                }
                #expect(found == expected.map(\.value.id), "\(filter)")
            }
        }
    }

    @Test(arguments: [Engine.sqliteInMemory, .postgres])
    func `the journal is read by kind, from either end`(engine: Engine) async throws {
        let shop = try await Self.commerce(on: engine)
        let all = try await shop.journal()
        for kind in [nil, .purchased, .subscription(.renewed)] as [JournalEntry.Kind?] {
            for position in [nil, 1, 9] as [Int64?] {
                var (found, cursor): ([Int64], String?) = ([], nil)
                repeat {
                    let page = try await shop.store.transactions.journal(
                        of: TestCatalog.bundleID, kind: kind, from: position, after: cursor, limit: 7)
                    #expect(page.items.allSatisfy { $0.value.entry.postings.balances })
                    found += page.items.map(\.value.position)
                    cursor = page.next
                } while cursor != nil
                let expected = all.filter { $0.position >= position ?? 0 && (kind ?? $0.entry.kind) == $0.entry.kind }
                    .map(\.position)
                #expect(
                    found == (position == nil ? expected.reversed() : expected), "\(kind as Any) from \(position ?? 0)")
            }
        }
    }
}
