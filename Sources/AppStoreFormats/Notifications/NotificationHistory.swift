import FastJSON
import Foundation

/// The body of Get Notification History.
public struct NotificationHistoryRequest: Hashable, Sendable, Codable {
    /// The beginning of the time range.
    @OptionalMilliseconds public var startDate: Date?
    /// The end of the time range.
    @OptionalMilliseconds public var endDate: Date?
    /// The type of the notifications to return; all types if missing.
    public var notificationType: NotificationType?
    /// The subtype of the notifications to return; requires the type.
    public var notificationSubtype: NotificationSubtype?
    /// A transaction: returns notifications of its customer and product line only.
    public var transactionId: String?
    /// The older name of ``transactionId``.
    public var originalTransactionId: String?
    /// True to return only notifications that were not delivered.
    public var onlyFailures: Bool?

    /// Creates a request for all notifications in a time range; optional properties are set afterwards.
    public init(startDate: Date?, endDate: Date?) {
        self.startDate = startDate
        self.endDate = endDate
    }
}

extension NotificationHistoryRequest {
    /// Reads a request.
    /// - Throws: ``ServerAPIError`` with the code of the wrong field.
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

/// A notification in the answers of Get Notification History and Get Test Notification Status.
public struct NotificationHistoryItem: Hashable, Sendable, Codable {
    /// The notification as it was posted.
    public var signedPayload: String
    /// Every attempt, oldest first.
    public var sendAttempts: [SendAttemptItem]

    /// Makes an item.
    public init(signedPayload: String, sendAttempts: [SendAttemptItem]) {
        self.signedPayload = signedPayload
        self.sendAttempts = sendAttempts
    }

    /// Encodes one item alone: the answer of Get Test Notification Status.
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

/// The answer to Get Notification History.
public struct NotificationHistoryResponse: Hashable, Sendable, Codable {
    /// The notifications, at most 20.
    public var notificationHistory: [NotificationHistoryItem]
    /// True if there are more.
    public var hasMore: Bool
    /// The token of the next page.
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
