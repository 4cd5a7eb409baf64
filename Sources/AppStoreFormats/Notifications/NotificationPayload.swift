import FastJSON
import Foundation

/// The payload of a server notification, version 2 (`responseBodyV2DecodedPayload`).
///
/// Names are those on the wire; `nil` is left out. Of ``data``, ``summary``, ``externalPurchaseToken`` and
/// ``appData`` there is exactly one.
public struct NotificationPayload: Hashable, Sendable, Codable {
    /// The version that all payloads name.
    public static let version = "2.0"

    /// The kind of event.
    public var notificationType: NotificationType
    /// The variant of the event.
    public var subtype: NotificationSubtype?
    /// The identifier of the notification, the same for every attempt to send it.
    public var notificationUUID: String
    /// The data of an event of one app and customer.
    public var data: Details?
    /// The data of a request to extend many subscriptions.
    public var summary: Summary?
    /// The data of a purchase outside of the App Store.
    public var externalPurchaseToken: ExternalPurchaseToken?
    /// The data of an event of the app itself.
    public var appData: AppData?
    /// The version of the format: `2.0`.
    public var version: String
    /// The date on which the store signed the payload, by which a receiver recognises a stale notification.
    @Milliseconds public var signedDate: Date

    /// Creates a payload; its data is set afterwards.
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
    /// The notification: a JWS whose payload is a ``NotificationPayload``.
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

    /// Encodes the body with a payload that a closure appends in its place. A JWS has no characters that need an
    /// escape.
    package static func encoded(signedPayload append: (inout [UInt8]) throws -> Void) rethrows -> [UInt8] {
        var json = Array(#"{"signedPayload":""#.utf8)
        try append(&json)
        json += #""}"#.utf8
        return json
    }
}
