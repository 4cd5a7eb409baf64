import Perennial
import PerennialStore

/// The environment's clock: see it, advance it, watch what falls due.
struct ClockChapter: ConsoleChapter {
    private static let maximumRows = 50

    func add(to routes: ConsoleRoutes) {
        routes.page("clock", .view) { try await page($0) }
        routes.form("clock", .operate) { try await advance($0) }
    }

    // MARK: The page

    private func page(_ request: PageRequest, form: Form? = nil, status: Int = 200) async throws -> Page {
        let isManual = request.environment.clock == .manual
        var blocks: [Block] = [
            .figures([
                Figure(
                    label: .phrase(EnvironmentPhrases.now), value: .exact(request.now),
                    definition: .phrase(ClockPhrases.timeDefinition))
            ])
        ]
        if !isManual {
            let link = Link(.phrase(EnvironmentPhrases.create), request.path("environments") + "#create")
            blocks.append(
                .notice(
                    Notice(
                        status: .neutral, text: .phrase(ClockPhrases.runs), advice: .phrase(ClockPhrases.runsAdvice),
                        links: [link])))
        } else if request.allows(.operate) {
            blocks.append(.section(.phrase(ClockPhrases.advance), [.form(form ?? Self.form(request))]))
        }
        if let happened = try await happened(request) { blocks.append(happened) }
        blocks.append(
            .section(
                .phrase(ClockPhrases.next), id: "next",
                [.table(try await UpcomingTable(request).table(limit: Self.maximumRows))]))
        return Page(.phrase(ClockPhrases.title), .environments, status: status, blocks)
    }

    /// - Parameter field: The field to which the error belongs; `nil` for the form as a whole.
    private static func form(
        _ request: PageRequest, _ values: FormValues? = nil, error: Text? = nil, at field: String? = nil
    ) -> Form {
        let place = " --environment \(request.environment.name)"
        return Form(
            request.path("clock"), submit: .phrase(ClockPhrases.advance), error: field == nil ? error : nil,
            same: SameCommand(
                "clock advance --by P1M" + place,
                .init("POST", "control/v1/clock/advance", #"{"by": "P1M"}"#)),
            [
                Field(
                    "by", .phrase(ClockPhrases.by), value: values?["by"] ?? "", hint: .phrase(ClockPhrases.byHint),
                    error: field == "by" ? error : nil, maximumLength: 40),
                Field(
                    "to", .phrase(ClockPhrases.to), value: values?["to"] ?? "", hint: .phrase(ClockPhrases.toHint),
                    error: field == "to" ? error : nil, maximumLength: 40),
            ])
    }

    /// The events of the app's journal since the position in the query.
    private func happened(_ request: PageRequest) async throws -> Block? {
        guard let app = request.app, let since = request.query["since"].flatMap({ Int64($0) }), since >= 0 else {
            return nil
        }
        let page = try await request.store.transactions.journal(
            of: app.bundleID, from: since + 1, limit: Self.maximumRows)
        let entries = page.items.map { listed in
            let entry = listed.value.entry
            var links: [Link] = []
            // Pages of customers and of transactions are for roles with support.
            if request.allows(.support) {
                links.append(
                    Link(.data(listed.account), request.path("customers/\(ConsolePath.encoded(listed.account))")))
                if let id = entry.transactionID {
                    links.append(Link(.data(id.description), request.path("transactions/\(id)")))
                }
            }
            let product: [Text] = entry.productID.map { [.data($0.rawValue)] } ?? []
            return TimelineEntry(
                time: entry.at, text: .list([.phrase(EventWords.name(LiveKind(entry.kind)))] + product), links: links)
        }
        guard !entries.isEmpty else { return nil }
        let all = Link(.phrase(ClockPhrases.allHappened), request.path("transactions"))
        return .section(
            .phrase(ClockPhrases.happened), id: "happened",
            [.timeline(entries)] + (page.next == nil || !request.allows(.support) ? [] : [.links([all])]))
    }

    // MARK: Advancing

    private func advance(_ form: FormRequest) async throws -> FormAnswer {
        let (values, request) = (form.values, form.page)
        func again(_ error: Text, at field: String? = nil) async throws -> FormAnswer {
            .page(try await page(request, form: Self.form(request, values, error: error, at: field), status: 422))
        }
        let position = try await position(request)
        let moved: ClockAdvance
        do {
            switch (values.optional("by"), values.optional("to")) {
            case (let by?, nil):
                moved = try await request.store.clock.advance(by: try CalendarDuration(iso8601: by))
            case (nil, let to?):
                guard let time = Instant(rfc3339: to) else {
                    return try await again(.phrase(EnvironmentPhrases.badTime), at: "to")
                }
                moved = try await request.store.clock.advance(to: time)
            default: return try await again(.phrase(ClockPhrases.both))
            }
        } catch is CalendarDuration.Malformed {
            return try await again(.phrase(ClockPhrases.badDuration), at: "by")
        } catch let error as StoreError where [.timeInThePast, .malformed].contains(error.code) {
            return try await again(
                RefusalText.text(error.reason, otherwise: error.code.phrase),
                at: values.optional("to") == nil ? "by" : "to")
        } catch let error as StoreError where error.code == .clockRunsByItself {
            return try await again(.phrase(ClockPhrases.runs))
        }
        let query: KeyValuePairs = ["since": position.map(String.init) ?? ""]
        return .redirect(
            request.path("clock", query),
            .phrase(ClockPhrases.advanced, .exact(moved.reached), .number(moved.events)))
    }

    /// The last position of the app's journal.
    private func position(_ request: PageRequest) async throws -> Int64? {
        guard let app = request.app else { return nil }
        let last = try await request.store.transactions.journal(of: app.bundleID, limit: 1).items.first
        return last?.value.position ?? 0
    }
}
