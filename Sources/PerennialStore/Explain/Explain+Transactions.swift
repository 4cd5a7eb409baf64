import Perennial
import PerennialStorage

/// A transaction's journal entries with their money, and the rows of reports to which they add.
package struct TransactionExplanation: Sendable {
    package struct Item: Sendable {
        package var position: Int64
        package var entry: JournalEntry
        /// The Pacific day by which Sales and Trends counts the entry.
        package var day: PacificDay
        /// The fiscal month to which it belongs, and true if that is later than its day's, because that was closed.
        package var fiscalMonth: FiscalMonth
        package var isAdjustment: Bool
        /// The rows of Sales and Trends to which the entry adds.
        package var rows: [SalesTotal]
        package var rules: [MoneyRule]
    }

    package var bundleID: App.BundleID
    package var transaction: Transaction
    /// The account's name.
    package var account: String
    package var items: [Item]
    /// The sums of all postings of the transaction by account of the ledger.
    package var sums: [(account: Posting.Account, amount: Money)]
}

extension Explain {
    /// The most entries of one transaction that are listed.
    private static let maximumEntries = 1000

    /// Explains a transaction.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`.
    package func transaction(_ id: TransactionID) async throws -> TransactionExplanation {
        let found = try await database.read { [self] connection in try self.found(id, on: connection) }
        guard let found else {
            throw StoreError(.transactionNotFound, "\(id)", "there is no transaction of that number")
        }
        let key = try await rollUps.bringUpToDate(found.app)
        let positions = try await database.read { [environment] connection in
            try JournalTable.positions(
                of: id, limit: Self.maximumEntries, app: found.app.appleID, environment.id, on: connection)
        }
        let classifier = SalesClassifier(found.app)
        var items: [TransactionExplanation.Item] = []
        try await stream(at: positions, of: found.app, key) { entry in
            let day = PacificDay(entry.entry.at)
            let fiscal = found.assignment.month(of: day, at: entry.position)
            items.append(
                TransactionExplanation.Item(
                    position: entry.position, entry: entry.entry, day: day, fiscalMonth: fiscal.month,
                    isAdjustment: fiscal.isAdjustment,
                    rows: classifier.totals(of: entry.entry, entry.transaction, refunding: entry.sale?.facts),
                    rules: MoneyRule.rules(
                        of: entry.entry, entry.transaction, sale: entry.sale?.facts, in: found.app)))
        }
        return TransactionExplanation(
            bundleID: found.app.bundleID, transaction: found.transaction, account: found.account, items: items,
            sums: items.flatMap(\.entry.postings).sums)
    }

    private struct Found: Sendable {
        var app: App
        var transaction: Transaction
        var account: String
        var assignment: FiscalAssignment
    }

    private func found(_ id: TransactionID, on connection: any Connection) throws -> Found? {
        for app in try catalog.all(on: connection).map(\.app) {
            let transaction = try TransactionsTable.transaction(id, app: app.appleID, environment.id, on: connection)
            guard let transaction else { continue }
            let account = try AccountsTable.account(transaction.accountID, environment.id, on: connection)
            return Found(
                app: app, transaction: transaction, account: account?.name ?? "",
                assignment: try fiscalAssignment(of: app, on: connection))
        }
        return nil
    }

    /// Returns the fiscal months of an app's entries.
    func fiscalAssignment(of app: App, on connection: any Connection) throws -> FiscalAssignment {
        let closings = try ClosedMonthsTable.closings(environment.id, on: connection)
        return FiscalAssignment(
            closings: closings.compactMap { closing in
                closing.positions[app.appleID].map { (month: closing.month, position: $0) }
            })
    }
}
