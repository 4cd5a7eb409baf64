import Foundation
import Perennial

/// Purchases that wait for approval (Ask to Buy) or for the customer.
package enum PendingPurchasesTable {
    package struct Record: Sendable {
        package var id: Int64
        package var customer: CustomerKey
        /// The purchase to make when it is approved.
        package var request: PurchaseRequest
        package var pending: PendingPurchase

        package init(id: Int64, customer: CustomerKey, request: PurchaseRequest, pending: PendingPurchase) {
            self.id = id
            self.customer = customer
            self.request = request
            self.pending = pending
        }
    }

    package static func put(_ record: Record, on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO pending_purchases (environment, app, account, id, product, request, state, waits_until)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (environment, app, id) DO UPDATE SET request = excluded.request, state = excluded.state,
            waits_until = excluded.waits_until
            """,
            record.customer.values + [
                .integer(record.id), .text(record.request.productID.rawValue), .text(try text(record.request)),
                .text(try text(record.pending)), SQLValue(waitsUntil(record.pending)),
            ])
    }

    /// Returns the end of the wait in milliseconds; `nil` if it is over.
    private static func waitsUntil(_ pending: PendingPurchase) -> Int64? {
        guard case .waiting = pending.state else { return nil }
        return pending.nextDue?.milliseconds ?? .max
    }

    /// Returns all of a customer's, ended ones too, oldest first.
    package static func all(of key: CustomerKey, on connection: any Connection) throws -> [Record] {
        try connection.query(
            """
            SELECT id, account, request, state FROM pending_purchases
            WHERE environment = $1 AND app = $2 AND account = $3 ORDER BY id
            """, key.values
        ) { try record($0, environment: key.environment, app: key.app) }
    }

    /// Returns a customer's waiting purchases of one cause, oldest first.
    package static func waiting(
        of key: CustomerKey, _ cause: PendingPurchase.Cause, at now: Instant, on connection: any Connection
    ) throws -> [Record] {
        try connection.query(
            """
            SELECT id, account, request, state FROM pending_purchases
            WHERE environment = $1 AND app = $2 AND account = $3 AND waits_until > $4 ORDER BY id
            """, key.values + [.integer(now.milliseconds)]
        ) { try record($0, environment: key.environment, app: key.app) }.filter {
            $0.pending.waits(for: cause, at: now)
        }
    }

    /// Returns an app's first waiting purchases of one cause, oldest first. Ended ones don't count towards the limit.
    package static func waiting(
        app: Int64, _ environment: StoreEnvironment.ID, _ cause: PendingPurchase.Cause, at now: Instant, limit: Int,
        on connection: any Connection
    ) throws -> [Record] {
        var found: [Record] = []
        var last = Int64.min
        while found.count < limit {
            let page = try connection.query(
                """
                SELECT id, account, request, state FROM pending_purchases
                WHERE environment = $1 AND app = $2 AND waits_until > $3 AND id > $4 ORDER BY id LIMIT $5
                """,
                [
                    .integer(environment.rawValue), .integer(app), .integer(now.milliseconds), .integer(last),
                    .integer(Int64(limit)),
                ]
            ) { try record($0, environment: environment, app: app) }
            guard let end = page.last else { break }
            last = end.id
            found += page.filter { $0.pending.waits(for: cause, at: now) }
        }
        return Array(found.prefix(limit))
    }

    /// A waiting purchase without what is bought.
    package struct Wait: Sendable {
        package var id: Int64
        fileprivate var until: Int64

        /// Returns true if it waits for a cause: one that has lapsed doesn't.
        package func isOpen(for cause: PendingPurchase.Cause, at now: Instant) -> Bool {
            until > now.milliseconds && (until == .max) == (cause == .interruption)
        }
    }

    /// Returns an app's purchases after a number that wait or have lapsed without an answer, oldest first.
    package static func waits(
        after id: Int64, limit: Int, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Wait] {
        try connection.query(
            """
            SELECT id, waits_until FROM pending_purchases
            WHERE environment = $1 AND app = $2 AND waits_until IS NOT NULL AND id > $3 ORDER BY id LIMIT $4
            """, [.integer(environment.rawValue), .integer(app), .integer(id), .integer(Int64(limit))]
        ) { Wait(id: try $0.integer(0), until: try $0.integer(1)) }
    }

    package static func record(
        _ id: Int64, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> Record? {
        try connection.first(
            "SELECT id, account, request, state FROM pending_purchases WHERE environment = $1 AND app = $2 AND id = $3",
            [.integer(environment.rawValue), .integer(app), .integer(id)]
        ) { try record($0, environment: environment, app: app) }
    }

    private static func record(_ row: any Row, environment: StoreEnvironment.ID, app: Int64) throws -> Record {
        Record(
            id: try row.integer(0),
            customer: CustomerKey(
                environment: environment, app: app, account: Account.ID(rawValue: try row.integer(1))),
            request: try JSONDecoder().decode(PurchaseRequest.self, from: Data(try row.text(2).utf8)),
            pending: try JSONDecoder().decode(PendingPurchase.self, from: Data(try row.text(3).utf8)))
    }

    private static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
