import Perennial

/// What became of each purchase request that carried an idempotency key. Kept for good: the same key is the same purchase.
package enum PurchaseRequestsTable {
    package enum Outcome: Sendable, Equatable {
        case sold(TransactionID)
        case refused(PurchaseRefusal.Code, reason: String)
    }

    package struct Record: Sendable, Equatable {
        package var fingerprint: String
        package var outcome: Outcome

        package init(fingerprint: String, outcome: Outcome) {
            self.fingerprint = fingerprint
            self.outcome = outcome
        }
    }

    package static func record(
        forKey idempotencyKey: String, of customer: CustomerKey, on connection: any Connection
    ) throws -> Record? {
        try connection.first(
            """
            SELECT fingerprint, transaction_id, refusal, refusal_reason FROM purchase_requests
            WHERE environment = $1 AND app = $2 AND account = $3 AND idempotency_key = $4
            """, customer.values + [.text(idempotencyKey)]
        ) { row in
            if let id = try row.optionalInteger(1) {
                return Record(fingerprint: try row.text(0), outcome: .sold(TransactionID(rawValue: id)))
            }
            return Record(
                fingerprint: try row.text(0), outcome: .refused(try row.value(2), reason: try row.text(3)))
        }
    }

    package static func insert(
        _ record: Record, key idempotencyKey: String, of customer: CustomerKey, on connection: any Connection
    ) throws {
        let outcome: [SQLValue] =
            switch record.outcome {
            case .sold(let id): [.integer(id.rawValue), .null, .null]
            case .refused(let code, let reason): [.null, .text(code.rawValue), .text(reason)]
            }
        try connection.execute(
            """
            INSERT INTO purchase_requests
            (environment, app, account, idempotency_key, fingerprint, transaction_id, refusal, refusal_reason)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """, customer.values + [.text(idempotencyKey), .text(record.fingerprint)] + outcome)
    }
}
