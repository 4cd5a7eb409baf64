import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Random lives of subscriptions, whose roll-ups are compared with the store's own state.
struct RandomLivesTests {
    private static let products = ["month", "gold", "other", "week", "year"]

    private static let app: App = Magazine.app(changing: ["month", "gold", "week"]) {
        $0.introductoryOffer = Magazine.offer(nil, .freeTrial, .week, 0)
    }

    /// One subscription as a report counts it.
    private struct Counted: Hashable {
        var product: Product.ID
        var state: ReportSnapshot.State
        var offer: AppliedOffer?
        var price: Money
    }

    private static let runs: [(UInt64, Engine)] =
        (1...8).map { ($0, .sqliteInMemory) } + [(9, .postgres), (10, .sqlite)]

    @Test(arguments: runs)
    func `counts by day are those of the store's own subscriptions`(seed: UInt64, engine: Engine) async throws {
        let shop = try await Magazine.shop(.production, BillingSettings(gracePeriodDays: 16), app: Self.app, on: engine)
        var random = Dice(state: seed)
        var (bought, ended): ([TransactionID], [(day: PacificDay, counts: [Counted: Int64])]) = ([], [])
        var now = Magazine.start
        for _ in 0..<60 {
            try await shop.advance(to: now)
            for _ in 0..<random.next(4) { try await act(&random, &bought, shop) }
            let day = PacificDay(now + .days(Int64(random.next(12))))
            try await shop.advance(to: day.end + -1)
            ended.append((day, try await counted(shop)))
            #expect(try await rolledUp(shop, endOf: day) == ended.last?.counts, "seed \(seed), \(day)")
            now = day.end + .hours(Int64(random.next(20)))
        }
        #expect(bought.count > 5)
        // No day has changed after its end.
        for (day, counts) in ended { #expect(try await rolledUp(shop, endOf: day) == counts, "\(day)") }
        let last = PacificDay(try await shop.store.now())
        try await checkStatistics(shop, through: last)
        try await ListedEntries(shop: shop).checkStatistics(
            from: PacificDay(Magazine.start), through: last, everyMonths: 4)
        try await checkRebuild(shop, days: ended.map(\.day))
    }

    // MARK: - Actions

    private func act(_ random: inout Dice, _ bought: inout [TransactionID], _ shop: TestStore) async throws {
        let account = "person\(random.next(6))"
        let id = bought.isEmpty ? nil : bought[random.next(bought.count)]
        do {
            switch random.next(12) {
            case 0...3:
                bought.append(try await shop.buy(Self.products[random.next(Self.products.count)], as: account).id)
            case 4: try await shop.account(account, payment: .declined)
            case 5: try await shop.account(account, payment: .valid)
            case 6...7:
                guard let id else { return }
                _ = try await shop.store.subscriptions.perform(
                    .setAutoRenew(random.next(3) == 0), on: original(id, shop))
            case 8:
                guard let id else { return }
                let product = Product.ID(rawValue: Self.products[random.next(Self.products.count)])
                _ = try await shop.store.subscriptions.perform(.change(product), on: original(id, shop))
            case 9:
                guard let id else { return }
                let last = try await shop.transactions(of: original(id, shop)).last
                _ = try await shop.store.refunds.refund(last?.id ?? id, Refund())
                if random.next(2) == 0 { _ = try await shop.store.refunds.reverse(last?.id ?? id) }
            case 10:
                guard let id else { return }
                _ = try await shop.store.subscriptions.perform(.expire, on: original(id, shop))
            default:
                guard let id else { return }
                _ = try await shop.store.refunds.reverse(id)
            }
        } catch is PurchaseRefusal {
        } catch is SubscriptionError {
        } catch is RefundError {
        } catch is StoreError {}
    }

    private func original(_ id: TransactionID, _ shop: TestStore) async throws -> TransactionID {
        try await shop.database.read { [environment = shop.store.environment.id] connection in
            let found = try TransactionsTable.transaction(
                id, app: TestCatalog.magazine().appleID, environment, on: connection)
            return found?.originalID ?? id
        }
    }

    // MARK: - Both sides

    /// Counts the store's subscriptions as its own tables say.
    private func counted(_ shop: TestStore) async throws -> [Counted: Int64] {
        try await shop.database.read { [environment = shop.store.environment.id] connection in
            let app = TestCatalog.magazine().appleID
            let page = try SubscriptionsTable.page(
                after: TransactionID(rawValue: 0), limit: 1000, app: app, environment, on: connection)
            var counts: [Counted: Int64] = [:]
            for subscription in page.subscriptions where subscription.ownership == .purchased {
                let state: ReportSnapshot.State
                switch subscription.state {
                case .active: state = .active
                case .gracePeriod: state = .gracePeriod
                case .billingRetry: state = .billingRetry
                case .expired, .revoked: continue
                }
                let transaction = try TransactionsTable.transaction(
                    subscription.current.transactionID, app: app, environment, on: connection)
                counts[
                    Counted(
                        product: subscription.product.id, state: state, offer: transaction?.offer,
                        price: subscription.current.price), default: 0] += 1
            }
            return counts
        }
    }

    private func rolledUp(_ shop: TestStore, endOf day: PacificDay) async throws -> [Counted: Int64] {
        try await shop.snapshots(endOf: day).reduce(into: [:]) { counts, row in
            let snapshot = row.snapshot
            counts[
                Counted(
                    product: snapshot.product, state: snapshot.state, offer: snapshot.offer,
                    price: snapshot.customerPrice), default: 0] += row.count
        }
    }

    // MARK: - Statistics

    private func checkStatistics(_ shop: TestStore, through last: PacificDay) async throws {
        let snapshots = try await shop.snapshots(endOf: last).flatMap { row in
            Array(repeating: row.snapshot, count: Int(row.count))
        }
        for dimension in [StatisticDimension.all, .product, .device] {
            let trials = try await shop.statistic(.trials, by: dimension)
            for row in trials.rows {
                let counts = row.counts
                #expect(counts[0] == counts[1] + counts[2] + counts[3], "\(row)")
            }
            var before: [String: Int64] = [:]
            for row in try await shop.statistic(.mrrMovement, by: dimension).rows {
                let (amounts, opening) = (row.counts, before[row.group] ?? 0)
                #expect(amounts[0...4].reduce(0, +) == amounts[5], "\(row)")
                #expect(opening + amounts[5] == amounts[6], "\(dimension) \(row)")
                before[row.group] = amounts[6]
            }
            let active = try await shop.statistic(.activeSubscriptions, by: dimension).rows.filter {
                $0.period == "\(last)"
            }
            #expect(active.reduce(0) { $0 + $1.counts[0] } == Int64(snapshots.filter(\.isPaid).count))
        }
        let mrr = try await shop.statistic(.mrr).rows.last?.counts[0] ?? 0
        #expect(mrr == snapshots.reduce(0) { $0 + $1.monthlyRevenue.milliunits })
        // Movements lead from one day to the next.
        var active: Int64 = 0
        for row in try await shop.statistic(.subscriptionMovement).rows {
            #expect(active + row.counts[2] == row.counts[3], "\(row)")
            active = row.counts[3]
        }
        let revenue = try await shop.statistic(.revenue).rows.reduce(0) { $0 + $1.counts[0] }
        let posted = try await shop.journal().flatMap(\.entry.postings).reduce(0) {
            $1.account == .customer ? $0 - $1.amount.milliunits : $0
        }
        #expect(revenue == posted)
    }

    /// Computes all roll-ups anew, and compares.
    private func checkRebuild(_ shop: TestStore, days: [PacificDay]) async throws {
        let before = try await answers(shop, days)
        let key = try await shop.rollUpKey()
        try await shop.store.rollUps.startRebuild(TestCatalog.bundleID)
        while try await shop.store.rollUps.work(on: key.app) {}
        #expect(try await shop.rollUpKey().generation > key.generation)
        #expect(try await answers(shop, days) == before)
    }

    private struct Answers: Hashable {
        var counts: [[Counted: Int64]] = []
        var events: [[SubscriptionReportEvent: Int64]] = []
        var statistics: [StatisticTable] = []
    }

    private func answers(_ shop: TestStore, _ days: [PacificDay]) async throws -> Answers {
        var answers = Answers()
        for day in days {
            answers.counts.append(try await rolledUp(shop, endOf: day))
            answers.events.append(
                Dictionary(uniqueKeysWithValues: try await shop.events(on: day).map { ($0.event, $0.quantity) }))
        }
        for statistic in Statistic.allCases { answers.statistics.append(try await shop.statistic(statistic)) }
        return answers
    }
}

/// Numbers that depend on a seed alone (xorshift64*).
private struct Dice {
    var state: UInt64

