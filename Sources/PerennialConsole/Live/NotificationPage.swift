import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore

/// One notification: what it says, and what became of each attempt to send it.
struct NotificationPage {
    private let record: NotificationRecord
    /// `nil` for version 1.
    private let signedPayload: String?
    private let request: PageRequest
    private let blocks: NotificationBlocks

    init(_ snapshot: NotificationSnapshot, _ bundleID: App.BundleID, _ request: PageRequest) {
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
        whole += self.blocks.sent
        blocks.append(.details(.phrase(NotificationPhrases.request), whole))
        blocks.append(.links([Link(.phrase(NotificationPhrases.inspect), request.path("inspect"))]))
        return blocks
    }
}
