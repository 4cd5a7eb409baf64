import Perennial
import PerennialStore

/// The environments of the store: see, create, empty and remove them.
struct EnvironmentsChapter: ConsoleChapter {
    private static let pageSize = 50

    func add(to routes: ConsoleRoutes) {
        routes.page("environments", .view) { try await page($0) }
        routes.form("environments", .operate) { try await create($0) }
        routes.form("environments/reset", .operate) { try await reset($0) }
        routes.form("environments/remove", .operate) { try await remove($0) }
    }

    // MARK: The page

    private func page(
        _ request: PageRequest, after cursor: String? = nil, form: Form? = nil, refused name: String? = nil,
        status: Int = 200
    ) async throws -> Page {
        let cursor = cursor ?? request.query["after"] ?? ""
        let found = try await request.services.registry.summaries(
            after: cursor.isEmpty ? nil : cursor, limit: Self.pageSize)
        let rows = found.items.map {
            row($0, request, after: cursor, isRefused: $0.environment.name == name)
        }
        var table = Self.table(rows)
        table.next = found.next.map { request.path("environments", ["after": $0]) }
        table.first = cursor.isEmpty ? nil : request.path("environments")
        var blocks: [Block] = [.table(table)]
        if request.allows(.operate) {
            blocks.append(
                .section(.phrase(EnvironmentPhrases.create), id: "create", [.form(form ?? Self.form(request))]))
        }
        return Page(.phrase(EnvironmentPhrases.title), .environments, status: status, blocks)
    }

    private static func table(_ rows: [Table.Row]) -> Table {
        Table(
            caption: .phrase(EnvironmentPhrases.title),
            columns: [
                .init(.phrase(Words.name), .leading, .primary),
                .init(.phrase(EnvironmentPhrases.now), .leading, .primary),
                .init(.phrase(EnvironmentPhrases.kind)), .init(.phrase(EnvironmentPhrases.clock)),
                .init(.phrase(EnvironmentPhrases.baseURL), .leading, .wideOnly),
                .init(.phrase(EnvironmentPhrases.dueWork), .trailing),
            ], rows: rows)
    }

    private func row(
        _ summary: EnvironmentSummary, _ request: PageRequest, after cursor: String, isRefused: Bool
    ) -> Table.Row {
        let environment = summary.environment
        let overview = ConsolePath.page(
            "overview", environment: environment.name, app: request.app?.bundleID.rawValue)
        let isManual = environment.clock == .manual
        return Table.Row(
            [
                Cell(.data(environment.name), path: overview), Cell(.exact(summary.now)),
                Cell(.data(environment.kind.rawValue)),
                Cell(.phrase(isManual ? EnvironmentPhrases.manualClock : EnvironmentPhrases.realClock)),
                Cell(.data(environment.basePath.isEmpty ? "/" : environment.basePath), isFixedWidth: true),
                Cell(
                    .number(summary.dueRenewals),
                    path: ConsolePath.page("clock", environment: environment.name, app: nil)),
            ],
            details: Self.mayEmpty(environment, request)
                ? actions(environment, request, after: cursor, isRefused: isRefused) : [])
    }

    /// Returns true if the visitor may empty and remove an environment: one of production takes an admin.
    private static func mayEmpty(_ environment: StoreEnvironment, _ request: PageRequest) -> Bool {
        request.allows(environment.kind.isForTests ? .operate : .administer)
    }

    /// Returns the environment that a form empties or removes.
    ///
    /// - Throws: ``ConsoleError`` `.notFound`, `.forbidden`.
    private static func emptied(_ form: FormRequest) async throws -> Store {
        let name = form.values["name"]
        guard let store = try await form.page.services.registry.store(named: name) else {
            throw ConsoleError.notFound(.phrase(WebPhrases.noSuchEnvironment, .data(name)))
        }
        guard mayEmpty(store.environment, form.page) else { throw ConsoleError.forbidden(.administer) }
        return store
    }

    /// The forms that empty and remove an environment.
    private func actions(
        _ environment: StoreEnvironment, _ request: PageRequest, after cursor: String, isRefused: Bool
    ) -> [Block] {
        let name = environment.name
        // A refusal shows the page of the list on which the environment stands.
        let fields: [Field] = [.hidden("name", name), .hidden("after", cursor)]
        let error: Text? = isRefused ? .phrase(EnvironmentPhrases.typeName) : nil
        let reset = Form(
            request.path("environments/reset"), submit: .phrase(EnvironmentPhrases.reset), error: error,
            warning: .phrase(EnvironmentPhrases.resetWarning, .data(name)), confirmation: name, isDangerous: true,
            same: SameCommand(
                "environments reset \(name)",
                .init("POST", "\(environment.basePath)/control/v1/reset".dropFirst().description, isGlobal: true)),
            fields)
        guard !environment.id.isPermanent else { return [.form(reset)] }
        let remove = Form(
            request.path("environments/remove"), submit: .phrase(EnvironmentPhrases.remove), error: error,
            warning: .phrase(EnvironmentPhrases.removeWarning, .data(name)), confirmation: name, isDangerous: true,
            same: SameCommand(
                "environments delete \(name)", .init("DELETE", "control/v1/environments/\(name)", isGlobal: true)),
            fields)
        return [.columns([[.form(reset)], [.form(remove)]])]
    }

