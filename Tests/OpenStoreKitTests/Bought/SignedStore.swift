import AppStoreFormats
import Foundation
import HTTPTypes
import OpenStoreKit
import Perennial
import Synchronization
import Testing

/// An in-memory store that signs what the customer bought and lists changes by revision.
final class SignedStore: Transport {
    struct Entry {
        var payload: TransactionPayload
        var isFinished: Bool
        var change: Int
        /// Signed text in place of the payload's; `nil` for a regular one.
        var forged: String?
    }

    struct Renewal {
        var payload: RenewalInfoPayload
        var group: String
        var status: Int
        var change: Int
    }

    struct State {
        var entries: [UInt64: Entry] = [:]
        var renewals: [String: Renewal] = [:]
        var change = 1
        var epoch = "a"
        var log: [String] = []
        var isOffline = false
        /// True to hide that the store can't say its time.
        var saysDate = true
        var pageSize = 200
        var refunds: Set<UInt64> = []
        /// Requests that wait for a change.
        var waiting: [CheckedContinuation<Void, Never>] = []
        var date: Instant = SignedStore.start
        /// Reasons of the messages.
        var messages: [String] = []
        /// Time from which the answers may be out of date.
        var validUntil: Instant?
    }

    static let start = Instant(milliseconds: 1_767_225_600_000)
    static let bundleID = "com.example.magazine"
    private static let made = Result { try SigningIdentities.makeDeferringReceipts() }
    private static let madeByAnother = Result { try SigningIdentities.makeDeferringReceipts() }

    static var identities: SigningIdentities { get throws { try made.get() } }
    static var otherIdentities: SigningIdentities { get throws { try madeByAnother.get() } }

    let signer: JWSSigner
    let state = Mutex(State())

    init(signer: JWSSigner? = nil) throws {
        self.signer = try signer ?? JWSSigner(identities: Self.identities)
    }

    var log: [String] { state.withLock { $0.log } }
    func count(_ line: String) -> Int { log.count { $0 == line } }

    // MARK: What happens at the store

    /// Adds or replaces a transaction.
    func put(_ payload: TransactionPayload, isFinished: Bool = false, forged: String? = nil) {
        guard let id = UInt64(payload.transactionId) else { return }
        change { state in
            state.entries[id] = Entry(
                payload: payload, isFinished: isFinished, change: state.change, forged: forged)
        }
    }

    func revoke(_ id: UInt64, at date: Instant = start) {
        change { state in
            state.entries[id]?.payload.revocationDate = date.date
            state.entries[id]?.payload.revocationReason = .issueWithApp
            state.entries[id]?.change = state.change
        }
    }

    func put(_ payload: RenewalInfoPayload, group: String, status: Int) {
        change { state in
            state.renewals[payload.originalTransactionId] = Renewal(
                payload: payload, group: group, status: status, change: state.change)
        }
    }

    /// Forgets everything, as a store that was emptied: earlier revisions are void.
    func clear() {
        change { state in
            state.entries = [:]
            state.renewals = [:]
            state.epoch += "x"
        }
    }

    func set(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            state.change += 1
            body(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        waiting.forEach { $0.resume() }
    }

    func signed(_ payload: TransactionPayload) throws -> String { try signer.sign(payload: payload.encoded()) }

    // MARK: Requests

    func stream(_ call: HTTPCall) async throws -> StreamedAnswer {
        throw TransportError(.noConnection, url: call.url, reason: "no streams here")
    }

    func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        let path = call.url.path
        let query = Dictionary(
            (URLComponents(url: call.url, resolvingAgainstBaseURL: false)?.queryItems ?? []).map {
                ($0.name, $0.value ?? "")
            }, uniquingKeysWith: { $1 })
        try state.withLock { state in
            guard !state.isOffline else { throw TransportError(.noConnection, url: call.url, reason: "offline") }
            state.log.append("\(call.method.rawValue) \(path)\(query["wait"] == nil ? "" : " wait")")
        }
        switch path {
        case "/certificates/root.cer":
            return HTTPAnswer(status: 200, body: Data(try Self.identities.rootCertificate))
        case "/store/v1/devices":
            return try json([
                "token": "token", "account": "ann@example.com", "canMakePayments": true,
                "storefront": ["countryCode": "USA", "identifier": "143441", "currency": "USD"],
            ])
        case "/store/v1/storefront":
            return try json(["countryCode": "USA", "identifier": "143441", "currency": "USD"])
        case "/store/v1/messages":
            return try json(["messages": state.withLock { $0.messages }.map { ["reason": $0] }])
        case "/store/v1/changes":
            if query["wait"] != nil { await waitForChange(after: query["after"]) }
            return try changes(after: query["after"])
        case let path where path.hasSuffix("/finish"): return try finish(path)
        case let path where path.hasSuffix("/refund-request"): return try refund(path)
        default: return try json(["error": ["code": "notFound", "message": "no \(path)"]], status: 404)
        }
    }

