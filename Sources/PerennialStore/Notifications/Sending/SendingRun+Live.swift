import AppStoreFormats
import Foundation
import Logging
import Perennial
import PerennialStorage

extension SendingRun {
    /// Tells watchers of an attempt, and logs a failed one with what to do.
    func report(_ record: NotificationRecord, _ outcome: NotificationOutcome) {
        let hasFailed = outcome.result != .success
        if hasFailed { log(record, outcome) }
        let live = notifications.context.live
        guard live.isWatched else { return }
        live.record(
            LiveNotification(
                uuid: record.uuid, type: record.type, subtype: record.subtype, version: record.version,
                url: SendingAdvice.withoutSecrets(settings.url), accountID: record.account,
                transactionID: record.transactionID, originalID: record.originalID, attempt: record.attempts.count,
                result: outcome.result.rawValue, httpStatus: outcome.httpStatus.map(Int64.init),
                response: outcome.response, nextAttempt: record.nextAttempt,
                advice: hasFailed ? SendingAdvice.text(outcome) : nil),
            of: entry.app.bundleID, in: notifications.environment,
            at: record.attempts.last?.at ?? notifications.clock.wallClockNow)
    }

    private func log(_ record: NotificationRecord, _ outcome: NotificationOutcome) {
        let logger = notifications.logger
        guard logger.logLevel <= .info else { return }
        let next = record.nextAttempt.map { "the next attempt is at \($0.rfc3339())" } ?? "there is no further attempt"
        logger.info(
            """
            notification \(record.uuid) (\(record.type)) of \(entry.app.bundleID.rawValue) in \
            \(notifications.environment.name) wasn't delivered: attempt \(record.attempts.count), \
            \(outcome.result.rawValue)\(outcome.httpStatus.map { " \($0)" } ?? ""); \(next); \
            \(SendingAdvice.text(outcome))
            """)
    }
}

/// Advice about notifications that weren't delivered.
package enum SendingAdvice {
    /// Returns a sentence for a failed attempt.
    static func text(_ outcome: NotificationOutcome) -> String {
        text(result: outcome.result, httpStatus: outcome.httpStatus)
    }

    /// Returns a sentence for the result of a failed attempt.
    package static func text(result: SendAttemptResult, httpStatus: Int?) -> String {
        switch result {
        case .timedOut: "answer within the time-out, and work on the notification afterwards"
        case .tlsIssue: "use TLS 1.2 or newer, and a certificate that this machine trusts"
        case .circularRedirect: "set the URL that the receiver redirects to"
        case .noResponse: "the receiver closed the connection: look at its log"
        case .socketIssue: "check the URL's host and port, and that the receiver runs"
        case .unsupportedCharset: "answer without a charset, or with utf-8"
        case .invalidResponse: "the receiver's answer isn't HTTP, or redirects to no URL: check the URL's port"
        case .prematureClose: "the receiver closed the connection in the middle of its answer: look at its log"
        case .unsuccessfulHTTPResponseCode: text(httpStatus: httpStatus ?? 0)
        default: "look at this server's log, then send it again: perennial notifications resend"
        }
    }

    private static func text(httpStatus: Int) -> String {
        switch httpStatus {
        case 401, 403: "the receiver wants credentials that notifications don't carry: let them in by their signature"
        case 404, 405: "check the URL's path: the receiver takes no POST there"
        case 413: "let the receiver accept larger bodies"
        case 500...: "the receiver failed: look at its log"
        default: "answer with a status of 200 to 206"
        }
    }

    /// Returns a URL without user, password and query, which may have secrets.
    package static func withoutSecrets(_ url: String) -> String {
        var text = url.prefix { $0 != "?" && $0 != "#" }
        if let scheme = text.range(of: "://"),
            let at = text[scheme.upperBound...].prefix(while: { $0 != "/" }).lastIndex(of: "@")
        {
            text = text[..<scheme.upperBound] + text[text.index(after: at)...]
        }
        return LiveRedaction.text(String(text))
    }
}
