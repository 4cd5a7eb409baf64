import Perennial
import PerennialStore

/// The explanation of a statistic on a day: what the day adds to the amounts from which it is computed, and the entries.
struct StatisticExplanation: Sendable {
    let page: PageRequest
    let statistic: Statistic
    let day: PacificDay
    /// The page that replays the day, however long the journal is.
    static let entriesPath = "explain/entries"
    /// The longest journal of which a page replays the subscriptions of a day at once.
    private static let shortJournal: Int64 = 2000

    /// - Returns: `nil` for a query that names no statistic.
    init?(_ page: PageRequest, _ query: [String: String]) {
        guard let statistic = query["statistic"].flatMap(Statistic.init(rawValue:)) else { return nil }
        self.page = page
        self.statistic = statistic
        day = query["date"].flatMap { PacificDay($0) } ?? PacificDay(page.now)
    }

    func page() async throws -> Page {
        let bundleID = try page.bundleID()
        let sums = try await page.store.rolledUp.statistics.sums(of: statistic.measures, day...day, in: bundleID)
        let journal = try await page.store.rolledUp.status(of: bundleID)?.journal ?? 0
        var blocks: [Block] = [.facts(facts), .table(table(sums))]
        if journal <= Self.shortJournal {
            blocks += try await entries(after: page.query["after"]) { place in
                page.path(
                    "explain",
                    [
                        "figure": "statistic", "statistic": statistic.rawValue, "date": "\(day)",
                        "after": place.text,
                    ])
            }
        } else {
            blocks += [.paragraph(.phrase(ExplainPhrases.reads)), .form(form)]
        }
        return answer(blocks + [.same(same)])
    }

    /// Returns the page that replays the day, or how far it is.
    func replayed() async throws -> Page {
        let frame = answer([.facts(facts), .same(same)])
        return try await page.computed(Self.entriesPath, frame) { _ in try await listed() }
    }

    /// Replays the day, however long the journal is.
    private func listed() async throws -> Page {
        let blocks = try await entries(after: page.query["after"]) { place in
            page.path(
                Self.entriesPath,
                [
                    "statistic": statistic.rawValue, "date": "\(day)", "after": place.text,
                ])
        }
        return answer([.facts(facts)] + blocks + [.same(same)])
    }

    private func answer(_ blocks: [Block]) -> Page {
        Page(
            .phrase(ExplainPhrases.title), .subscriptions,
            trail: [Link(.phrase(Words.subscriptions), page.path("subscriptions"))], blocks)
    }

    private var facts: [Fact] {
        [
            Fact(.phrase(ExplainPhrases.statistic), .id(statistic.rawValue)),
            Fact(.phrase(Words.date), Cell(day.text)),
        ]
    }

    private func table(_ sums: StatisticSums) -> Table {
        Table(
            caption: .phrase(ExplainPhrases.change),
            columns: [
                Table.Column(.phrase(ExplainPhrases.figure), .leading, .primary),
                Table.Column(.phrase(ExplainPhrases.change), .trailing, .primary),
            ],
            rows: statistic.measures.map { measure in
                Table.Row([
                    Cell(.phrase(MeasurePhrases.name(measure)), title: .data("\(measure)")),
                    Cell(measure.isMoney ? sums.money(measure).text : .number(sums[measure, "", nil])),
                ])
            })
    }

    /// Returns the entries of each amount with a comparison; the page after them where there is one.
    private func entries(
        after: String?, next: (Explanation.Place) -> String?
    ) async throws -> [Block] {
        let place = after.flatMap { Explanation.Place($0) } ?? Explanation.Place(app: 0, position: 0)
        let explained: [Explanation]
        do {
            explained = try await page.store.explain.statistic(
                StatisticFigure(bundleID: try page.bundleID(), statistic: statistic, date: "\(day)"),
                .init(after: place, limit: SalesExplanation.pageLength))
        } catch let error as ExplainError where error.code == .figureNotFound {
            return [.empty(EmptyState(text: .phrase(ExplainPhrases.noEntries)))]
        }
        return zip(statistic.measures, explained).map { measure, explained in
            let table = EntryTable(page: page, contributions: explained.contributions, counts: !measure.isMoney)
            let check = Check(
                reported: explained.reported, journal: explained.recomputed, entries: explained.count,
                counts: !measure.isMoney)
            return .section(
                .phrase(MeasurePhrases.name(measure)),
                [
                    .checks([check]),
                    .table(
                        table.table(
                            next: explained.next.flatMap(next), first: nil,
                            empty: .phrase(ExplainPhrases.noEntries))),
                ])
        }
    }

    private var form: Form {
        Form(
            page.path(Self.entriesPath), submit: .phrase(ExplainPhrases.listEntries), isQuery: true, same: same,
            [.hidden("statistic", statistic.rawValue), .hidden("date", "\(day)")])
    }

    private var same: SameCommand {
        let app = page.app?.bundleID.rawValue ?? ""
        return SameCommand(
            "explain statistics \(statistic.rawValue) --app \(app) --date \(day) --environment \(page.environment.name)",
            .init(
                "GET",
                "control/v1/explain/statistics?bundleId=\(app)&statistic=\(statistic.rawValue)&date=\(day)"))
    }
}
