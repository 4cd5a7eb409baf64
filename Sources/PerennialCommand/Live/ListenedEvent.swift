import Perennial
import PerennialStore

/// An event of control/v1/live, as a line for a person.
struct ListenedEvent: Decodable {
    struct Commerce: Decodable {
        var event: String
        var position: Int64
        var account: String?
        var productId: String?
        var transactionId: String?
        var price: Int64?
        var currency: String?
        var storefront: String?

        var words: String {
            let money = price.flatMap { price in
                currency.map { Money(milliunits: price, Currency(rawValue: $0)).description }
            }
            let place = [money, storefront].compactMap { $0 }.joined(separator: " ")
            return [event, productId, account, place, transactionId, "@\(position)"].compactMap { $0 }
                .filter { !$0.isEmpty }.joined(separator: "  ")
        }
    }

    struct Request: Decodable {
        var caller: String
        var method: String
        var path: String
        var status: Int
        var milliseconds: Double
        /// The code of a refusal.
        var code: String?
        var reason: String?
        var advice: String?

        var words: String {
            let tenths = Int64((milliseconds * 10).rounded())
            let head = "\(method) \(path)  \(status)  \(tenths / 10).\(tenths % 10) ms  \(caller)"
            guard let code else { return head }
            return head + "  \(code): "
                + [reason, advice].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "; ")
        }
    }

    struct Notification: Decodable {
        var notificationUUID: String
        var notificationType: String
        var subtype: String?
        var url: String
        var account: String?
        var attempt: Int
        var result: String
        var httpStatus: Int64?
        var response: NotificationAnswers.ReceiverAnswerText?
        var nextAttempt: String?
        var advice: String?

        /// The most characters of an answer on the line of a failed attempt.
        private static let bodyLength = 120

        var words: String {
            let type = [notificationType, subtype].compactMap { $0 }.joined(separator: " ")
            let answer = [result, httpStatus.map(String.init)].compactMap { $0 }.joined(separator: " ")
            var parts = [type, account, "to \(url)", answer, "attempt \(attempt)", notificationUUID].compactMap { $0 }
            if let advice {
                if let body = response?.body, !body.isEmpty { parts.append("“\(body.prefix(Self.bodyLength))”") }
                parts.append((nextAttempt.map { "next attempt \($0)" } ?? "no further attempt") + "; \(advice)")
            }
            return parts.joined(separator: "  ")
        }
    }

    var kind: String
    var time: String?
    var commerce: Commerce?
    var request: Request?
    var notification: Notification?
    var skipped: Int64?

    private static let kindWidth = LiveKind.allCases.map(\.rawValue.count).max() ?? 0
    private static let timeWidth = "2026-01-31 10:00:00".count

    /// Returns the event's line, without control characters that names may have.
    func line(_ stream: Terminal.OutputStream) -> String {
        let time = (time ?? "").prefix(Self.timeWidth).replacing("T", with: " ")
        let words =
            commerce?.words ?? request?.words ?? notification?.words ?? skipped.map { "\($0) further events" }
            ?? (kind == LiveKind.emptied.rawValue ? "the environment was emptied" : "")
        let plain = String(String.UnicodeScalarView(words.unicodeScalars.map { Self.isControl($0) ? " " : $0 }))
        let name = Self.padded(kind, Self.kindWidth)
        return
            "\(Self.padded(String(time), Self.timeWidth))  \(style.map { stream.styled(name, $0) } ?? name)  \(plain)"
    }

    private var style: Terminal.OutputStream.Style? {
        switch LiveKind(rawValue: kind) {
        case .refusal, .failedCharge, .failedNotification: .red
        case .refund, .expiration, .skipped, .emptied: .yellow
        case .purchase, .renewal: .green
        case .request, .finish: .dim
        default: nil
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
