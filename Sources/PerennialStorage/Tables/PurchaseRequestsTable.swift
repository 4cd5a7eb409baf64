import Crypto
import Foundation
import Perennial

/// What became of each purchase request that carried an idempotency key. Kept for good: the same key is the same purchase.
package enum PurchaseRequestsTable {
    package enum Outcome: Sendable, Equatable {
        case sold(TransactionID)
        case refused(PurchaseRefusal.Code, reason: String)
    }

    /// What is kept of an idempotency key, and of what was asked with it: enough to know them again.
    ///
    /// 128 bits of SHA-256, so that nobody finds two keys with the same.
    package struct Digest: Sendable, Equatable {
        fileprivate static let length = 16

        package let bytes: [UInt8]

        package init(of text: String) {
            var text = text
            bytes = text.withUTF8 { Array(SHA256.hash(data: UnsafeRawBufferPointer($0)).prefix(Self.length)) }
        }

        fileprivate init(stored bytes: [UInt8]) {
            self.bytes = bytes
        }
    }

    /// What a request with an idempotency key is known by.
    package struct Identity: Sendable, Equatable {
        package var key: Digest
        package var request: Digest

        /// Nothing for a request that has no key.
        package init?(of request: PurchaseRequest) {
            guard let key = request.idempotencyKey else { return nil }
            self.key = Digest(of: key)
            self.request = Digest(of: request.fingerprint)
        }
    }

    package struct Record: Sendable, Equatable {
        package var request: Digest
        package var outcome: Outcome

        package init(request: Digest, outcome: Outcome) {
            self.request = request
            self.outcome = outcome
        }
    }

    package static func record(
        forKey key: Digest, of customer: CustomerKey, on connection: any Connection
    ) throws -> Record? {
        try connection.first(
            """
            SELECT request_digest, transaction_id, refusal, refusal_reason FROM purchase_requests
            WHERE environment = $1 AND app = $2 AND account = $3 AND key_digest = $4
            """, customer.values + [.blob(key.bytes)]
        ) { row in
            let request = Digest(stored: try row.blob(0))
            if let id = try row.optionalInteger(1) {
                return Record(request: request, outcome: .sold(TransactionID(rawValue: id)))
            }
            return Record(request: request, outcome: .refused(try row.value(2), reason: try row.text(3)))
        }
    }

    /// Notes a key with what is to come of it, unless it was used before.
    ///
    /// - Returns: False for a key that was used before; nothing is changed then.
    package static func claim(
        _ identity: Identity, for id: TransactionID, of customer: CustomerKey, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            """
            INSERT INTO purchase_requests (environment, app, account, key_digest, request_digest, transaction_id)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (environment, app, account, key_digest) DO NOTHING
            """,
            customer.values + [.blob(identity.key.bytes), .blob(identity.request.bytes), .integer(id.rawValue)]) == 1
    }

    /// Writes what came of a claimed key, where it isn't what was to come of it.
    package static func update(
        _ outcome: Outcome, forKey key: Digest, of customer: CustomerKey, on connection: any Connection
    ) throws {
        let values: [SQLValue] =
            switch outcome {
            case .sold(let id): [.integer(id.rawValue), .null, .null]
            case .refused(let code, let reason): [.null, .text(code.rawValue), .text(reason)]
            }
        try connection.execute(
            """
            UPDATE purchase_requests SET transaction_id = $1, refusal = $2, refusal_reason = $3
            WHERE environment = $4 AND app = $5 AND account = $6 AND key_digest = $7
            """, values + customer.values + [.blob(key.bytes)])
    }
}
