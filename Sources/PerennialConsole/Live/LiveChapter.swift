import Perennial
import PerennialStore
import Synchronization

/// `live`: purchases, requests and notifications as they happen.
struct LiveChapter: ConsoleChapter {
    private static let initialRows = 30

    /// Groups of kinds that a visitor chooses from.
    private enum Group: String, CaseIterable {
        case commerce, requests, notifications, problems

        var kinds: Set<LiveKind> {
            switch self {
            case .commerce:
                Set(LiveKind.selectable).subtracting([.request, .refusal, .notification, .failedNotification])
            case .requests: [.request, .refusal]
            case .notifications: [.notification, .failedNotification]
            case .problems: [.refusal, .failedCharge, .failedNotification]
            }
        }

        var name: Phrase {
            switch self {
            case .commerce: LivePhrases.commerce
            case .requests: LivePhrases.requests
            case .notifications: Words.notifications
            case .problems: LivePhrases.problems
            }
        }
    }

    func add(to routes: ConsoleRoutes) {
        routes.page("live", .view, page)
        routes.stream("live/events", .view, events)
    }

    /// Returns the kinds of the group that is shown; of them, those that are selected.
    private static func kinds(_ request: PageRequest) -> Set<LiveKind> {
        guard let group = Group(rawValue: request.query["show"] ?? "") else { return [] }
        let selected = Set(selected(request).split(separator: ",").compactMap { LiveKind(rawValue: String($0)) })
        let kinds = group.kinds.intersection(selected)
        return kinds.isEmpty ? group.kinds : kinds
    }

    private static func selected(_ request: PageRequest) -> String { request.query["kinds"] ?? "" }

    private static func filter(_ request: PageRequest) -> LiveFilter {
        // A role that sees no customers finds none by their events either.
        let account = request.allows(.support) ? request.query["account"]?.trimmed ?? "" : ""
        return LiveFilter(
            kinds: kinds(request), bundleID: request.app?.bundleID,
            account: account.isEmpty ? nil : account,
            visible: request.visitor.seesAllApps ? nil : Set(request.apps.map(\.bundleID)))
    }

    @Sendable private func page(_ request: PageRequest) async throws -> Page {
        let filter = Self.filter(request)
        let recent = try await request.store.live.recent(filter, limit: Self.initialRows)
        let rows = LiveRows(request)
        let stream = request.path(
            "live/events",
            [
                "show": request.query["show"] ?? "", "kinds": Self.selected(request),
                "account": filter.account ?? "",
                "from": rows.position(recent.position) ?? "",
            ])
        return Page(
            .phrase(LivePhrases.title), .live,
            [
                .paragraph(.phrase(LivePhrases.explanation)), .filter(Self.choices(request, filter)),
                .live(
                    LiveList(
                        path: stream,
                        empty: .phrase(
                            filter.kinds.isEmpty && filter.account == nil ? LivePhrases.empty : LivePhrases.noneMatch),
                        rows: await rows.rows(recent.events))),
                .same(Self.command(request, filter)),
            ])
    }

    private static func choices(_ request: PageRequest, _ filter: LiveFilter) -> Filter {
        let options = [("", Text.phrase(Words.all))] + Group.allCases.map { ($0.rawValue, .phrase($0.name)) }
        var choices = [
            Filter.Choice(
                label: .phrase(LivePhrases.show), parameter: "show",
                options: options.map { (value: $0.0, text: $0.1) }, selected: request.query["show"] ?? "")
        ]
        // Of all kinds there are too many to choose from one by one.
        if let group = Group(rawValue: request.query["show"] ?? "") {
            let kinds = LiveKind.selectable.filter(group.kinds.contains)
            choices.append(
                Filter.Choice(
                    label: .phrase(LivePhrases.only), parameter: "kinds",
                    options: kinds.map { (value: $0.rawValue, text: .phrase(EventWords.name($0))) },
                    selected: Self.selected(request), allowsSeveral: true))
        }
        return Filter(
            choices: choices,
            searches: request.allows(.support)
                ? [Filter.Search(label: .phrase(Words.customer), parameter: "account", value: filter.account ?? "")]
                : [])
    }

    private static func command(_ request: PageRequest, _ filter: LiveFilter) -> SameCommand {
        var (command, query): (String, [String]) = ("listen --environment \(request.environment.name)", [])
        if let app = request.app {
            command += " --app \(app.bundleID.rawValue)"
            query.append("app=\(ConsolePath.encoded(app.bundleID.rawValue))")
        }
        if let account = filter.account {
            command += " --account '\(account.replacing("'", with: "'\\''"))'"
            query.append("account=\(ConsolePath.encoded(account))")
        }
        let kinds = LiveKind.selectable.filter(filter.kinds.contains)
        command += kinds.map { " --kind \($0.optionName)" }.joined()
        if !kinds.isEmpty { query.append("kinds=\(kinds.map(\.rawValue).joined(separator: ","))") }
        let fields = query.isEmpty ? "" : "?" + query.joined(separator: "&")
        return SameCommand(command, .init("GET", "control/v1/live\(fields)"))
    }

    /// Streams rows from the place after those of the page; after a break, from the last position that the browser has.
    @Sendable private func events(
        _ request: PageRequest
    ) async throws -> AsyncThrowingStream<LiveRow, any Error> {
        let last = request.query["last-event-id"].flatMap { LivePosition($0) }
        let from = last ?? request.query["from"].flatMap { LivePosition($0) }
        let watcher = try await request.store.live.watch(Self.filter(request), from: from)
        // Pulled: a browser that doesn't read has no more than one batch wait for it.
        let source = Source(watcher, request)
        return AsyncThrowingStream { try await source.next() }
    }

    /// The rows of a watcher's batches, one by one.
    private final class Source: Sendable {
        private let watcher: LiveWatcher
        private let request: PageRequest
        private let stream: String
        private let state = Mutex((rows: ArraySlice<LiveRow>(), batches: 0))

        init(_ watcher: LiveWatcher, _ request: PageRequest) {
            self.watcher = watcher
            self.request = request
            stream = request.services.randomBytes(8).map { String($0, radix: 36) }.joined()
        }

        func next() async throws -> LiveRow? {
            while true {
                if let row = state.withLock({ $0.rows.popFirst() }) { return row }
                guard let batch = try await watcher.next() else { return nil }
                // The clock moves while a stream is open.
                let rows = LiveRows(request, now: try await request.store.now(), stream: stream)
                let number = state.withLock { state in
                    state.batches += 1
                    return state.batches
                }
                let next = await rows.rows(batch, number: number)
                state.withLock { $0.rows = next[...] }
            }
        }
    }
}
