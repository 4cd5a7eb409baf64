import Perennial

/// Renewal-date extensions for all subscribers of a product, with their progress.
package enum MassExtensionsTable {
    package struct Record: Hashable, Sendable {
        /// The request with the counts so far.
        package var request: MassExtension
        package var requested: Instant
        /// The original transaction up to which all subscriptions have been processed.
        package var reached: TransactionID
        package var completed: Instant?
        /// The position of the completion in the journal.
        package var journalPosition: Int64?

        package init(
            request: MassExtension, requested: Instant, reached: TransactionID = TransactionID(rawValue: 0),
            completed: Instant? = nil, journalPosition: Int64? = nil
        ) {
            self.request = request
            self.requested = requested
            self.reached = reached
            self.completed = completed
            self.journalPosition = journalPosition
        }
    }

    /// Inserts a request, unless one with the identifier exists.
    /// - Returns: False if one exists.
    package static func insert(
        _ record: Record, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Bool {
        let request = record.request
        return try connection.first(
            """
            INSERT INTO mass_extensions (environment, app, request_id, product, days, reason, storefronts, requested,
            reached, succeeded, failed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            ON CONFLICT (environment, app, request_id) DO NOTHING RETURNING 1
            """,
            [
                .integer(environment.rawValue), .integer(app), .text(request.request.requestID),
                .text(request.productID.rawValue), .integer(request.request.days),
                .integer(request.request.reason.rawValue),
                .text(request.storefronts.map(\.rawValue).sorted().joined(separator: " ")),
                .integer(record.requested.milliseconds), .integer(record.reached.rawValue),
                .integer(Int64(request.succeededCount)), .integer(Int64(request.failedCount)),
            ]
        ) { _ in true } ?? false
    }

    /// Writes the progress of a request.
    package static func update(
        _ record: Record, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.send(
            """
            UPDATE mass_extensions SET reached = $1, succeeded = $2, failed = $3, completed = $4, journal_position = $5
            WHERE environment = $6 AND app = $7 AND request_id = $8
            """,
            [
                .integer(record.reached.rawValue), .integer(Int64(record.request.succeededCount)),
                .integer(Int64(record.request.failedCount)), SQLValue(record.completed?.milliseconds),
                SQLValue(record.journalPosition), .integer(environment.rawValue), .integer(app),
                .text(record.request.request.requestID),
            ])
    }

    package static func record(
        _ requestID: String, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Record? {
        try connection.first(selectOne, [.integer(environment.rawValue), .integer(app), .text(requestID)], record)
    }

    /// Returns a request and locks it until the commit, so that one of several workers continues it.
    package static func lock(
        _ requestID: String, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Record? {
        try connection.first(lockOne, [.integer(environment.rawValue), .integer(app), .text(requestID)], record)
    }

    /// Returns the request whose completion is at a position of the app's journal.
    package static func record(
        completedAt position: Int64, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Record? {
        try connection.first(
            selectByPosition, [.integer(environment.rawValue), .integer(app), .integer(position)], record)
    }

    /// Returns the incomplete requests, oldest first, each with its app's number.
    package static func open(
        _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [(app: Int64, requestID: String)] {
        try connection.query(
            """
            SELECT app, request_id FROM mass_extensions WHERE environment = $1 AND completed IS NULL
            ORDER BY requested, app, request_id
            """, [.integer(environment.rawValue)]
        ) { (app: try $0.integer(0), requestID: try $0.text(1)) }
    }

    private static let columns = """
        request_id, product, days, reason, storefronts, requested, reached, succeeded, failed, completed, journal_position
        """
    private static let ofApp = "SELECT \(columns) FROM mass_extensions WHERE environment = $1 AND app = $2"
    private static let selectOne = SQL("\(ofApp) AND request_id = $3")
    private static let lockOne = SQL("\(ofApp) AND request_id = $3 /*FOR UPDATE*/")
    private static let selectByPosition = SQL("\(ofApp) AND journal_position = $3")

    private static func record(_ row: any Row) throws -> Record {
        let number = try row.integer(3)
        guard let reason = RenewalExtension.Reason(rawValue: number) else {
            throw StorageError(.corrupt, "mass_extensions", "\(number) is no reason of an extension")
        }
        let request = RenewalExtension(days: try row.integer(2), reason: reason, requestID: try row.text(0))
        return Record(
            request: MassExtension(
                productID: Product.ID(rawValue: try row.text(1)),
                storefronts: Set(try row.text(4).split(separator: " ").map { Storefront(rawValue: String($0)) }),
                request: request, succeededCount: Int(try row.integer(7)), failedCount: Int(try row.integer(8))),
            requested: try row.instant(5), reached: TransactionID(rawValue: try row.integer(6)),
            completed: try row.optionalInstant(9), journalPosition: try row.optionalInteger(10))
    }
}
