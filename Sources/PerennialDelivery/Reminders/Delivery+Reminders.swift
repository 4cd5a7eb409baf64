import Perennial
import PerennialStorage

extension Delivery {
    /// How many reminders one answer lists.
    package static let remindersPerPage = 200
    /// A limit of ours on how long before its end a term is reminded of.
    package static let longestReminderTime: Int64 = .days(366)

    /// Writes a reminder for each term that ends within so many milliseconds and isn't followed by another: once for
    /// each, however often and by however many workers this is called.
    ///
    /// - Returns: How many were made.
    @discardableResult
    package func remind(within milliseconds: Int64) async throws -> Int {
        let apps = catalog().entries.keys.sorted { $0.rawValue < $1.rawValue }
        var made = 0
        for bundleID in apps {
            for environment in StoreEnvironment.Kind.allCases where environments.contains(environment) {
                let scope = DeliveryScope(environment: environment, bundleID: bundleID)
                let expiring = try await expiringTerms(within: min(milliseconds, Self.longestReminderTime), scope)
                guard !expiring.isEmpty else { continue }
                let now = clock()
                made += try await database.write { connection in
                    var count = 0
                    for item in expiring
                    where try !DeliveryRemindersTable.contains(item.term.transactionID, scope, on: connection) {
                        try DeliveryRemindersTable.append(item.term, of: item.customer, scope, at: now, on: connection)
                        count += 1
                    }
                    return count
                }
            }
        }
        return made
    }

    /// The reminders after a position, in the order in which they were made; at most ``remindersPerPage``.
    ///
    /// - Throws: ``DeliveryError`` with `appNotFound`.
    package func reminders(after position: Int64, _ scope: DeliveryScope) async throws
        -> [DeliveryRemindersTable.Record]
    {
        _ = try catalog().entry(scope.bundleID)
        return try await database.read { connection in
            try DeliveryRemindersTable.all(
                after: position, limit: Self.remindersPerPage, scope, on: connection)
        }
    }
}
