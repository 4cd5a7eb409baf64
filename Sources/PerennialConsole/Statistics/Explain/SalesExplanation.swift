import Perennial
import PerennialStore

/// The explanation of a sum of Sales and Trends: the figure, and the journal entries behind it, page by page.
struct SalesExplanation: Sendable {
    let page: PageRequest
    let figure: SalesFigure
    let days: ClosedRange<PacificDay>
    /// The page that reads all entries, however many there are.
    static let comparisonPath = "explain/comparison"
    /// The entries of a page.
    static let pageLength = 50

    /// - Throws: ``ConsoleError`` `.appNeeded`, `.badRequest` for days that are none.
    init(_ page: PageRequest, _ query: [String: String]) throws {
        self.page = page
        let span = FigureSpan(query, today: PacificDay(page.now))
        if let fault = span.fault { throw ConsoleError.badRequest(FigureRequest.text(of: fault.kind)) }
        days = span.days
        func value(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }
        figure = SalesFigure(
            bundleID: try page.bundleID(), days: days, product: value("product"), country: value("country"),
            device: value("device").flatMap(FigureDevice.init(rawValue:)),
            kind: value("kind").flatMap(ProductType.init(rawValue:)),
            currency: value("currency").map { Currency(rawValue: $0) },
            column: value("column").flatMap(SalesFigure.Column.init(rawValue:)) ?? .proceeds)
    }

    /// The figure as its page counts it: without repeated downloads and updates.
    private var counted: SalesFigure {
        var figure = figure
        figure.countsSalesOnly = true
        return figure
    }

    private var counts: Bool { figure.column.counts }

    func page() async throws -> Page {
        let place = page.query["after"].flatMap { Explanation.Place($0) }
        let listing = Explanation.Page(after: place ?? .init(app: 0, position: 0), limit: Self.pageLength)
        let reported = try await reported()
        let entries = try await page.store.rolledUp.explain.salesEntries(counted, days: days, listing)
        let table = EntryTable(page: page, contributions: entries.contributions, counts: counts).table(
            next: entries.next.map(path), first: place == nil ? nil : path(nil),
            empty: .phrase(entries.next == nil ? ExplainPhrases.noEntries : ExplainPhrases.noneHere))
        var blocks = head(reported)
        if let reported, let sum = entries.sum {
            blocks.append(
                .checks([
                    Check(reported: reported, journal: sum, entries: entries.contributions.count, counts: counts)
                ]))
        } else if reported != nil {
            blocks.append(.form(form()))
        }
        blocks.append(.section(.phrase(ExplainPhrases.entries), [.table(table)]))
        blocks.append(.same(same))
        return answer(blocks)
    }

    /// Returns the comparison of the figure with all of its entries, or how far it is.
    func compared() async throws -> Page {
        let frame = answer(head(nil) + [.same(same)])
        return try await page.computed(Self.comparisonPath, frame) { try await checked($0) }
    }

    /// Compares the figure with all of its entries, however many there are.
    private func checked(_ progress: WorkProgress) async throws -> Page {
        let reported = try await reported()
        let explained: Explanation
        do {
            explained = try await page.store.explain.sales(counted, .init(limit: Self.pageLength)) {
                progress.add(entries: $0)
            }
        } catch let error as ExplainError where error.code == .figureNotFound {
            return answer(head(reported) + [.empty(EmptyState(text: .phrase(ExplainPhrases.noEntries)))])
        }
        let table = EntryTable(page: page, contributions: explained.contributions, counts: counts).table(
            next: explained.next.map(path), first: nil, empty: .phrase(ExplainPhrases.noEntries))
        let check = Check(
            reported: reported ?? explained.reported, journal: explained.recomputed, entries: explained.count,
            counts: counts)
        return answer(
            head(reported ?? explained.reported)
                + [.checks([check]), .section(.phrase(ExplainPhrases.entries), [.table(table)]), .same(same)])
    }

    private func answer(_ blocks: [Block]) -> Page {
        Page(
            .phrase(ExplainPhrases.title), .sales,
            trail: [
                Link(
                    .phrase(SalesPhrases.title),
                    page.path("sales", ["from": "\(days.lowerBound)", "to": "\(days.upperBound)"]))
            ], blocks)
    }

    /// Returns the figure by the sums that pages show; `nil` for those that aren't kept by all its properties at once.
    private func reported() async throws -> Explanation.Figure? {
        guard let measure, !counts || figure.currency == nil else { return nil }
        let filters: [(StatisticDimension, String?)] = [
            (.product, figure.product), (.storefront, figure.country), (.product, figure.kind?.rawValue),
            (.device, figure.device.map { $0 == .unknown ? "" : $0.rawValue }),
        ]
        let used = filters.filter { $0.1 != nil }
        guard used.count < 2 else { return nil }
        let statistics = page.store.rolledUp.statistics
        let sums = try await statistics.sums(of: [measure], by: used.first?.0 ?? .all, days, in: figure.bundleID)
        if let kind = figure.kind {
            let products = try await page.store.app(figure.bundleID).reportedProducts.filter { $0.type == kind }
            return self.sum(of: products.map(\.id.rawValue), measure, sums)
        }
        guard figure.product == figure.bundleID.rawValue else {
            return self.sum(of: [used.first?.1 ?? ""], measure, sums)
        }
        // The app itself has no product: it is what the products leave.
        let all = self.sum(
            of: [""], measure, try await statistics.sums(of: [measure], days, in: figure.bundleID))
        let products = self.sum(of: Array(sums.values), measure, sums)
        var rest: [Currency: Int64] = [:]
        for money in all.amounts { rest[money.currency] = money.milliunits }
        for money in products.amounts {
            rest[money.currency] = (rest[money.currency] ?? 0).clampedAdding(-money.milliunits)
        }
        return Explanation.Figure(units: all.units - products.units, amounts: SalesGrouping.list(rest))
    }

