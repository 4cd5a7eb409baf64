import Foundation

/// The payload of a server notification, version 2 (`responseBodyV2DecodedPayload`).
///
/// Names are those on the wire; what is `nil` is left out. Of ``data``, ``summary``, ``externalPurchaseToken`` and
/// ``appData`` there is exactly one.
public struct NotificationPayload: Hashable, Sendable, Codable {
    /// The version that all payloads name.
    public static let version = "2.0"

    /// What happened.
    public var notificationType: NotificationType
    /// Which kind of it.
    public var subtype: NotificationSubtype?
    /// The same for every attempt to deliver the notification.
    public var notificationUUID: String
    /// Of one app and customer.
    public var data: Details?
    /// Of a request to extend many subscriptions.
    public var summary: Summary?
    /// Of a purchase elsewhere.
    public var externalPurchaseToken: ExternalPurchaseToken?
    /// Of the app itself.
    public var appData: AppData?
    /// `2.0`.
    public var version: String
    /// When the store signed it; what tells a stale notification from a fresh one.
    @Milliseconds public var signedDate: Date

    /// Makes a payload; what it is about is set afterwards.
    public init(
        notificationType: NotificationType, subtype: NotificationSubtype? = nil, notificationUUID: String,
        signedDate: Date
    ) {
        self.notificationType = notificationType
        self.subtype = subtype
        self.notificationUUID = notificationUUID
        self.signedDate = signedDate
        version = Self.version
    }

    /// The JSON to sign, keys in a fixed order.
    public func encoded() -> [UInt8] {
        let size = (data?.signedTransactionInfo?.utf8.count ?? 0) + (data?.signedRenewalInfo?.utf8.count ?? 0)
        var json = JSONWriter(capacity: 1024 + size)
        json.beginObject()
        json.string("notificationType", notificationType.rawValue)
        json.string("subtype", subtype?.rawValue)
        json.string("notificationUUID", notificationUUID)
        data?.write(to: &json)
        summary?.write(to: &json)
        externalPurchaseToken?.write(to: &json)
        appData?.write(to: &json)
        json.string("version", version)
        json.milliseconds("signedDate", signedDate)
        json.endObject()
        return json.finished()
    }
}

/// The body of a notification's POST: `{"signedPayload": …}`.
public struct NotificationBody: Hashable, Sendable, Codable {
    /// A JWS whose payload is a ``NotificationPayload``.
    public var signedPayload: String

    /// Makes a body.
    public init(signedPayload: String) { self.signedPayload = signedPayload }

    /// The JSON.
    public func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: signedPayload.utf8.count + 32)
        json.beginObject()
        json.string("signedPayload", signedPayload)
        json.endObject()
        return json.finished()
    }

    /// The same, for who signs to append the payload where it belongs: a JWS has nothing that would have to be escaped.
    package static func encoded(signedPayload append: (inout [UInt8]) throws -> Void) rethrows -> [UInt8] {
        var json = Array(#"{"signedPayload":""#.utf8)
        try append(&json)
        json += #""}"#.utf8
        return json
    }
}
