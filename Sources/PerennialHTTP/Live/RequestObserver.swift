import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Perennial
import PerennialStore

/// Tells watchers of requests, and logs refused ones at `info` with what to do. Bodies and credentials are never looked at.
struct RequestObserver: Sendable {
    /// The paths whose requests aren't told unless they are refused: programs ask them without end.
    private static let quiet: Set<String> = ["", "health", "ready", "metrics", "openapi.json", "favicon.ico"]

    /// `nil` for a server without a store.
    let live: LiveFeed?
    let wallClock: @Sendable () -> Instant
    /// A clock that only ever goes forward.
    let nanoseconds: @Sendable () -> UInt64

    /// The observer of a server without a store: it only logs.
    static let logging = RequestObserver(live: nil, wallClock: { .beginningOfTime }, nanoseconds: { 0 })

    /// Returns true if a watcher or the log wants to know of requests.
    func isNeeded(_ logger: Logger) -> Bool { live?.isWatched == true || logger.logLevel <= .info }

    /// Runs a request, and reports it to the log and to watchers.
    func observe(
        _ request: Request, _ logger: Logger, _ answer: () async throws -> Response
    ) async throws -> Response {
        let notes = RequestNotes()
        let start = nanoseconds()
        do {
            let response = try await RequestNotes.$current.withValue(notes, operation: answer)
            report(request, response.status, notes, since: start, logger)
            return response
        } catch {
            let status = (error as? any HTTPResponseError)?.status ?? .internalServerError
            if !(error is CancellationError) { report(request, status, notes, since: start, logger) }
            throw error
        }
    }

    private func report(
        _ request: Request, _ answer: HTTPResponse.Status, _ notes: RequestNotes, since start: UInt64,
        _ logger: Logger
    ) {
        let status = answer.code
        let refusal =
            notes.refusal ?? (status >= 400 ? .init(code: String(status), reason: answer.reasonPhrase) : nil)
        // Most requests: nothing to log, and no watcher.
        guard refusal != nil || live?.isWatched == true else { return }
        let place = RequestPlace(path: request.uri.path)
        let reason = refusal.map { LiveRedaction.text($0.reason) }
        let advice = refusal.map { Self.advice(status, $0.code, place) }
        let path = LiveRedaction.text(request.uri.path)
        if let refusal {
            // Reasons of pages are whole sentences.
            let clause = reason.map { $0.hasSuffix(".") ? $0.dropLast() : $0[...] } ?? ""
            logger.info(
                """
                refused: \(request.method.rawValue) \(path) \(status) \(refusal.code): \(clause); \
                \(advice ?? "")
                """)
        }
        guard let live, live.isWatched, refusal != nil || !place.isQuiet(Self.quiet) else { return }
        let end = nanoseconds()
        live.record(
            LiveRequest(
                method: LiveRedaction.text(request.method.rawValue), path: path, status: status,
                microseconds: Int64((end > start ? end - start : 0) / 1000), caller: place.caller,
                account: place.account, code: refusal?.code, reason: reason, advice: advice),
            of: notes.bundleID ?? place.bundleID, in: place.environment, at: wallClock())
    }

    /// Returns what to do about a refusal.
    static func advice(_ status: Int, _ code: String, _ place: RequestPlace) -> String {
        switch (status, place.caller) {
        case (401, _) where place.isConsole: "sign in again: the password is wrong, or the session has ended"
        case (403, _) where place.isConsole: "give the user another role (perennial users edit), or open the page anew"
        case (401, .operator): "send the control token of the banner: Authorization: Bearer TOKEN"
        case (401, .app): "sign in again: the device's token is unknown or has ended"
        case (401, .server), (401, .connect):
            "sign the token with a key of this store (perennial keys), and check its times and audience"
        case (401, _): "send a valid token"
        case (400, _), (422, _): "correct the request as the reason says"
        case (402, _): "the customer's payments are declined: see perennial payment-method"
        case (403, _): "it isn't allowed to this sender: see the reason"
        case (404, _): "check the names in the path and the environment before it"
        case (405, _): "use a method that the answer's Allow lists"
        case (409, _): "read the present state, and decide again"
        case (413, _): "send a shorter body"
        case (429, _): "wait as long as Retry-After says"
        case (500..., _): "send the same request again; if it goes on, look for errors in this log"
        default: "correct the request as the reason says"
        }
    }
}

/// The parts of a request's path that are the same in all protocols.
struct RequestPlace {
    /// The name of the environment; Production where the path names none.
    let environment: String
    let caller: LiveRequest.Caller
    /// The app that the path names.
    let bundleID: App.BundleID?
    /// The customer that the path names.
    let account: String?
    /// True for pages of the console.
    let isConsole: Bool
    private let rest: [Substring]

    init(path: String) {
        var parts = path.split(separator: "/").prefix(8)
        switch parts.first {
        case "sandbox":
            environment = StoreEnvironment.sandbox.name
            parts = parts.dropFirst()
        case "environments":
            environment = parts.dropFirst().first.map(Self.decoded) ?? ""
            parts = parts.dropFirst(2)
        // console/ENVIRONMENT/APP/…; a dash stands for no app.
        case "console" where parts.count > 2: environment = Self.decoded(parts[parts.startIndex + 1])
        default: environment = StoreEnvironment.production.name
        }
        rest = Array(parts)
        isConsole = parts.first == "console"
        caller =
            switch parts.first {
            case "store": .app
            case "verifyReceipt", "inApps", "advancedCommerce": .server
            case "v1", "v2", "v3": .connect
            case "control": .operator
            case "delivery": .content
            default: .other
            }
        let page = isConsole && rest.count > 2 && rest[2] != "-" ? Self.decoded(rest[2]) : nil
        bundleID = (page ?? Self.value(after: "apps", in: rest)).map(App.BundleID.init(rawValue:))
        account = Self.value(after: "accounts", in: rest)
    }

    /// True for requests that watching itself, monitoring and the console make.
    func isQuiet(_ paths: Set<String>) -> Bool {
        isConsole || paths.contains(rest.joined(separator: "/"))
            || (rest.count == 3 && rest[0] == "control" && rest[2] == "live")
    }

    private static func value(after name: Substring, in parts: [Substring]) -> String? {
        guard parts.first == "control" || parts.first == "store", let index = parts.firstIndex(of: name) else {
            return nil
        }
        return parts.dropFirst(index + 1).first.map(decoded)
    }

    private static func decoded(_ part: Substring) -> String { part.removingPercentEncoding ?? String(part) }
}