    mutating func next(_ count: Int) -> Int {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % count
    }
}

extension StatisticTable.Row {
    /// The numbers of the row, whatever their units.
    var counts: [Int64] {
        values.map { value in
            switch value {
            case .count(let amount)?, .money(let amount)?, .percent(let amount)?: amount
            case nil: 0
            }
        }
    }
}

extension TestStore {
    /// Returns a statistic of all days since the tests' start.
    func statistic(
        _ statistic: Statistic, by dimension: StatisticDimension = .all, _ interval: StatisticInterval = .day
    ) async throws -> StatisticTable {
        try await store.statistics.table(
            StatisticRequest(
                bundleID: TestCatalog.bundleID, statistic: statistic, from: PacificDay(Magazine.start),
                interval: interval, dimension: dimension))
    }

    /// Returns the transactions of a subscription, oldest first.
    func transactions(of original: TransactionID) async throws -> [Transaction] {
        try await database.read { [environment = store.environment.id] connection in
            let app = TestCatalog.magazine().appleID
            guard let first = try TransactionsTable.transaction(original, app: app, environment, on: connection) else {
                return []
            }
            let key = CustomerKey(environment: environment, app: app, account: first.accountID)
            return try TransactionsTable.all(of: key, on: connection).filter { $0.originalID == original }
        }
    }
}
