import Perennial

extension TransactionsTable {
    /// A transaction's place in its customer's history, which is in the order of changes.
    ///
    /// With each change a transaction moves to the end, so a place also identifies a state of the transaction.
    package struct Place: Hashable, Comparable, Sendable {
        /// The revision of the customer's purchases at the last change; 0 for changes before migration 12.
        package var modified: Int64
        package var id: TransactionID

        package init(modified: Int64, id: TransactionID) {
            self.modified = modified
            self.id = id
        }

        package static func < (one: Place, other: Place) -> Bool {
            (one.modified, one.id) < (other.modified, other.id)
        }
    }

    /// Conditions on a customer's transactions: those match that meet all that are set.
    package struct HistoryFilter: Hashable, Sendable {
        /// The earliest purchase date.
        package var from: Instant?
        /// The end of purchase dates, itself excluded.
        package var until: Instant?
        /// The allowed products; empty for all. Likewise for types and groups.
        package var products: [Product.ID] = []
        package var types: [ProductType] = []
        package var groups: [String] = []
        package var ownership: Transaction.Ownership?
        package var isRevoked: Bool?
        package var omitsFinishedConsumables = false
        package var isDescending = false

        package init() {}
    }

    /// Returns the places of a customer's transactions after a place, in the filter's order.
    package static func places(
        of key: CustomerKey, _ filter: HistoryFilter, after place: Place?, limit: Int, on connection: any Connection
    ) throws -> [Place] {
        var query = HistoryQuery(of: key)
        query.add(filter)
        query.add(place, isDescending: filter.isDescending, limit: limit)
        return try connection.query(SQL(query.text), query.values) { row in
            Place(modified: try row.integer(0), id: TransactionID(rawValue: try row.integer(1)))
        }
    }

    /// Returns the place of a transaction in its customer's history.
    package static func place(
        of id: TransactionID, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Place? {
        try readingPlace(of: id, app: app, environment).first(on: connection) {
            Place(modified: try $0.integer(0), id: id)
        }
    }

    /// The statement of ``place(of:app:_:on:)``.
    package static func readingPlace(
        of id: TransactionID, app: Int64, _ environment: StoreEnvironment.ID
    ) -> AnnouncedRead {
        AnnouncedRead(selectPlace, [.integer(environment.rawValue), .integer(app), .integer(id.rawValue)])
    }

    /// Returns the account of a transaction.
    package static func account(
        of id: TransactionID, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Account.ID? {
        try readingAccount(of: id, app: app, environment).first(on: connection) {
            Account.ID(rawValue: try $0.integer(0))
        }
    }

    /// The statement of ``account(of:app:_:on:)``.
    package static func readingAccount(
        of id: TransactionID, app: Int64, _ environment: StoreEnvironment.ID
    ) -> AnnouncedRead {
        AnnouncedRead(selectAccount, [.integer(environment.rawValue), .integer(app), .integer(id.rawValue)])
    }

    private static let selectPlace = SQL(
        "SELECT modified FROM transactions WHERE environment = $1 AND app = $2 AND id = $3")
    private static let selectAccount = SQL(
        "SELECT account FROM transactions WHERE environment = $1 AND app = $2 AND id = $3")
}

/// Builds the statement of a filter. Without conditions the customer's index alone answers it.
private struct HistoryQuery {
    private(set) var text: String
    private(set) var values: [SQLValue]

    init(of key: CustomerKey) {
        text = "SELECT modified, id FROM transactions WHERE environment = $1 AND app = $2 AND account = $3"
        values = key.values
    }

    mutating func add(_ filter: TransactionsTable.HistoryFilter) {
        if let from = filter.from { add("purchased >=", .integer(from.milliseconds)) }
        if let until = filter.until { add("purchased <", .integer(until.milliseconds)) }
        add("product", filter.products.map { .text($0.rawValue) })
        add("type", filter.types.map { .text($0.rawValue) })
        add("subscription_group", filter.groups.map { .text($0) })
        if let ownership = filter.ownership { add("ownership =", .text(ownership.rawValue)) }
        if let isRevoked = filter.isRevoked { text += " AND revoked IS \(isRevoked ? "NOT NULL" : "NULL")" }
        if filter.omitsFinishedConsumables {
            text += " AND NOT (is_finished = 1 AND type = \(mark(.text(ProductType.consumable.rawValue))))"
        }
    }

    mutating func add(_ place: TransactionsTable.Place?, isDescending: Bool, limit: Int) {
        if let place {
            let (modified, id) = (mark(.integer(place.modified)), mark(.integer(place.id.rawValue)))
            text += " AND (modified, id) \(isDescending ? "<" : ">") (\(modified), \(id))"
        }
        let direction = isDescending ? " DESC" : ""
        text += " ORDER BY modified\(direction), id\(direction) LIMIT \(mark(.integer(Int64(limit))))"
    }

    private mutating func add(_ condition: String, _ value: SQLValue) {
        text += " AND \(condition) \(mark(value))"
    }

    private mutating func add(_ column: String, _ choices: [SQLValue]) {
        guard !choices.isEmpty else { return }
        var marks: [String] = []
        for choice in choices { marks.append(mark(choice)) }
        text += " AND \(column) IN (\(marks.joined(separator: ", ")))"
    }

    private mutating func mark(_ value: SQLValue) -> String {
        values.append(value)
        return "$\(values.count)"
    }
}
