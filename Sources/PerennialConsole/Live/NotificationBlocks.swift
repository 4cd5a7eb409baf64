import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore

/// The parts of a notification that its own page and its transaction's page share: its attempts, the request, the receiver's
/// responses, and the button that sends it.
struct NotificationBlocks {
    private let snapshot: NotificationSnapshot
    private let bundleID: App.BundleID
    private let request: PageRequest

    init(_ snapshot: NotificationSnapshot, _ bundleID: App.BundleID, _ request: PageRequest) {
        (self.snapshot, self.bundleID, self.request) = (snapshot, bundleID, request)
    }

    private var record: NotificationRecord { snapshot.record }

    /// True if the visitor may see what is sent, and what a receiver responds: both may name customers.
    var seesContents: Bool { request.allows(.support) }

    /// The summary in place, for a page about something else.
    var summary: Block {
        let name = [record.type, record.subtype].compactMap(\.self).joined(separator: " ")
        let link = Link(.data(record.uuid), request.path("notifications/\(record.uuid)"))
        return .details(
            .joined([.data(name), .data(" · "), SendingWords.result(of: record)]),
            [.links([link])] + attempts + sent + newestResponse + (actions.isEmpty ? [] : [.actions(actions)]))
    }

    /// The button that sends the notification now, for those who may.
    var actions: [Action] {
        guard request.allows(.operate) else { return [] }
        let state = SendingState(record)
        let isWaiting = state == .failing || state == .waiting
        let path =
            "control/v1/apps/\(ConsolePath.encoded(bundleID.rawValue))/notifications/history/\(record.uuid)/resend"
        return [
            .post(
                .phrase(isWaiting ? NotificationPhrases.retryNow : NotificationPhrases.sendAgain),
                path: request.path("notifications/\(record.uuid)/send"),
                same: SameCommand(
                    """
                    notifications resend \(record.uuid) --app \(bundleID.rawValue) \
                    --environment \(request.environment.name)
                    """, .init("POST", path)))
        ]
    }

    /// The attempts, newest first, each with the receiver's response.
    var attempts: [Block] {
        guard !record.attempts.isEmpty else {
            return [.notice(Notice(status: .neutral, text: .phrase(NotificationPhrases.noAttempts)))]
        }
        let rows = record.attempts.enumerated().reversed().map { index, attempt in
            let result = SendAttemptResult(rawValue: attempt.result)
            let hasArrived = result == .success
            return Table.Row(
                [
                    Cell(.exact(attempt.at)), Cell(.number(index + 1)),
                    Cell(.data(attempt.result), status: hasArrived ? .good : .bad),
                    Cell(attempt.httpStatus.map { .number($0) } ?? .none),
                    Cell(
                        hasArrived
                            ? .none
                            : RefusalText.sentence(
                                SendingAdvice.text(result: result, httpStatus: attempt.httpStatus.map(Int.init)))),
                ],
                // The newest one's is below the table.
                details: index == record.attempts.count - 1 ? [] : attempt.response.map { [sample($0)] } ?? [])
        }
        let columns = [
            Table.Column(.phrase(Words.time)),
            Table.Column(.phrase(NotificationPhrases.attempt), .trailing),
            Table.Column(.phrase(NotificationPhrases.result), .leading, .primary),
            Table.Column(.phrase(NotificationPhrases.httpStatus), .trailing, .primary),
            Table.Column(.phrase(LivePhrases.advice), .leading, .secondary),
        ]
        return [
            .table(Table(caption: .phrase(NotificationPhrases.attempts), columns: columns, rows: Array(rows)))
        ]
    }

    /// The receiver's response to the newest attempt.
    var newestResponse: [Block] {
        guard let attempt = record.attempts.last else { return [] }
        guard let response = attempt.response else {
            let phrase = attempt.httpStatus == nil ? NotificationPhrases.noAnswer : NotificationPhrases.noResponse
            return [.paragraph(.phrase(phrase))]
        }
        return [sample(response)]
    }

    private func sample(_ response: NotificationRecord.Response) -> Block {
        Self.sample(response, withBody: seesContents)
    }

    /// The body of the request, as it is sent; nothing for version 1.
    var sent: [Block] {
        guard let payload = snapshot.signedPayload else { return [] }
        let body = NotificationBody(signedPayload: payload).encoded()
        return [
            .code(CodeSample(label: .phrase(NotificationPhrases.request), text: String(decoding: body, as: UTF8.self)))
        ]
    }

    /// The signed data inside a notification, decoded.
    static func parts(of signedPayload: String) -> [Block] {
        let names = [
            ("signedTransactionInfo", LivePhrases.signedTransaction),
            ("signedRenewalInfo", NotificationPhrases.renewalInfo),
        ]
        return names.flatMap { name, label in
            DecodedJWS.part(name, of: signedPayload).map { decoded($0, label) } ?? []
        }
    }

    /// The contents of a notification: the signed data inside it, or itself where it has none.
    static func contents(_ signedPayload: String) -> [Block] {
        let parts = parts(of: signedPayload)
        return parts.isEmpty ? decoded(signedPayload, NotificationPhrases.decodedPayload) : parts
    }

    /// The payload of signed data; nothing for a text that is none.
    static func decoded(_ jws: String, _ label: Phrase) -> [Block] {
        DecodedJWS.payload(jws).map { [.code(CodeSample(label: .phrase(label), text: $0))] } ?? []
    }

    /// A receiver's response: its status line, and below it the body.
    static func sample(_ response: NotificationRecord.Response, withBody: Bool) -> Block {
        let isCut = response.isTruncated || !withBody && !response.body.isEmpty
        let phrase = isCut ? NotificationPhrases.responseBeginning : NotificationPhrases.response
        let body = response.body.isEmpty || !withBody ? "" : "\n\n" + response.body
        return .code(CodeSample(label: .phrase(phrase), text: response.statusLine + body))
    }
}