    private func waitForChange(after revision: String?) async {
        await withCheckedContinuation { continuation in
            let isNews = state.withLock { state in
                guard revision == "\(state.epoch)\(state.change)" else { return true }
                state.waiting.append(continuation)
                return false
            }
            if isNews { continuation.resume() }
        }
    }

    private func changes(after revision: String?) throws -> HTTPAnswer {
        let state = state.withLock { $0 }
        let known = revision.flatMap { text in
            text.hasPrefix(state.epoch) ? Int(text.dropFirst(state.epoch.count)) : nil
        }
        let changed = state.entries.values.filter { $0.change > known ?? 0 }.sorted { $0.change < $1.change }
        let page = changed.prefix(state.pageSize)
        let hasMore = changed.count > page.count
        let end = hasMore ? page.last?.change ?? state.change : state.change
        let subscriptions = state.renewals.values.filter { $0.change > known ?? 0 && !hasMore }
        var answer: [String: Any] = [
            "transactions": try page.map { entry in
                ["signedTransaction": try entry.forged ?? signed(entry.payload), "isFinished": entry.isFinished]
            },
            "subscriptions": try subscriptions.map { renewal in
                let newest = state.entries.values.map(\.payload)
                    .filter { $0.originalTransactionId == renewal.payload.originalTransactionId }
                    .max { $0.purchaseDate < $1.purchaseDate }
                return [
                    "originalTransactionId": renewal.payload.originalTransactionId,
                    "subscriptionGroupId": renewal.group, "status": renewal.status,
                    "signedTransaction": try signed(try #require(newest)),
                    "signedRenewalInfo": try signer.sign(payload: renewal.payload.encoded()),
                ] as [String: Any]
            },
            "revision": "\(state.epoch)\(end)", "hasMore": hasMore, "isComplete": known == nil,
        ]
        if state.saysDate { answer["date"] = state.date.rfc3339() }
        answer["validUntil"] = state.validUntil?.rfc3339()
        return try json(answer)
    }

    private func finish(_ path: String) throws -> HTTPAnswer {
        let id = UInt64(path.split(separator: "/").dropLast().last ?? "") ?? 0
        let isKnown = state.withLock { $0.entries[id] != nil }
        guard isKnown else {
            return try json(["error": ["code": "transactionNotFound", "message": "none"]], status: 404)
        }
        change { state in
            state.entries[id]?.isFinished = true
            state.entries[id]?.change = state.change
        }
        return try json([:])
    }

    private func refund(_ path: String) throws -> HTTPAnswer {
        let id = UInt64(path.split(separator: "/").dropLast().last ?? "") ?? 0
        let isNew = state.withLock { $0.refunds.insert(id).inserted }
        guard isNew else {
            return try json(["error": ["code": "refundAlreadyRequested", "message": "twice"]], status: 409)
        }
        return try json(["state": "requested"])
    }

    private func json(_ value: [String: Any], status: Int = 200) throws -> HTTPAnswer {
        HTTPAnswer(
            status: status, headers: [.contentType: "application/json"],
            body: try JSONSerialization.data(withJSONObject: value))
    }
}
