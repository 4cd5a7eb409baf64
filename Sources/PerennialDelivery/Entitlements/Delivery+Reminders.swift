import Logging
import Perennial
import PerennialStorage

extension Delivery {
    /// Number of reminders in one answer.
    package static let remindersPerPage = 200
    /// Longest time before a term's end for a reminder; a limit of ours.
    package static let longestReminderTime: Int64 = .days(366)

    /// Records a reminder for each term that ends within a time and has no successor. Each term gets one reminder, however many
    /// workers run at once.
    ///
    /// - Parameter milliseconds: Time before a term's end.
    /// - Returns: The number of new reminders.
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

    /// Returns the reminders after a position, oldest first, at most ``remindersPerPage``.
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

/// Records reminders periodically.
package struct ReminderScheduler: Sendable {
    private let delivery: Delivery
    private let milliseconds: Int64
    private let pause: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - milliseconds: Time before a term's end.
    ///   - pause: Waits for the next run; throws to end.
    package init(
        delivery: Delivery, within milliseconds: Int64, pause: @escaping @Sendable () async throws -> Void
    ) {
        self.delivery = delivery
        self.milliseconds = milliseconds
        self.pause = pause
    }

    /// Runs until `pause` throws.
    package func run() async {
        repeat {
            do {
                try await delivery.remind(within: milliseconds)
            } catch {
                delivery.logger.error(
                    "reminders failed and will be tried again", metadata: ["error": "\(error)"])
            }
        } while (try? await pause()) != nil
    }
}
