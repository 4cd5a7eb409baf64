/// The answers of control/v1 about notifications.
enum NotificationAnswers {
    struct Named: Decodable {
        var notificationUUID: String
    }

    struct Settings: Decodable {
        struct Faults: Codable {
            var seed: UInt64
            var percentage: Int64
            var duplicates: Int64
            var delayMilliseconds: Int64
            var reorder: Bool
            var dropFirst: Int64
            var stale: Bool

            var words: String {
                var rules: [String] = []
                if duplicates > 0 { rules.append("\(duplicates) more of each") }
                if delayMilliseconds > 0 { rules.append("delayed up to \(delayMilliseconds) ms") }
                if reorder { rules.append("in any order") }
                if dropFirst > 0 { rules.append("the first \(dropFirst) attempts lost") }
                if stale { rules.append("stale after fresh") }
                return "\(percentage) % hit by seed \(seed): \(rules.joined(separator: ", "))"
            }
        }

        var url: String
        var version: Int64
        var retries: String
        var timeoutMilliseconds: Int64
        /// The injected faults.
        var faults: Faults?

        var words: String {
            TerminalTable([
                ("url", url), ("version", "\(version)"), ("retries", retries),
                ("time-out", "\(timeoutMilliseconds) ms"), ("faults", faults?.words),
            ]).text
        }
    }

    /// The beginning of a receiver's response, which the store has made safe to print.
    struct ReceiverAnswerText: Decodable {
        var statusLine: String
        var body: String
        var truncated: Bool

        var lines: [String] {
            let body = body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            return [statusLine] + (self.body.isEmpty ? [] : body) + (truncated ? ["… (the beginning only)"] : [])
        }
    }

    struct List: Decodable {
        var notifications: [Notification]
        var next: String?
    }

    struct Notification: Decodable {
        struct Attempt: Decodable {
            var at: String
            var result: String
            var httpStatus: Int64?
            var response: ReceiverAnswerText?

            var words: String {
                let head = "\(at)  \(result)\(httpStatus.map { " (\($0))" } ?? "")"
                return ([head] + (response?.lines.map { "    " + $0 } ?? [])).joined(separator: "\n")
            }
        }

        var notificationUUID: String
        var version: Int64
        var notificationType: String
        var subtype: String?
        var originalTransactionId: String?
        var transactionId: String?
        var signedDate: String
        var attempts: [Attempt]
        var state: String
        var nextAttempt: String?
        var signedPayload: String?

        var cells: [String] {
            [
                signedDate, notificationType, subtype ?? "", state, "\(attempts.count)", attempts.last?.result ?? "-",
                notificationUUID,
            ]
        }

        var words: String {
            let table = TerminalTable([
                ("uuid", notificationUUID), ("type", notificationType), ("subtype", subtype),
                ("version", "\(version)"), ("subscription", originalTransactionId), ("transaction", transactionId),
                ("signed", signedDate), ("next attempt", nextAttempt),
            ]).text
            let tried = attempts.isEmpty ? ["not attempted yet"] : attempts.map(\.words)
            return ([table] + tried + [signedPayload].compactMap { $0 }).joined(separator: "\n")
        }
    }
}
