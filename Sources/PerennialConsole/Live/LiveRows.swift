import Perennial
import PerennialStorage
import PerennialStore

/// Makes the rows of live events.
struct LiveRows: Sendable {
    /// The most rows of a batch that are decoded in place; of more, the row's link shows them.
    private static let maximumDecoded = 10
    /// The longest position in bytes: that of some hundred apps.
    private static let maximumPosition = 4000

    let request: PageRequest
    /// The environment's time, at which the rows are made.
    private let now: Instant
    /// Distinguishes what only one process has numbered from that of another stream, as after a restart.
    private let stream: String

    init(_ request: PageRequest, now: Instant? = nil, stream: String = "") {
        self.request = request
        self.now = now ?? request.now
        self.stream = stream
    }

    /// Returns the rows of a batch, with what is signed decoded unless events come faster than they are shown: signing for
    /// rows that pass by would cost sales. The last has the position after them.
    ///
    /// - Parameter number: The batch's number in its stream.
    func rows(_ batch: LiveBatch, number: Int) async -> [LiveRow] {
        var rows: [LiveRow] = []
        if batch.skipped > 0 {
            rows.append(
                LiveRow(
                    id: "skipped-\(stream)-batch-\(number)", time: now, kind: LiveKind.skipped.rawValue,
                    text: .phrase(LivePhrases.further, .number(batch.skipped)), status: .warning, made: now))
        }
        for (index, event) in batch.events.enumerated() {
            let isDecoded = batch.skipped == 0 && batch.events.count - index <= Self.maximumDecoded
            rows.append(row(event, signed: isDecoded ? await signed(event) : nil))
        }
        if !rows.isEmpty { rows[rows.count - 1].position = position(batch.position) }
        return rows
    }

    /// Returns a position as text, of the journal of the request's app or of all.
    ///
    /// - Returns: `nil` for one too long for a header or a path.
    func position(_ position: LivePosition) -> String? {
        guard let app = request.app?.appleID else {
            let text = position.text
            return text.utf8.count > Self.maximumPosition ? nil : text
        }
        return LivePosition(positions: [app: position[app]]).text
    }

    /// Returns rows of a page's events, with what is signed decoded.
    func rows(_ events: [LiveEvent]) async -> [LiveRow] {
        var rows: [LiveRow] = []
        for event in events { rows.append(row(event, signed: await signed(event))) }
        return rows
    }

    /// Returns the transaction that an event is about, or the notification that was sent; `nil` for a visitor who sees no
    /// customers.
    private func signed(_ event: LiveEvent) async -> String? {
        guard seesCustomers, let app = event.bundleID else { return nil }
        switch event.content {
        case .commerce(let commerce):
            guard let id = commerce.entry.transactionID else { return nil }
            return try? await request.store.history.signedTransaction(id, of: app)
        case .notification(let sent):
            return try? await request.store.notifications.notification(sent.uuid, of: app).signedPayload
        case .request, .emptied, .skipped: return nil
        }
    }

    /// Returns an event's row.
    ///
    /// - Parameter signed: The event's transaction or notification, which is shown decoded.
    func row(_ event: LiveEvent, signed: String? = nil) -> LiveRow {
        switch event.content {
        case .commerce(let commerce): return row(event, commerce, signed)
        case .request(let sent): return row(event, sent)
        case .notification(let sent): return row(event, sent, signed)
        case .emptied: return row(event, numbered("emptied", event), .phrase(LivePhrases.emptied))
        case .skipped(let count):
            return row(event, numbered("skipped", event), .phrase(LivePhrases.further, .number(count)))
        }
    }

    /// Returns the ID of an event that has no position in a journal.
    private func numbered(_ name: String, _ event: LiveEvent) -> String { "\(name)-\(stream)-\(event.sequence)" }

    private func row(_ event: LiveEvent, _ id: String, _ text: Text, path: String? = nil, _ details: [Block] = [])
        -> LiveRow
    {
        var time = event.at
        // Requests and attempts happen in real time, which means nothing beside a clock that stands.
        if case .commerce = event.content {} else if request.environment.clock == .manual { time = now }
        return LiveRow(
            id: id, time: time, kind: event.kind.rawValue, kindText: .phrase(EventWords.name(event.kind)), text: text,
            status: Self.status(event.kind), path: path, details: details, made: now)
    }

    private static func status(_ kind: LiveKind) -> Status {
        switch kind {
        case .purchase, .renewal, .notification: .good
        case .refund, .expiration, .skipped, .emptied: .warning
        case .failedCharge, .refusal, .failedNotification: .bad
        default: .neutral
        }
    }

    /// True if the visitor may see customers, and transactions with their signed form.
    private var seesCustomers: Bool { request.allows(.support) }

    private static func dotted(_ texts: [Text?]) -> Text {
        .joined(Array(texts.compactMap { $0 }.map { [$0] }.joined(separator: [.data(" · ")])))
    }

    // MARK: Commerce

    private func row(_ event: LiveEvent, _ commerce: LiveCommerce, _ signed: String?) -> LiveRow {
        let entry = commerce.entry
        let link = entry.transactionID.flatMap { request.transactionCell($0, of: event.bundleID).path }
        let text = Self.dotted([
            .phrase(EventPhrases.name(entry.kind)), entry.productID.map { .data($0.rawValue) },
            seesCustomers ? entry.account.map { .data($0) } : nil, entry.price.map { .money($0) },
        ])
        var details: [Block] = [.facts(facts(event, entry))]
        if let json = signed.flatMap(DecodedJWS.payload) {
            details.append(.code(CodeSample(label: .phrase(LivePhrases.signedTransaction), text: json)))
        }
        return row(event, "\(commerce.app)-\(entry.position)", text, path: link, details)
    }

