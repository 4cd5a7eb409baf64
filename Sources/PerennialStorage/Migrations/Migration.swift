/// A step in the history of the schema, run once on each database in a transaction of its own.
package struct Migration: Sendable, Hashable {
    /// The place in the history, from 1 upwards.
    package let number: Int
    package let name: String
    /// Statements that both engines understand.
    package let statements: [String]

    package init(number: Int, name: String, statements: [String]) {
        self.number = number
        self.name = name
        self.statements = statements
    }
}

extension Migration {
    /// All migrations, oldest first. A migration never changes once it has landed; a new one follows it.
    package static var all: [Migration] {
        [
            .initial, .delivery, .subscriptions, .pendingPurchases, .families, .keys, .time, .serverAPI, .offers,
            .reminders, .notifications, .history, .claims, .cancellations, .turns, .quarantine, .signingRoot,
            .refundedRepeats, .saleFacts, .prices, .salesRollUps, .subscriptionRollUps, .finance, .connectKeys,
            .downloads,
        ]
    }
}