    private static func form(
        _ request: PageRequest, _ values: FormValues? = nil, nameError: Text? = nil, startError: Text? = nil,
        kindError: Text? = nil, clockError: Text? = nil
    ) -> Form {
        let kinds = StoreEnvironment.Kind.allCases.map { Field.Option($0.rawValue, .data($0.rawValue)) }
        return Form(
            request.path("environments"), submit: .phrase(Words.create),
            same: SameCommand(
                "environments create lab --now 2026-01-31T10:00:00Z",
                .init(
                    "POST", "control/v1/environments",
                    #"{"name": "lab", "kind": "Sandbox", "clock": "manual", "now": "2026-01-31T10:00:00Z"}"#,
                    isGlobal: true)),
            [
                Field(
                    "name", .phrase(Words.name), value: values?["name"] ?? "",
                    hint: .phrase(EnvironmentPhrases.nameHint), error: nameError, isRequired: true,
                    maximumLength: StoreRegistry.maximumNameLength),
                Field(
                    "kind", .phrase(EnvironmentPhrases.kind), .choice(kinds),
                    value: values?["kind"] ?? StoreEnvironment.Kind.sandbox.rawValue,
                    hint: .phrase(EnvironmentPhrases.kindHint), error: kindError),
                Field(
                    "clock", .phrase(EnvironmentPhrases.clock),
                    .choice([
                        .init(StoreEnvironment.Clock.manual.rawValue, .phrase(EnvironmentPhrases.manualClock)),
                        .init(StoreEnvironment.Clock.real.rawValue, .phrase(EnvironmentPhrases.realClock)),
                    ]), value: values?["clock"] ?? StoreEnvironment.Clock.manual.rawValue, error: clockError),
                Field(
                    "now", .phrase(EnvironmentPhrases.start), value: values?["now"] ?? "",
                    hint: .phrase(EnvironmentPhrases.startHint), error: startError),
            ])
    }

    // MARK: Actions

    private func create(_ form: FormRequest) async throws -> FormAnswer {
        let (values, request) = (form.values, form.page)
        func again(
            name: Text? = nil, start: Text? = nil, kind: Text? = nil, clock: Text? = nil
        ) async throws -> FormAnswer {
            let form = Self.form(
                request, values, nameError: name, startError: start, kindError: kind, clockError: clock)
            return .page(try await page(request, form: form, status: 422))
        }
        guard let kind = StoreEnvironment.Kind(rawValue: values["kind"]) else {
            return try await again(kind: .phrase(RefusalPhrases.choice))
        }
        guard let clock = StoreEnvironment.Clock(rawValue: values["clock"]) else {
            return try await again(clock: .phrase(RefusalPhrases.choice))
        }
        let now = values.optional("now").map { Instant(rfc3339: $0) }
        if case .some(.none) = now { return try await again(start: .phrase(EnvironmentPhrases.badTime)) }
        if clock == .real, now != nil { return try await again(start: .phrase(EnvironmentPhrases.startOfRealClock)) }
        do {
            let made = try await request.services.registry.makeEnvironment(
                values["name"], kind: kind, clock: clock, now: now ?? nil)
            return .redirect(request.path("environments"), .phrase(EnvironmentPhrases.created, .data(made.name)))
        } catch let error as StoreError where error.code == .environmentExists {
            return try await again(name: .phrase(EnvironmentPhrases.nameTaken))
        } catch let error as StoreError where error.code == .malformed && error.subject == "name" {
            return try await again(name: .phrase(EnvironmentPhrases.nameHint))
        } catch let error as StoreError where error.code == .malformed && error.subject == "now" {
            return try await again(start: RefusalText.text(error.reason, otherwise: error.code.phrase))
        }
    }

    private func reset(_ form: FormRequest) async throws -> FormAnswer {
        let (name, store) = (form.values["name"], try await Self.emptied(form))
        guard form.values["confirmation"] == name else { return try await refused(form) }
        try await store.reset()
        return .redirect(form.page.path("environments"), .phrase(EnvironmentPhrases.emptied, .data(name)))
    }

    private func remove(_ form: FormRequest) async throws -> FormAnswer {
        let (name, request) = (form.values["name"], form.page)
        _ = try await Self.emptied(form)
        guard form.values["confirmation"] == name else { return try await refused(form) }
        try await request.services.registry.removeEnvironment(name)
        // Not to a page of the removed one.
        let place = request.environment.name == name ? StoreEnvironment.sandbox.name : request.environment.name
        return .redirect(
            ConsolePath.page("environments", environment: place, app: request.app?.bundleID.rawValue),
            .phrase(EnvironmentPhrases.removed, .data(name)))
    }

    private func refused(_ form: FormRequest) async throws -> FormAnswer {
        .page(
            try await page(form.page, after: form.values["after"], refused: form.values["name"], status: 422))
    }
}
