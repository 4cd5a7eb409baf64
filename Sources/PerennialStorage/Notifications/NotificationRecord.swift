import Perennial

/// A server notification with its contents and attempts.
package struct NotificationRecord: Sendable, Equatable {
    /// The position of its journal entry, and its part: in version 1 an entry can have several notifications.
    package struct Key: Sendable, Hashable, Comparable {
        package var position: Int64
        package var part: Int64

        package init(position: Int64, part: Int64) {
            self.position = position
            self.part = part
        }

        package static func < (one: Key, other: Key) -> Bool {
            (one.position, one.part) < (other.position, other.part)
        }
    }

    /// An attempt to send it.
    package struct Attempt: Sendable, Equatable {
        package var at: Instant
        /// The Server API's name of the result.
        package var result: String
        package var httpStatus: Int64?
        /// The receiver's response, which is read from a table of its own: `nil` in lists, and if there was none.
        package var response: Response?

        package init(at: Instant, result: String, httpStatus: Int64?, response: Response? = nil) {
            self.at = at
            self.result = result
            self.httpStatus = httpStatus
            self.response = response
        }
    }

    /// The beginning of a receiver's response, as text that can be shown.
    package struct Response: Sendable, Hashable {
        /// A status line such as `HTTP/1.1 503 Service Unavailable`.
        package var statusLine: String
        package var body: String
        /// True if the body was longer.
        package var isTruncated: Bool

        package init(statusLine: String, body: String, isTruncated: Bool) {
            self.statusLine = statusLine
            self.body = body
            self.isTruncated = isTruncated
        }
    }

    package var key: Key
    package var uuid: String
    /// The version of notifications: 1 or 2.
    package var version: Int64
    package var type: String
    package var subtype: String?
    package var account: Account.ID
    package var originalID: TransactionID?
    package var transactionID: TransactionID?
    package var signed: Instant
    package var content: NotificationContent
    /// The signatures made for the first attempt, so that every attempt has the same bytes.
    package var signatures: [UInt8]?
    package var attempts: [Attempt]
    /// The time of the next attempt; `nil` if there is none.
    package var nextAttempt: Instant?

    package init(
        key: Key, uuid: String, version: Int64, type: String, subtype: String?, account: Account.ID,
        originalID: TransactionID?, transactionID: TransactionID?, signed: Instant,
        content: NotificationContent = NotificationContent(), signatures: [UInt8]? = nil, attempts: [Attempt] = [],
        nextAttempt: Instant?
    ) {
        self.key = key
        self.uuid = uuid
        self.version = version
        self.type = type
        self.subtype = subtype
        self.account = account
        self.originalID = originalID
        self.transactionID = transactionID
        self.signed = signed
        self.content = content
        self.signatures = signatures
        self.attempts = attempts
        self.nextAttempt = nextAttempt
    }
}

extension NotificationRecord.Attempt {
    /// Encodes attempts for their one column: there are few, and they are read and written together.
    static func text(_ attempts: [Self]) -> String {
        attempts.map { attempt in
            let status = attempt.httpStatus.map { " \($0)" } ?? ""
            return "\(attempt.at.milliseconds) \(attempt.result)\(status)"
        }.joined(separator: "\n")
    }

    static func attempts(_ text: String) throws -> [Self] {
        try text.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            guard words.count >= 2, let at = Int64(words[0]) else {
                throw StorageError(.corrupt, "notifications", "“\(line)” is no attempt")
            }
            return Self(
                at: Instant(milliseconds: at), result: String(words[1]),
                httpStatus: words.count > 2 ? Int64(words[2]) : nil)
        }
    }
}