    private func facts(_ event: LiveEvent, _ entry: JournalTable.NamedEntry) -> [Fact] {
        var facts = [
            Fact(.phrase(Words.time), Cell(.exact(event.at))),
            Fact(
                .phrase(LivePhrases.event),
                Cell(.phrase(EventPhrases.name(entry.kind)), title: .data(entry.kind.rawValue))),
        ]
        func add(_ name: Phrase, _ cell: Cell?) {
            if let cell { facts.append(Fact(.phrase(name), cell)) }
        }
        let app = event.bundleID
        add(Words.app, app.map { .id($0.rawValue) })
        add(
            Words.customer,
            seesCustomers ? entry.account.map { request.customerCell($0, of: app) } : nil)
        add(
            Words.product,
            entry.productID.map {
                .id($0.rawValue, path: request.path(to: "products/\(ConsolePath.encoded($0.rawValue))", of: app))
            })
        add(
            Words.transaction,
            entry.transactionID.map { request.transactionCell($0, of: app) })
        add(NotificationPhrases.original, entry.originalID.map { request.transactionCell($0, of: app) })
        add(Words.price, entry.price.map { Cell(.money($0)) })
        add(LivePhrases.quantity, entry.quantity.map { Cell(.number($0)) })
        add(Words.storefront, entry.storefront.map { Cell(.storefront($0, request.language)) })
        add(LivePhrases.position, Cell(.number(entry.position)))
        return facts
    }

    // MARK: Requests

    private func row(_ event: LiveEvent, _ sent: LiveRequest) -> LiveRow {
        let duration = Text.joined([.decimal(Double(sent.microseconds) / 1000, 1), .data(" ms")])
        // A path or a reason may name a customer.
        let path = seesCustomers ? sent.path : sent.route
        let reason = seesCustomers ? sent.reason : nil
        let text = Self.dotted([
            .data("\(sent.method) \(path)"),
            .data([String(sent.status), sent.code].compactMap { $0 }.joined(separator: " ")),
            reason.flatMap { $0.isEmpty ? nil : RefusalText.sentence($0) } ?? duration,
        ])
        var facts = [
            Fact(.phrase(Words.time), Cell(.exact(event.at))),
            Fact(.phrase(LivePhrases.method), Cell(.data("\(sent.method) \(path)"), isFixedWidth: true)),
            Fact(.phrase(LivePhrases.answer), Cell(.number(sent.status), status: sent.status < 400 ? .good : .bad)),
            Fact(.phrase(LivePhrases.duration), Cell(duration)),
            Fact(.phrase(LivePhrases.sender), Cell(.phrase(Self.name(sent.caller)))),
        ]
        for (name, value) in [
            (LivePhrases.event, sent.code), (LivePhrases.reason, reason), (LivePhrases.advice, sent.advice),
        ] {
            if let value, !value.isEmpty { facts.append(Fact(.phrase(name), Cell(RefusalText.sentence(value)))) }
        }
        return row(event, numbered("request", event), text, [.facts(facts)])
    }

    private static func name(_ caller: LiveRequest.Caller) -> Phrase {
        switch caller {
        case .app: LivePhrases.callerApp
        case .server: LivePhrases.callerServer
        case .connect: LivePhrases.callerConnect
        case .operator: LivePhrases.callerOperator
        case .content: LivePhrases.callerContent
        case .other: LivePhrases.callerOther
        }
    }

    // MARK: Notifications

    private func row(_ event: LiveEvent, _ sent: LiveNotification, _ signed: String?) -> LiveRow {
        let result = [sent.result, sent.httpStatus.map(String.init)].compactMap { $0 }.joined(separator: " ")
        let type = [sent.type, sent.subtype].compactMap { $0 }.joined(separator: " ")
        let link = request.path(to: "notifications/\(sent.uuid)", of: event.bundleID)
        let account = seesCustomers ? sent.account : nil
        let text = Self.dotted([.data(type), account.map { .data($0) }, .data(result)])
        var facts = [
            Fact(.phrase(Words.time), Cell(.exact(event.at))),
            Fact(.phrase(Words.notification), .id(sent.uuid, path: link)),
            Fact(.phrase(LivePhrases.method), Cell(.data("POST \(sent.url)"), isFixedWidth: true)),
            Fact(.phrase(LivePhrases.answer), Cell(.data(result), status: sent.advice == nil ? .good : .bad)),
            Fact(.phrase(NotificationPhrases.attempt), Cell(.number(sent.attempt))),
        ]
        if let account {
            facts.append(Fact(.phrase(Words.customer), request.customerCell(account, of: event.bundleID)))
        }
        if let id = sent.transactionID {
            facts.append(Fact(.phrase(Words.transaction), request.transactionCell(id, of: event.bundleID)))
        }
        if let next = sent.nextAttempt {
            facts.append(Fact(.phrase(NotificationPhrases.nextAttempt), Cell(.exact(next))))
        }
        if let advice = sent.advice {
            facts.append(Fact(.phrase(LivePhrases.advice), Cell(RefusalText.sentence(advice))))
        }
        let response = sent.response.map { [NotificationBlocks.sample($0, withBody: seesCustomers)] } ?? []
        let contents = signed.map(NotificationBlocks.contents) ?? []
        return row(event, numbered("notification", event), text, path: link, [.facts(facts)] + response + contents)
    }
}
