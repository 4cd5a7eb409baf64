import Foundation

/// What Get Notification History is asked for.
public struct NotificationHistoryRequest: Hashable, Sendable, Codable {
    /// From when on.
    @OptionalMilliseconds public var startDate: Date?
    /// Until when.
    @OptionalMilliseconds public var endDate: Date?
    /// Of this type only.
    public var notificationType: NotificationType?
    /// Of this subtype only; needs its type.
    public var notificationSubtype: NotificationSubtype?
    /// Of this transaction's customer and product line only.
    public var transactionId: String?
    /// The older name of ``transactionId``.
    public var originalTransactionId: String?
    /// Those that have not arrived only.
    public var onlyFailures: Bool?

    /// Asks for all of a span of time; what is optional is set afterwards.
    public init(startDate: Date?, endDate: Date?) {
        self.startDate = startDate
        self.endDate = endDate
    }
}

extension NotificationHistoryRequest {
    /// Reads a request, of which each field that is no such field has a number of its own.
    ///
    /// - Throws: ``ServerAPIError`` 4000000, 4000006, 4000015, 4000016, 4000018.
    package init(parsing body: ServerAPIRequestBody) throws {
        func date(_ name: String, _ code: ServerAPIErrorCode) throws -> Date? {
            try body.optional(name, code, "\(name) is a number of milliseconds since 1970", as: Milliseconds.self)?
                .wrappedValue
        }
        func text(_ name: String, _ code: ServerAPIErrorCode) throws -> String? {
            try body.optional(name, code, "\(name) is a string")
        }
        self.init(
            startDate: try date("startDate", .invalidStartDate), endDate: try date("endDate", .invalidEndDate))
        notificationType = try text("notificationType", .invalidNotificationType).map(NotificationType.init)
        notificationSubtype = try text("notificationSubtype", .invalidNotificationType).map(NotificationSubtype.init)
        transactionId = try text("transactionId", .invalidTransactionID)
        originalTransactionId = try text("originalTransactionId", .invalidTransactionID)
        onlyFailures = try body.optional("onlyFailures", .generalBadRequest, "onlyFailures is true or false")
    }
}

/// A notification as Get Notification History and Get Test Notification Status tell of it.
public struct NotificationHistoryItem: Hashable, Sendable, Codable {
    /// What was posted.
    public var signedPayload: String
    /// Every attempt, oldest first.
    public var sendAttempts: [SendAttemptItem]

    /// Makes an item.
    public init(signedPayload: String, sendAttempts: [SendAttemptItem]) {
        self.signedPayload = signedPayload
        self.sendAttempts = sendAttempts
    }

    /// The JSON of one item alone: what Get Test Notification Status answers.
    public func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: signedPayload.utf8.count + 512)
        write(to: &json)
        return json.bytes
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.beginArray("sendAttempts")
        for attempt in sendAttempts { attempt.write(to: &json) }
        json.endArray()
        json.string("signedPayload", signedPayload)
        json.endObject()
    }
}

/// What Get Notification History answers.
public struct NotificationHistoryResponse: Hashable, Sendable, Codable {
    /// At most 20.
    public var notificationHistory: [NotificationHistoryItem]
    /// Whether there are more.
    public var hasMore: Bool
    /// Asks for those.
    public var paginationToken: String?

    /// Makes a page.
    public init(notificationHistory: [NotificationHistoryItem], hasMore: Bool, paginationToken: String?) {
        self.notificationHistory = notificationHistory
        self.hasMore = hasMore
        self.paginationToken = paginationToken
    }

    /// The JSON, keys in a fixed order.
    public func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 4096)
        json.beginObject()
        json.bool("hasMore", hasMore)
        json.beginArray("notificationHistory")
        for item in notificationHistory { item.write(to: &json) }
        json.endArray()
        json.string("paginationToken", paginationToken)
        json.endObject()
        return json.bytes
    }
}
