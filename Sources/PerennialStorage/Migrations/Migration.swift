/// A step in the history of the schema, run once on each database in a transaction of its own.
package struct Migration: Sendable, Hashable {
    /// The place in the history, from 1 upwards.
    package let number: Int
    package let name: String
    /// Statements that both engines understand.
    package let statements: [String]
    /// A step after the statements, of which SQL isn't capable.
    package let conversion: Conversion?
    /// True if nodes of the version before, which doesn't know the migration, go on beside it and after it.
    ///
    /// Such a migration only adds: tables, indexes, and columns that have a default and that the earlier version's statements
    /// don't have to know. The rules of the new version must bear with rows that the earlier one goes on writing.
    package let allowsEarlierNodes: Bool

    package init(
        number: Int, name: String, allowsEarlierNodes: Bool = false, statements: [String],
        conversion: Conversion? = nil
    ) {
        self.number = number
        self.name = name
        self.allowsEarlierNodes = allowsEarlierNodes
        self.statements = statements
        self.conversion = conversion
    }

    /// A change of stored documents.
    package enum Conversion: Sendable, Hashable {
        /// Moves products from the apps' definitions to rows of their own.
        case productsOfApps
        /// Creates an index that only PostgreSQL needs.
        case accountsByName
        /// Moves changes of products from the environments' settings to rows of their own.
        case productChangesOfSettings

        func run(on connection: any Connection) throws {
            switch self {
            case .productsOfApps: try ProductsOfApps.run(on: connection)
            case .accountsByName: try AccountsByName.run(on: connection)
            case .productChangesOfSettings: try ProductChangesOfSettings.run(on: connection)
            }
        }
    }
}

extension Migration {
    /// All migrations, oldest first. A migration never changes once it has landed; a new one follows it.
    package static var all: [Migration] {
        [
            .initial, .delivery, .subscriptions, .pendingPurchases, .families, .keys, .time, .serverAPI, .offers,
            .reminders, .notifications, .history, .claims, .cancellations, .turns, .quarantine, .signingRoot,
            .refundedRepeats, .saleFacts, .prices, .salesRollUps, .subscriptionRollUps, .finance, .connectKeys,
            .downloads, .catalog, .team, .review, .console, .lists, .productChanges,
            .changes, .nodes, .notificationResponses, .askToBuy, .grants, .statisticEntries, .certificates,
        ]
    }
}
