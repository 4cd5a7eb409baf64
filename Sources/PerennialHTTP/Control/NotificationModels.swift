import HTTPTypes
import Perennial
import PerennialStorage
import PerennialStore

/// What control/v1 says of server notifications.
enum NotificationModels {
    struct SettingsBody: Decodable {
        var url: String
        var version: Int64?
        var retries: String?
        var timeoutMilliseconds: Int64?
    }

    struct TroubleBody: Decodable {
        var seed: UInt64?
        var percentage: Int64?
        var duplicates: Int64?
        var delayMilliseconds: Int64?
        var reorder: Bool?
        var dropFirst: Int64?
        var stale: Bool?

        /// How the protocol calls what the rules call otherwise.
        static func name(of rule: String) -> String {
            switch rule {
            case "delay": "delayMilliseconds"
            case "dropsFirst": "dropFirst"
            default: rule
            }
        }

        var trouble: NotificationTrouble {
            NotificationTrouble(
                seed: seed ?? 1, percentage: percentage ?? 100, duplicates: duplicates ?? 0,
                delay: delayMilliseconds ?? 0, reorders: reorder ?? false, dropsFirst: dropFirst ?? 0,
                stale: stale ?? false)
        }
    }

    struct Settings: Encodable {
        struct Trouble: Encodable {
            var seed: UInt64
            var percentage: Int64
            var duplicates: Int64
            var delayMilliseconds: Int64
            var reorder: Bool
            var dropFirst: Int64
            var stale: Bool
        }

        var url: String
        var version: Int64
        var retries: String
        var timeoutMilliseconds: Int64
        var trouble: Trouble?

        init(_ settings: NotificationSettings) {
            url = settings.url
            version = settings.version.rawValue
            retries = settings.retries.rawValue
            timeoutMilliseconds = settings.timeout
            trouble = settings.trouble.map { trouble in
                Trouble(
                    seed: trouble.seed, percentage: trouble.percentage, duplicates: trouble.duplicates,
                    delayMilliseconds: trouble.delay, reorder: trouble.reorders, dropFirst: trouble.dropsFirst,
                    stale: trouble.stale)
            }
        }
    }

    struct Named: Encodable {
        var notificationUUID: String
    }

    struct List: Encodable {
        var notifications: [Notification]
    }

    struct Notification: Encodable {
        struct Attempt: Encodable {
            var at: String
            var result: String
            var httpStatus: Int64?
        }

        var notificationUUID: String
        var version: Int64
        var notificationType: String
        var subtype: String?
        var originalTransactionId: String?
        var transactionId: String?
        var signedDate: String
        var attempts: [Attempt]
        /// Left out where there will be no more attempt.
        var nextAttempt: String?
        var signedPayload: String?

        init(_ standing: NotificationStanding) {
            self.init(standing.record, signedPayload: standing.signedPayload)
        }

        init(_ record: NotificationRecord, signedPayload: String?) {
            notificationUUID = record.uuid
            version = record.version
            notificationType = record.type
            subtype = record.subtype
            originalTransactionId = record.originalID?.description
            transactionId = record.transactionID?.description
            signedDate = record.signed.rfc3339(fraction: true)
            attempts = record.attempts.map {
                Attempt(at: $0.at.rfc3339(fraction: true), result: $0.result, httpStatus: $0.httpStatus)
            }
            nextAttempt = record.nextAttempt?.rfc3339(fraction: true)
            self.signedPayload = signedPayload
        }
    }
}

extension APIError {
    package init(_ error: NotificationError) {
        switch error.code {
        case .urlNotFound: self.init(.notFound, "notificationURLNotFound", "\(error.subject): \(error.reason)")
        case .testNotFound, .notificationNotFound:
            self.init(.notFound, error.code.rawValue, "\(error.subject): \(error.reason)")
        case .malformedURL: self.init(.badRequest, "malformedRequest", error.reason, field: "url")
        case .malformedTimeout: self.init(.badRequest, "malformedRequest", error.reason, field: "timeoutMilliseconds")
        case .malformedTrouble:
            let field = NotificationModels.TroubleBody.name(of: error.subject)
            self.init(
                .badRequest, "malformedRequest", error.reason.replacing(error.subject, with: field), field: field)
        case .malformedPage: self.init(.badRequest, "malformedRequest", error.reason, field: "paginationToken")
        }
    }
}