    /// The measure that has the column's sums; `nil` if none does.
    private var measure: StatisticMeasure? {
        switch figure.column {
        case .units: .units
        case .sales: .revenue
        case .proceeds: .proceeds
        case .refunds: .refunds
        case .tax, .commission: nil
        }
    }

    /// Adds up the sums of some values.
    private func sum(of values: [String], _ measure: StatisticMeasure, _ sums: StatisticSums) -> Explanation.Figure {
        guard !counts else {
            return Explanation.Figure(units: values.reduce(0) { $0.clampedAdding(sums[measure, $1, nil]) })
        }
        var amounts: [Currency: Int64] = [:]
        for money in values.flatMap({ sums.money(measure, $0) })
        where figure.currency == nil || money.currency == figure.currency {
            amounts[money.currency] = (amounts[money.currency] ?? 0).clampedAdding(money.milliunits)
        }
        return Explanation.Figure(amounts: SalesGrouping.list(amounts))
    }

    private func head(_ reported: Explanation.Figure?) -> [Block] {
        var facts = [
            Fact(.phrase(ExplainPhrases.figure), Cell(.phrase(Self.phrase(figure.column)))),
            Fact(.phrase(ExplainPhrases.days), Cell(days.text)),
        ]
        if let product = figure.product {
            facts.append(
                Fact(
                    .phrase(Words.product),
                    product == figure.bundleID.rawValue
                        ? Cell(.phrase(SalesPhrases.theApp))
                        : .id(product, path: page.path("products/\(ConsolePath.encoded(product))"))))
        }
        if let country = figure.country {
            facts.append(Fact(.phrase(Words.storefront), Cell(.storefront(named: country, page.language))))
        }
        if let device = figure.device {
            let name: Text = device == .unknown ? .phrase(SalesPhrases.unknown) : .data(device.rawValue)
            facts.append(Fact(.phrase(SalesPhrases.device), Cell(name)))
        }
        if let kind = figure.kind { facts.append(Fact(.phrase(Words.type), Cell(.phrase(kind.phrase)))) }
        if let currency = figure.currency { facts.append(Fact(.phrase(SpanPhrases.currency), .id(currency.rawValue))) }
        guard let reported else { return [.facts(facts), .paragraph(.phrase(Self.definition(figure.column)))] }
        return [
            .figures([
                Figure(
                    label: .phrase(ExplainPhrases.inReport), value: reported.text(counts: counts),
                    definition: .phrase(ExplainPhrases.inReportDefinition))
            ]), .facts(facts), .paragraph(.phrase(Self.definition(figure.column))),
        ]
    }

    static func phrase(_ column: SalesFigure.Column) -> Phrase {
        switch column {
        case .units: Words.units
        case .sales: FigurePhrases.sales
        case .proceeds: Words.proceeds
        case .tax: PaymentPhrases.tax
        case .commission: PaymentPhrases.commission
        case .refunds: Words.refunds
        }
    }

    /// Returns a sentence that says how a column is computed.
    static func definition(_ column: SalesFigure.Column) -> Phrase {
        switch column {
        case .units: FigurePhrases.unitsDefinition
        case .sales: FigurePhrases.salesDefinition
        case .proceeds: FigurePhrases.proceedsDefinition
        case .tax: ComputationPhrases.taxDefinition
        case .commission: ComputationPhrases.commissionDefinition
        case .refunds: FigurePhrases.refundsDefinition
        }
    }

    // MARK: - Paths

    private var parameters: [(String, String?)] {
        [
            ("column", figure.column.rawValue), ("from", "\(days.lowerBound)"), ("to", "\(days.upperBound)"),
            ("product", figure.product), ("country", figure.country), ("device", figure.device?.rawValue),
            ("kind", figure.kind?.rawValue), ("currency", figure.currency?.rawValue),
        ]
    }

    private func path(_ after: Explanation.Place?) -> String {
        let values = Dictionary(parameters.compactMap { name, value in value.map { (name, $0) } }) { first, _ in first }
        return page.path(
            "explain",
            [
                "figure": "sales", "column": values["column"] ?? "", "from": values["from"] ?? "",
                "to": values["to"] ?? "", "product": values["product"] ?? "", "country": values["country"] ?? "",
                "device": values["device"] ?? "", "kind": values["kind"] ?? "", "currency": values["currency"] ?? "",
                "after": after?.text ?? "",
            ])
    }

    private func form() -> Form {
        Form(
            page.path(Self.comparisonPath), submit: .phrase(ExplainPhrases.check), isQuery: true, same: same,
            parameters.compactMap { name, value in value.map { Field.hidden(name, $0) } })
    }

    /// Returns the option of a parameter of the call.
    private static func option(_ parameter: String, _ value: String) -> String {
        switch parameter {
        case "device": " --device-family \(shellQuoted(value))"
        case "kind": " --type \(ProductType(rawValue: value)?.option ?? value)"
        default: " --\(parameter) \(shellQuoted(value))"
        }
    }

    private var same: SameCommand {
        let options = parameters.compactMap { name, value in value.map { Self.option(name, $0) } }.joined()
        let query = parameters.compactMap { name, value in value.map { "&\(name)=\(ConsolePath.encoded($0))" } }
            .joined()
        return SameCommand(
            "explain sales --app \(figure.bundleID)\(options) --environment \(page.environment.name)",
            .init("GET", "control/v1/explain/sales?bundleId=\(figure.bundleID)\(query)"))
    }
}
