import Perennial
import PerennialStorage

/// An event that has just happened in an environment.
package struct LiveEvent: Sendable {
    package enum Content: Sendable {
        /// Committed on any node.
        case commerce(LiveCommerce)
        /// Answered by this process.
        case request(LiveRequest)
        /// An attempt of this process to send a notification.
        case notification(LiveNotification)
        /// The environment was emptied: its journal begins again.
        case emptied
        /// A number of events that happened faster than they could be read.
        case skipped(Int64)
    }

    /// Increases from event to event within this process.
    package var sequence: Int64
    /// The environment's time of an event of commerce; otherwise real time.
    package var at: Instant
    package var kind: LiveKind
    /// The app; `nil` for an event that belongs to none, or to one that isn't known.
    package var bundleID: App.BundleID?
    package var content: Content

    init(at: Instant, kind: LiveKind, bundleID: App.BundleID? = nil, _ content: Content) {
        sequence = 0
        self.at = at
        self.kind = kind
        self.bundleID = bundleID
        self.content = content
    }

    /// The environment was emptied.
    static var emptied: LiveEvent { LiveEvent(at: .beginningOfTime, kind: .emptied, .emptied) }
}

extension LiveEvent {
    /// Makes the event of an entry of the journal.
    init(
        _ entry: JournalTable.NamedEntry, app: Int64, _ catalog: EnvironmentCatalog, on connection: any Connection
    ) throws {
        self.init(
            at: entry.at, kind: LiveKind(entry.kind),
            bundleID: app == FinanceEvent.journal ? nil : try catalog.entry(number: app, on: connection)?.app.bundleID,
            .commerce(LiveCommerce(app: app, entry: entry)))
    }
}

/// An event of commerce: an entry of the journal.
package struct LiveCommerce: Sendable {
    /// The number of the app whose journal it is in.
    package var app: Int64
    package var entry: JournalTable.NamedEntry
}

/// A request and the status that it was answered with. Neither's body is kept.
package struct LiveRequest: Sendable {
    /// The sender, as the path's protocol has it.
    package enum Caller: String, Sendable, CaseIterable {
        /// An app on a device.
        case app
        /// A seller's server, which verifies receipts or calls the App Store Server API.
        case server
        /// A program of the seller's team that calls the App Store Connect API.
        case connect
        /// An operator or a test.
        case `operator`
        /// A customer of the content server.
        case content
        case other
    }

    package var method: String
    /// The path without the query, and without what looks like a secret.
    package var path: String
    package var status: Int
    package var microseconds: Int64
    package var caller: Caller
    /// The customer that the path names.
    package var account: String?
    /// The error's code; `nil` for a request that was carried out.
    package var code: String?
    /// The error in plain words, without what looks like a secret.
    package var reason: String?
    /// Advice on how to mend it.
    package var advice: String?

    /// The path up to the kind of thing that it is about: what follows may name a customer.
    package var route: String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        let place =
            switch parts.first {
            case "environments": 2
            case "sandbox": 1
            default: 0
            }
        // `control/v1/accounts`, `inApps/v1/transactions`, `console/Sandbox/APP`; the App Store Connect API's `v1/users`.
        let kind = ["v1", "v2", "v3"].contains(parts.dropFirst(place).first) ? 2 : 3
        let kept = parts.prefix(place + kind)
        return "/" + (kept + (kept.count < parts.count ? ["…"] : [])).joined(separator: "/")
    }

    package init(
        method: String, path: String, status: Int, microseconds: Int64, caller: Caller, account: String? = nil,
        code: String? = nil, reason: String? = nil, advice: String? = nil
    ) {
        self.method = method
        self.path = path
        self.status = status
        self.microseconds = microseconds
        self.caller = caller
        self.account = account
        self.code = code
        self.reason = reason
        self.advice = advice
    }
}

/// An attempt to send a notification, and its result.
package struct LiveNotification: Sendable {
    package var uuid: String
    package var type: String
    package var subtype: String?
    /// 1 or 2.
    package var version: Int64
    package var url: String
    package var accountID: Account.ID
    /// The customer's name; `nil` where no customer is involved.
    package var account: String?
    package var transactionID: TransactionID?
    package var originalID: TransactionID?
    /// Counts from 1.
    package var attempt: Int
    /// The App Store Server API's name of the result.
    package var result: String
    /// The status of the receiver's answer.
    package var httpStatus: Int64?
    /// The beginning of the receiver's answer.
    package var response: NotificationRecord.Response?
    package var nextAttempt: Instant?
    /// Advice on how to mend a failure; `nil` for a success.
    package var advice: String?
}
