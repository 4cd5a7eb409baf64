import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore

/// One notification: what it says, and what became of each attempt to send it.
struct NotificationPage {
    private let record: NotificationRecord
    /// `nil` for version 1.
    private let signedPayload: String?
    /// The posted JSON of version 1; `nil` for version 2.
    private let unsignedBody: [UInt8]?
    private let request: PageRequest
    private let blocks: NotificationBlocks

    init(
        _ snapshot: NotificationSnapshot, unsignedBody: [UInt8]?, _ bundleID: App.BundleID, _ request: PageRequest
    ) {
        self.unsignedBody = unsignedBody
        record = snapshot.record
        signedPayload = snapshot.signedPayload
        self.request = request
        blocks = NotificationBlocks(snapshot, bundleID, request)
    }

    private var state: SendingState { SendingState(record) }

    var page: Page {
        Page(
            .data([record.type, record.subtype].compactMap { $0 }.joined(separator: " ")), .notifications,
            trail: [Link(.phrase(Words.notifications), request.path("notifications"))],
            actions: blocks.actions,
            [
                .columns([[.facts(facts)], blocks.attempts + blocks.newestResponse]),
                .section(.phrase(NotificationPhrases.payload), id: "payload", payload),
            ])
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
            facts.append(Fact(.phrase(name), request.transactionCell(id)))
        }
        facts.append(Fact(.phrase(NotificationPhrases.signed), Cell(.exact(record.signed))))
        if let next = record.nextAttempt {
            facts.append(Fact(.phrase(NotificationPhrases.nextAttempt), Cell(.exact(next))))
        }
        facts.append(Fact(.phrase(NotificationPhrases.version), Cell(.number(record.version))))
        facts.append(Fact(.data("UUID"), .id(record.uuid)))
        return facts
    }

    private var payload: [Block] {
        guard blocks.seesContents else {
            let permission = Permission.support
            return [
                .notice(
                    Notice(
                        status: .neutral, text: .phrase(NotificationPhrases.contentsHidden),
                        advice: .phrase(WebPhrases.forbiddenAdvice, .data(permission.rawValue))))
            ]
        }
        guard let signedPayload else { return unsignedPayload }
        let whole = NotificationBlocks.decoded(signedPayload, NotificationPhrases.decodedPayload) + blocks.sent
        return NotificationBlocks.parts(of: signedPayload) + [.details(.phrase(NotificationPhrases.request), whole)]
            + inspection
    }

    /// Version 1: what is posted now, which is made anew for each attempt, and its receipt field by field.
    private var unsignedPayload: [Block] {
        var blocks: [Block] = [.paragraph(.phrase(NotificationPhrases.unsigned))]
        guard let unsignedBody, let json = DecodedJWS.readable(unsignedBody) else { return blocks }
        blocks.append(.paragraph(.phrase(NotificationPhrases.madeAnew)))
        blocks.append(.code(CodeSample(label: .phrase(NotificationPhrases.request), text: json)))
        return blocks + inspection
    }

    /// A link to Inspect, which reads the notification by its UUID: a payload is too long for a URL.
    private var inspection: [Block] {
        guard request.allows(.operate) else { return [] }
        return [
            .links([Link(.phrase(NotificationPhrases.inspect), request.path("inspect", ["id": record.uuid]))])
        ]
    }
}
