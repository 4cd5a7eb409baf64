import HTTPTypes
import Perennial
import PerennialStorage
import PerennialStore

/// The messages of control/v1 about server notifications.
enum NotificationModels {
    struct SettingsBody: RequestModel {
        var url: String
        var version: Int64?
        var retries: String?
        var timeoutMilliseconds: Int64?

        static let constraints: [String: Constraint] = [
            "url": .notificationURL, "version": .oneOf([1, 2]), "retries": .oneOf(NotificationSettings.Retries.self),
            "timeoutMilliseconds": .range(NotificationTerms.timeouts),
        ]
    }

    struct FaultsBody: RequestModel {
        var seed: UInt64?
        var percentage: Int64?
        var duplicates: Int64?
        var delayMilliseconds: Int64?
        var reorder: Bool?
        var dropFirst: Int64?
        var stale: Bool?

        static let constraints: [String: Constraint] = [
            "percentage": .range(Int64(0)...100), "duplicates": .range(0...FaultInjection.maximumCopies),
            "delayMilliseconds": .range(0...FaultInjection.maximumDelay),
            "dropFirst": .range(0...FaultInjection.maximumDrops),
        ]

        /// The field's name in the protocol, where the rules call it otherwise.
        static func name(of rule: String) -> String {
            switch rule {
            case "delay": "delayMilliseconds"
            case "dropsFirst": "dropFirst"
            default: rule
            }
        }

        var faults: FaultInjection {
            FaultInjection(
                seed: seed ?? 1, percentage: percentage ?? 100, duplicates: duplicates ?? 0,
                delay: delayMilliseconds ?? 0, reorders: reorder ?? false, dropsFirst: dropFirst ?? 0,
                stale: stale ?? false)
        }
    }

    struct Settings: AnswerModel {
        struct Faults: Model, Encodable {
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
        var faults: Faults?

        static let constraints: [String: Constraint] = ["retries": .oneOf(NotificationSettings.Retries.self)]

        init(_ settings: NotificationSettings) {
            url = settings.url
            version = settings.version.rawValue
            retries = settings.retries.rawValue
            timeoutMilliseconds = settings.timeout
            faults = settings.faults.map { faults in
                Faults(
                    seed: faults.seed, percentage: faults.percentage, duplicates: faults.duplicates,
                    delayMilliseconds: faults.delay, reorder: faults.reorders, dropFirst: faults.dropsFirst,
                    stale: faults.stale)
            }
        }
    }

    struct Named: AnswerModel {
        var notificationUUID: String

        static let constraints: [String: Constraint] = ["notificationUUID": .uuid]
    }

    struct List: AnswerModel {
        var notifications: [Notification]
        /// The `after` of the next page; missing on the last.
        var next: String?
    }

    /// The beginning of a receiver's response.
    struct Response: Model, Encodable {
        var statusLine: String
        var body: String
        var truncated: Bool

        static let constraints: [String: Constraint] = [
            "statusLine": .described("Such as HTTP/1.1 503 Service Unavailable"),
            "body": .described("The first bytes as text, without control characters"),
            "truncated": .described("True if the body was longer"),
        ]

        init(_ response: NotificationRecord.Response) {
            (statusLine, body, truncated) = (response.statusLine, response.body, response.isTruncated)
        }
    }

    struct Notification: AnswerModel {
        struct Attempt: Model, Encodable {
            var at: String
            var result: String
            var httpStatus: Int64?
            /// The response, in a notification's own answer only; missing if the receiver didn't answer.
            var response: Response?

            static let constraints: [String: Constraint] = ["at": .time]
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
        /// Left out where there will be no more attempt.
        var nextAttempt: String?
        var signedPayload: String?
        /// The payload with its transaction and renewal info.
        var decoded: DecodedMembers?

        static let constraints: [String: Constraint] = [
            "notificationUUID": .uuid, "signedDate": .time, "nextAttempt": .time,
            "state": .oneOf(SendingState.self),
        ]

        init(_ snapshot: NotificationSnapshot) {
            self.init(snapshot.record, signedPayload: snapshot.signedPayload)
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
                Attempt(
                    at: $0.at.rfc3339(fraction: true), result: $0.result, httpStatus: $0.httpStatus,
                    response: $0.response.map(Response.init))
            }
            state = SendingState(record).rawValue
            nextAttempt = record.nextAttempt?.rfc3339(fraction: true)
            self.signedPayload = signedPayload
            decoded = DecodedMembers(["signedPayload": signedPayload])
        }
    }
}

extension Constraint {
    fileprivate static let notificationURL = pattern(
        "^https?://[!-~]{1,\(NotificationTerms.maximumURLLength - "https://".count)}$", NotificationTerms.urlRule)
}

extension APIError {
    package init(_ error: NotificationError) {
        switch error.code {
        case .urlNotFound: self.init(.notFound, "notificationURLNotFound", "\(error.subject): \(error.reason)")
        case .testNotFound, .notificationNotFound:
            self.init(.notFound, error.code.rawValue, "\(error.subject): \(error.reason)")
        case .malformedURL: self.init(.badRequest, "malformedRequest", error.reason, field: "url")
        case .malformedTimeout: self.init(.badRequest, "malformedRequest", error.reason, field: "timeoutMilliseconds")
        case .malformedFaults:
            let field = NotificationModels.FaultsBody.name(of: error.subject)
            self.init(
                .badRequest, "malformedRequest", error.reason.replacing(error.subject, with: field), field: field)
        case .malformedPage: self.init(.badRequest, "malformedRequest", error.reason, field: "paginationToken")
        }
    }
}
