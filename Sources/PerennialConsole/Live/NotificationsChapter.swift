import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore

/// `notifications`: an app's server notifications, how their sending stands, and each with its attempts.
struct NotificationsChapter: ConsoleChapter {
    private static let pageSize = 50

    func add(to routes: ConsoleRoutes) {
        routes.page("notifications", .view, list)
        routes.page("notifications/:uuid", .view, notification)
        routes.form("notifications/:uuid/send", .operate, send)
    }

    // MARK: The list

    @Sendable private func list(_ request: PageRequest) async throws -> Page {
        let bundleID = try request.bundleID()
        let filter = Self.filter(request.query)
        let after = request.query["after"].flatMap { $0.isEmpty ? nil : $0 }
        let subject = request.query["subject"]?.trimmed ?? ""
        // Nothing is about a transaction that can't be.
        let isWrong = !subject.isEmpty && filter.originalID == nil
        let page =
            isWrong
            ? ListPage([])
            : try await request.store.notifications.list(of: bundleID, filter, after: after, limit: Self.pageSize)
        let settings = Link(.phrase(NotificationPhrases.settings), request.path("notification-url"))
        let actions: [Action] = request.allows(.operate) ? [.link(settings)] : []
        let table = Table(
            caption: .phrase(NotificationPhrases.caption), columns: Self.columns,
            rows: page.items.map { Self.row($0, request) },
            next: page.next.map { Self.path(filter, after: $0, request) },
            first: after == nil ? nil : Self.path(filter, after: "", request),
            empty: isWrong
                ? .noneMatch(
                    .phrase(NotificationPhrases.notATransaction, .data(String(subject.prefix(200)))),
                    clearedAt: request.path("notifications"))
                : Self.empty(filter, bundleID, request))
        return Page(
            .phrase(Words.notifications), .notifications, actions: actions,
            [
                .filter(Self.choices(filter, subject: subject)), .table(table),
                .same(Self.command(filter, bundleID, request)),
            ])
    }

    /// Returns the path of a page of the list.
    private static func path(_ filter: NotificationFilter, after: String, _ request: PageRequest) -> String {
        request.path(
            "notifications",
            [
                "type": filter.type ?? "", "state": filter.state?.rawValue ?? "",
                "subject": filter.originalID?.description ?? "", "after": after,
            ])
    }

    private static func filter(_ query: [String: String]) -> NotificationFilter {
        func value(_ name: String) -> String? { query[name].map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 } }
        return NotificationFilter(
            type: value("type")?.uppercased(), state: value("state").flatMap(SendingState.init),
            originalID: value("subject").flatMap { TransactionID($0) })
    }

    private static func choices(_ filter: NotificationFilter, subject: String) -> Filter {
        let states =
            [("", Text.phrase(Words.all))]
            + SendingState.allCases.map { ($0.rawValue, .phrase(NotificationPhrases.state($0))) }
        return Filter(
            choices: [
                Filter.Choice(
                    label: .phrase(Words.status), parameter: "state",
                    options: states.map { (value: $0.0, text: $0.1) }, selected: filter.state?.rawValue ?? "")
            ],
            searches: [
                Filter.Search(
                    label: .phrase(Words.type), parameter: "type", value: filter.type ?? "",
                    placeholder: .data(NotificationType.didRenew.rawValue)),
                Filter.Search(
                    label: .phrase(NotificationPhrases.original), parameter: "subject", value: subject),
            ])
    }

    private static let columns = [
        Table.Column(.phrase(Words.type), .leading, .primary),
        Table.Column(.phrase(NotificationPhrases.subtype)),
        Table.Column(.phrase(Words.status), .leading, .primary),
        Table.Column(.phrase(NotificationPhrases.attempts), .trailing),
        Table.Column(.phrase(NotificationPhrases.result), .leading, .wideOnly),
        Table.Column(.phrase(NotificationPhrases.signed)),
        Table.Column(.phrase(NotificationPhrases.nextAttempt), .leading, .wideOnly),
    ]

    private static func row(_ record: NotificationRecord, _ request: PageRequest) -> Table.Row {
        let state = SendingState(record)
        return Table.Row([
            Cell(.data(record.type), path: request.path("notifications/\(record.uuid)"), isFixedWidth: true),
            Cell(.data(record.subtype ?? ""), isFixedWidth: true),
            Cell(.phrase(NotificationPhrases.state(state)), status: NotificationPhrases.status(state)),
            Cell(.number(record.attempts.count)),
            Cell(record.attempts.last.map { .data(Self.result($0)) } ?? .none),
            Cell(.time(record.signed)), Cell(record.nextAttempt.map { .time($0) } ?? .none),
        ])
    }

    private static func result(_ attempt: NotificationRecord.Attempt) -> String {
        [attempt.result, attempt.httpStatus.map(String.init)].compactMap { $0 }.joined(separator: " ")
    }

    private static func empty(
        _ filter: NotificationFilter, _ bundleID: App.BundleID, _ request: PageRequest
    ) -> EmptyState {
        guard filter == NotificationFilter() else {
            return .noneMatch(.phrase(NotificationPhrases.noneFound), clearedAt: request.path("notifications"))
        }
        guard request.allows(.operate) else { return EmptyState(text: .phrase(NotificationPhrases.none)) }
        let url = "http://127.0.0.1:9000/app-store"
        return EmptyState(
            text: .phrase(NotificationPhrases.none),
            action: .link(
                Link(.phrase(NotificationPhrases.setURL), request.path("notification-url")), isProminent: true),
            same: SameCommand(
                "notifications receiver set \(url) --app \(bundleID.rawValue) --environment \(request.environment.name)",
                .init(
                    "PUT", "control/v1/apps/\(ConsolePath.encoded(bundleID.rawValue))/notifications",
                    #"{"url":"\#(url)"}"#)))
    }

    private static func command(
        _ filter: NotificationFilter, _ bundleID: App.BundleID, _ request: PageRequest
    ) -> SameCommand {
        var command = "notifications list --app \(bundleID.rawValue) --environment \(request.environment.name)"
        var query: [String] = []
        for (option, field, word, value) in [
            ("type", "type", filter.type, filter.type),
            ("state", "state", filter.state?.option, filter.state?.rawValue),
            ("subject", "originalTransactionId", filter.originalID?.description, filter.originalID?.description),
        ] {
            guard let word, let value else { continue }
            command += " --\(option) \(word)"
            query.append("\(field)=\(ConsolePath.encoded(value))")
        }
        let fields = query.isEmpty ? "" : "?" + query.joined(separator: "&")
        return SameCommand(
            command,
            .init("GET", "control/v1/apps/\(ConsolePath.encoded(bundleID.rawValue))/notifications/history\(fields)"))
    }

    // MARK: One notification

    @Sendable private func notification(_ request: PageRequest) async throws -> Page {
        let bundleID = try request.bundleID()
        let found = try await request.store.notifications.notification(request.parameter("uuid"), of: bundleID)
        let body = try await request.store.notifications.version1Body(of: found, bundleID)
        return NotificationPage(found, unsignedBody: body, bundleID, request).page
    }

    @Sendable private func send(_ form: FormRequest) async throws -> FormAnswer {
        let uuid = form.page.parameter("uuid")
        try await form.page.store.notifications.resend(uuid, of: try form.page.bundleID())
        return .redirect(
            form.page.path("notifications/\(ConsolePath.encoded(uuid))"), .phrase(NotificationPhrases.isSentAgain))
    }
}
