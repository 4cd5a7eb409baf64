import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore

/// One notification: what it says, and what became of each attempt to send it.
struct NotificationPage {
    private let record: NotificationRecord
    /// `nil` for version 1.
    private let signedPayload: String?
    private let bundleID: App.BundleID
    private let request: PageRequest

    init(_ snapshot: NotificationSnapshot, _ bundleID: App.BundleID, _ request: PageRequest) {
        record = snapshot.record
        signedPayload = snapshot.signedPayload
        self.bundleID = bundleID
        self.request = request
    }

    private var state: SendingState { SendingState(record) }

    var page: Page {
        Page(
            .data([record.type, record.subtype].compactMap { $0 }.joined(separator: " ")), .notifications,
            trail: [Link(.phrase(Words.notifications), request.path("notifications"))],
            actions: request.allows(.operate) ? [send] : [],
            [
                .columns([[.facts(facts)], attempts]),
                .section(.phrase(NotificationPhrases.payload), id: "payload", payload),
            ])
    }

    private var send: Action {
        let isWaiting = state == .failing || state == .waiting
        let path =
            "control/v1/apps/\(ConsolePath.encoded(bundleID.rawValue))/notifications/history/\(record.uuid)/resend"
        return .post(
            .phrase(isWaiting ? NotificationPhrases.retryNow : NotificationPhrases.sendAgain),
            path: request.path("notifications/\(record.uuid)/send"),
            same: SameCommand(
                "notifications resend \(record.uuid) --app \(bundleID.rawValue) --environment \(request.environment.name)",
                .init("POST", path)))
    }

    private var facts: [Fact] {
        var facts = [
            Fact(.phrase(Words.type), Cell(.data(record.type), isFixedWidth: true)),
            Fact(
                .phrase(Words.status),
                Cell(.phrase(NotificationPhrases.state(state)), status: NotificationPhrases.status(state))),
        ]
        if let subtype = record.subtype {
            facts.insert(Fact(.phrase(NotificationPhrases.subtype), Cell(.data(subtype), isFixedWidth: true)), at: 1)
        }
        for (name, id) in [
            (Words.transaction, record.transactionID), (NotificationPhrases.original, record.originalID),
        ] {
            guard let id else { continue }
            facts.append(Fact(.phrase(name), .id(id.description, path: request.path("transactions/\(id)"))))
        }
        facts.append(Fact(.phrase(NotificationPhrases.signed), Cell(.exact(record.signed))))
        if let next = record.nextAttempt {
            facts.append(Fact(.phrase(NotificationPhrases.nextAttempt), Cell(.exact(next))))
        }
        facts.append(Fact(.phrase(NotificationPhrases.version), Cell(.number(record.version))))
        facts.append(Fact(.data("UUID"), .id(record.uuid)))
        return facts
    }

    private var attempts: [Block] {
        guard !record.attempts.isEmpty else {
            return [.notice(Notice(status: .neutral, text: .phrase(NotificationPhrases.noAttempts)))]
        }
        let rows = record.attempts.enumerated().reversed().map { index, attempt in
            let result = SendAttemptResult(rawValue: attempt.result)
            let hasArrived = result == .success
            return Table.Row([
                Cell(.exact(attempt.at)), Cell(.number(index + 1)),
                Cell(.data(attempt.result), status: hasArrived ? .good : .bad),
                Cell(attempt.httpStatus.map { .number($0) } ?? .none),
                Cell(
                    hasArrived
                        ? .none
                        : RefusalText.sentence(
                            SendingAdvice.text(result: result, httpStatus: attempt.httpStatus.map(Int.init)))),
            ])
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

    private var payload: [Block] {
        guard let signedPayload else { return [.paragraph(.phrase(NotificationPhrases.unsigned))] }
        var blocks: [Block] = []
        func add(_ label: Phrase, _ jws: String?) {
            guard let json = jws.flatMap(DecodedJWS.payload) else { return }
            blocks.append(.code(CodeSample(label: .phrase(label), text: json)))
        }
        add(LivePhrases.signedTransaction, DecodedJWS.part("signedTransactionInfo", of: signedPayload))
        add(NotificationPhrases.renewalInfo, DecodedJWS.part("signedRenewalInfo", of: signedPayload))
        var whole: [Block] = []
        if let json = DecodedJWS.payload(signedPayload) {
            whole.append(.code(CodeSample(label: .phrase(NotificationPhrases.decodedPayload), text: json)))
        }
        let body = NotificationBody(signedPayload: signedPayload)
        whole.append(
            .code(
                CodeSample(
                    label: .phrase(NotificationPhrases.request), text: String(decoding: body.encoded(), as: UTF8.self)))
        )
        blocks.append(.details(.phrase(NotificationPhrases.request), whole))
        blocks.append(.links([Link(.phrase(NotificationPhrases.inspect), request.path("inspect"))]))
        return blocks
    }
}
