import Crypto
import Foundation
import Perennial

/// Outcomes of purchase requests with an idempotency key. They are kept for ever: the same key is the same purchase.
package enum PurchaseRequestsTable {
    package enum Outcome: Sendable, Equatable {
        case sold(TransactionID)
        case refused(PurchaseRefusal.Code, reason: String)
    }

    /// A digest of an idempotency key or of a request: 128 bits of SHA-256, for which no collisions are known.
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

    /// The digests that identify a request with an idempotency key.
    package struct Identity: Sendable, Equatable {
        package var key: Digest
        package var request: Digest

        /// Returns `nil` for a request without a key.
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

    /// Reserves a key with its expected outcome, unless it was used before.
    ///
    /// - Returns: False if the key was used before; then nothing is changed.
    package static func reserve(
        _ identity: Identity, for id: TransactionID, of customer: CustomerKey, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            """
            INSERT INTO purchase_requests (environment, app, account, key_digest, request_digest, transaction_id)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (environment, app, account, key_digest) DO NOTHING
            """,
            customer.values + [.blob(identity.key.bytes), .blob(identity.request.bytes), .integer(id.rawValue)]) == 1
    }

    /// A reservation that is announced: it runs before the body that asks for it, which may be unable to name the customer.
    ///
    /// Its row is there only if the key was reserved. Otherwise ``reserve(_:for:of:on:)`` finds out why.
    package struct AnnouncedReservation: Sendable {
        package let read: AnnouncedRead
        package let transactionID: TransactionID

        /// Reserves a key of the customer who is signed in on a device with ``PurchaseRequestsTable/reserve(_:for:of:on:)``.
        package init(
            _ identity: Identity, for id: TransactionID, tokenDigest: [UInt8], _ environment: StoreEnvironment.ID
        ) {
            transactionID = id
            read = AnnouncedRead(
                """
                INSERT INTO purchase_requests (environment, app, account, key_digest, request_digest, transaction_id)
                SELECT environment, app, account, $1, $2, $3 FROM devices
                WHERE environment = $4 AND token_digest = $5 AND is_installed = 1
                ON CONFLICT (environment, app, account, key_digest) DO NOTHING RETURNING account
                """,
                [
                    .blob(identity.key.bytes), .blob(identity.request.bytes), .integer(id.rawValue),
                    .integer(environment.rawValue), .blob(tokenDigest),
                ])
        }

        /// Reserves a key of a customer.
        package init(_ identity: Identity, for id: TransactionID, of customer: CustomerKey) {
            transactionID = id
            read = AnnouncedRead(
                """
                INSERT INTO purchase_requests (environment, app, account, key_digest, request_digest, transaction_id)
                VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (environment, app, account, key_digest) DO NOTHING
                RETURNING account
                """,
                customer.values + [
                    .blob(identity.key.bytes), .blob(identity.request.bytes), .integer(id.rawValue),
                ])
        }

        /// Returns true if the key was reserved.
        package func isMade(of customer: CustomerKey, on connection: any Connection) throws -> Bool {
            guard let account = try read.first(on: connection, { try $0.integer(0) }) else { return false }
            guard account == customer.account.rawValue else {
                throw StorageError(.serialization, "purchase_requests", "The device belongs to another account now.")
            }
            return true
        }
    }

    /// Writes the outcome of a reserved key, if it isn't the expected one.
    package static func update(
        _ outcome: Outcome, forKey key: Digest, of customer: CustomerKey, on connection: any Connection
    ) throws {
        let values: [SQLValue] =
            switch outcome {
            case .sold(let id): [.integer(id.rawValue), .null, .null]
            case .refused(let code, let reason): [.null, .text(code.rawValue), .text(reason)]
            }
        try connection.send(
            """
            UPDATE purchase_requests SET transaction_id = $1, refusal = $2, refusal_reason = $3
            WHERE environment = $4 AND app = $5 AND account = $6 AND key_digest = $7
            """, values + customer.values + [.blob(key.bytes)])
    }
}

/// References of Advanced Commerce requests: each is used once.
package enum AdvancedCommerceRequestsTable {
    /// Inserts a reference.
    /// - Returns: False if it was used before.
    package static func insert(
        _ reference: String, at now: Instant, _ key: AppKey, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            """
            INSERT INTO advanced_commerce_requests (environment, app, reference, received) VALUES ($1, $2, $3, $4)
            ON CONFLICT (environment, app, reference) DO NOTHING
            """, key.values + [.text(reference), .integer(now.milliseconds)]) > 0
    }
}
