import Perennial

@testable import PerennialConsole

/// A page with each kind of block, and a frame around it.
enum RenderingSamples {
    static let now = Instant(seconds: 1_774_951_200)
    /// Stands in each text and each datum.
    static let hostile = "<script>alert('1')</script>\" onload=x & {{.words}}"
    private static let data = Text.data(hostile)

    static func frame(
        _ language: Language = .english, permissions: Set<Permission> = Set(Permission.allCases),
        clock: StoreEnvironment.Clock = .manual
    ) -> Frame {
        let app = ConsoleApp(bundleID: App.BundleID(rawValue: "com.example.magazine"), appleID: 1, name: hostile)
        let environment = StoreEnvironment(id: .init(rawValue: 7), name: "ci-1", kind: .sandbox, clock: clock)
        return Frame(
            language: language, now: now, environment: environment, environments: [.production, environment],
            apps: [app], app: app, visitorName: hostile, permissions: permissions, formToken: "token")
    }

    static let same = SameCommand("buy --app a 'b'", .init("POST", "control/v1/purchases", "{\"a\": \"it's\"}"))
    static let link = Link(data, "/console/x?a=\(hostile)")
    static let actions: [Action] = [
        .link(link, isProminent: true), .download(link),
        .post(data, path: "/a", fields: [hostile: hostile], isDangerous: true, same: same),
    ]

    static let table = Table(
        caption: data,
        columns: [
            .init(data), .init(data, .trailing, .primary, definition: data), .init(data, .trailing),
            .init(data, .leading, .wideOnly),
        ],
        rows: [
            .init(
                [
                    Cell(data, path: "/p?\(hostile)", status: .good, title: data, isFixedWidth: true),
                    Cell(.money(Money(milliunits: 1990, .usd))), Cell(.percent(0.5), heat: 0.5), Cell(.time(now)),
                ],
                details: [.paragraph(data)], actions: actions),
            .init([Cell(data), Cell(.none), Cell(.percent(1), heat: 1), Cell(.day(now))], isTotal: true),
        ], next: "/next?\(hostile)", first: "/first")

    static let fields: [Field] = [
        Field(hostile, data, value: hostile, hint: data, error: data, isRequired: true, maximumLength: 5),
        Field("password", data, .password), Field("number", data, .number), Field("date", data, .date),
        Field("time", data, .time), Field("lines", data, .multiline(rows: 3), value: "\n" + hostile, error: data),
        Field("choice", data, .choice([.init(hostile, data), .init("b", data)]), value: "b", hint: data),
        Field("box", data, .box, value: "on", error: data), Field("file", data, .file(accepting: "image/png")),
        .hidden("hidden", hostile),
    ]

    static let liveRow = LiveRow(
        id: hostile, time: now, kind: hostile, kindText: data, text: data, status: .bad, path: "/x",
        details: [.code(CodeSample(label: data, text: hostile))])

    static let blocks: [Block] = [
        .figures([
            Figure(
                label: data, value: .money(Money(milliunits: 1990, .usd)), change: -0.1, isBetterLower: true,
                definition: data, path: "/x", sparkline: [1, 3, 2]),
            Figure(label: data, value: data, definition: data),
        ]),
        .table(table),
        .table(Table(caption: data, columns: [.init(data)], rows: [], empty: EmptyState(text: data))),
        .table(
            Table(
                caption: data, columns: [.init(data)], rows: [], next: "/list?after=\(hostile)", first: "/list",
                empty: EmptyState(text: data))),
        .facts([Fact(data, Cell(data, path: "/x", status: .warning), definition: data), Fact(data, .id("1"))]),
        .form(
            Form(
                "/form?\(hostile)", submit: data, error: data, warning: data, confirmation: "film.roll (36)",
                isDangerous: true, sendsFiles: true, same: same, fields)),
        .form(Form("/query", submit: data, isQuery: true, [Field("a", data)])),
        .chart(Chart(title: data, summary: data, svg: { "<svg><title>\($0(.number(1)))</title></svg>" }, table: table)),
        .timeline([
            TimelineEntry(time: now, text: data, status: .good, links: [link], details: [.paragraph(data)]),
            TimelineEntry(time: now + -.days(3), text: data),
        ]),
        .code(CodeSample(label: data, text: hostile + "\n  {{#.x}}\n")),
        .notice(Notice(status: .warning, text: data, advice: data, links: [link])),
        .empty(EmptyState(text: data, action: actions[0], same: same)),
        .columns([[.paragraph(data)], [.section(data, [.section(data, [.paragraph(.time(now))])])]]),
        .section(data, id: hostile, actions: actions, [.paragraph(data)]),
        .details(data, [.paragraph(data)]),
        .checks([
            Check(outcome: .passed, name: data),
            Check(outcome: .failed, name: data, reason: data, details: [.paragraph(data)]),
            Check(outcome: .skipped, name: data),
        ]),
        .links([link]), .actions(actions), .same(same),
        .filter(
            Filter(
                choices: [
                    .init(label: data, parameter: "few", options: [(hostile, data), ("b", data)], selected: "b"),
                    .init(label: data, parameter: "many", options: (0..<9).map { ("\($0)", data) }, selected: "3"),
                ], searches: [.init(label: data, parameter: "text", value: hostile, placeholder: data)],
                hidden: ["kept": hostile])),
        .live(LiveList(path: "/stream?\(hostile)", empty: data, rows: [liveRow])),
        .order(
            OrderedList(
                label: data, path: "/order",
                items: ["a", "b", "c"].map { .init(id: $0, text: data, path: "/x", note: data) })),
    ]

    static let page = Page(data, .sales, trail: [link], actions: actions, blocks)

    static func html(_ frame: Frame = frame()) -> String { PageRenderer().html(page, in: frame, notice: data) }
}
