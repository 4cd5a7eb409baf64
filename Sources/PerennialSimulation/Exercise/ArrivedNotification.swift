import BaseEncoding
import Foundation

extension HistoryRecorder {
    /// Records a notification that has arrived.
    ///
    /// - Parameters:
    ///   - body: A body of version 2; others are recorded without contents.
    ///   - digest: SHA-256 of bytes, in hexadecimal.
    package func arrived(_ body: [UInt8], status: Int, digest: ([UInt8]) -> String) throws {
        let begun = begin()
        let notification = ArrivedNotification.notification(body, digest)
        try record(begun, client: -1, node: nil, .notified(notification, status: status), .done)
    }
}

/// The members of a notification's body that a history records. Signatures aren't verified.
package enum ArrivedNotification {
    private struct Outer: Decodable { var signedPayload: String }

    private struct Payload: Decodable {
        struct Contents: Decodable { var signedTransactionInfo: String? }
        var notificationType: String
        var subtype: String?
        var notificationUUID: String
        var signedDate: Int64
        var data: Contents?
    }

    private struct TransactionInfo: Decodable {
        var transactionId: String
        var originalTransactionId: String
    }

    package static func notification(_ body: [UInt8], _ digest: ([UInt8]) -> String) -> RecordedNotification {
        guard let outer = try? JSONDecoder().decode(Outer.self, from: Data(body)),
            let bytes = payload(of: outer.signedPayload),
            let payload = try? JSONDecoder().decode(Payload.self, from: bytes)
        else { return RecordedNotification(uuid: "unreadable", type: "unreadable", signed: 0, digest: digest(body)) }
        let info: TransactionInfo? = payload.data?.signedTransactionInfo.flatMap(contents)
        return RecordedNotification(
            uuid: payload.notificationUUID, type: payload.notificationType, subtype: payload.subtype,
            original: info?.originalTransactionId, transaction: info?.transactionId, signed: payload.signedDate,
            digest: digest(Array(withoutSignatures(bytes).utf8)))
    }

    /// A payload's text with the payload of each signed member in its place. A copy that another node sends, because the
    /// sender's lease ended with the notification on its way, has the same contents under other signatures.
    private static func withoutSignatures(_ payload: Data) -> String {
        String(decoding: payload, as: UTF8.self).split(separator: "\"", omittingEmptySubsequences: false).map { text in
            let parts = text.split(separator: ".")
            return parts.count == 3 && text.hasPrefix("eyJ") ? parts[1] : text
        }.joined(separator: "\"")
    }

    private static func contents<Value: Decodable>(of signed: String) -> Value? {
        payload(of: signed).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    }

    private static func payload(of signed: String) -> Data? {
        let parts = signed.split(separator: ".")
        guard parts.count == 3 else { return nil }
        return Base64.decode(parts[1], as: .url).map { Data($0) }
    }
}
