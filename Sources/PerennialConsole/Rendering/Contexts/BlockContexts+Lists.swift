import Perennial

// MARK: Tables

extension BlockContexts {
    mutating func context(_ table: Table) -> TemplateContext {
        if table.rows.isEmpty, var empty = table.empty {
            // A page reads so many rows and no more: those that fit may come later.
            if table.next != nil { empty = EmptyState(text: .phrase(BlockWords.readsOn)) }
            return context(.empty(empty)).merging(pages(of: table)) { own, _ in own }
        }
        let hasMore = table.rows.contains { !$0.details.isEmpty || !$0.actions.isEmpty }
        let classes = table.columns.map(\.classes)
        let titles = table.columns.map { string($0.title) }
        let labels = zip(table.columns, titles).map { $0.place == .secondary && $0.alignment == .trailing ? $1 : nil }
        return [
            "template": "table", "caption": string(table.caption), "hasMore": hasMore,
            "actionsLabel": string(BlockWords.actions),
            "isHeat": table.rows.contains { $0.cells.contains { $0.heat != nil } },
            "columns": zip(table.columns, titles).map { column, title in
                (["title": title] as TemplateContext).with("class", column.classes.isEmpty ? nil : column.classes)
                    .with("definition", definition(column.definition, of: title))
            },
            "rows": table.rows.map { row($0, classes: classes, labels: labels, hasMore: hasMore) },
        ].merging(pages(of: table)) { own, _ in own }
    }

    private func pages(of table: Table) -> TemplateContext {
        ["hasPages": table.next != nil || table.first != nil, "pagesLabel": string(BlockWords.pages)]
            .with("next", table.next.map { context(Link(.phrase(BlockWords.next), $0)) })
            .with("first", table.first.map { context(Link(.phrase(BlockWords.first), $0)) })
    }

    private mutating func row(
        _ row: Table.Row, classes: [String], labels: [String?], hasMore: Bool
    ) -> TemplateContext {
        var cells: [TemplateContext] = []
        cells.reserveCapacity(row.cells.count)
        for (index, cell) in row.cells.enumerated() {
            let isKnown = classes.indices.contains(index)
            cells.append(
                context(
                    cell, class: isKnown ? classes[index] : "", label: isKnown ? labels[index] : nil,
                    isName: index == 0))
        }
        var context: TemplateContext = ["cells": cells]
        if row.isTotal { context["class"] = "total" }
        guard hasMore else { return context }
        context["hasMore"] = true
        context["actions"] = row.actions.map { self.context($0) }
        if !row.details.isEmpty {
            let name = string(BlockWords.details) + ": " + (row.cells.first.map { string($0.text) } ?? "")
            context["details"] = details(row.details, label: .data(name)).with("span", classes.count + 1)
        }
        return context
    }

    private func context(_ cell: Cell, class name: String, label: String?, isName: Bool) -> TemplateContext {
        let label = cell.text.isFigure && !isName ? label : nil
        if let content = cell.plainContent {
            return plain(cell, content) {
                CellTemplates.name(isHead: isName, class: name, isLabelled: label != nil, $0)
            }.with("label", label)
        }
        var context = value(cell)
        context["template"] = isName ? "cell-name" : "cell"
        if let heat = cell.heat {
            let step = Int(min(max(heat.isFinite ? heat : 0, 0), 0.999) * 10)
            context["class"] = (name.isEmpty ? "" : name + " ") + "heat h\(step)"
        } else if !name.isEmpty {
            context["class"] = name
        }
        if let label { context["label"] = label }
        return context
    }

    /// The context of a plain cell's template.
    ///
    /// - Parameter template: Returns its name.
    private func plain(
        _ cell: Cell, _ content: CellTemplates.Content, template: (CellTemplates.Content) -> String
    ) -> TemplateContext {
        var context: TemplateContext = [:]
        // Statuses and times stay in one line.
        if case .data = cell.text, content.inPieces != content {
            context.set("text", string(cell.text))
        } else {
            context["text"] = string(cell.text)
        }
        context["template"] = template(context["pieces"] == nil ? content : content.inPieces)
        if let path = cell.path { context["path"] = path.asTarget }
        if let status = cell.status { context["status"] = status.rawValue }
        if case .time(let moment) = cell.text {
            context["iso"] = moment.rfc3339()
            context["exact"] = text.exact(moment)
        }
        return context
    }

    /// The context of the template `value`.
    func value(_ cell: Cell) -> TemplateContext {
        var context = rich(cell.text)
        if let path = cell.path {
            context["isLink"] = true
            context["path"] = path.asTarget
        }
        if let status = cell.status {
            context["isStatus"] = true
            context["status"] = status.rawValue
        }
        if cell.isFixedWidth { context["isCode"] = true }
        if let title = cell.title {
            context["title"] = string(title)
        } else if case .day(let instant) = cell.text {
            context["title"] = text.exact(instant)
        }
        return context
    }
}

extension Text {
    /// True for numbers, which say little without their column's title.
    fileprivate var isFigure: Bool {
        switch self {
        case .money, .number, .decimal, .percent, .change: true
        case .phrase, .data, .day, .month, .time, .exact, .joined, .list: false
        }
    }
}

extension Table.Column {
    /// The classes of the column's cells: one of ``CellTemplates/classes``.
    fileprivate var classes: String {
        let place =
            switch self.place {
            case .primary: "first"
            case .secondary: ""
            case .wideOnly: "wide"
            }
        return alignment == .leading ? place : place.isEmpty ? "end" : "end " + place
    }
}

extension Cell {
    /// The form of a cell that has a template of its own; `nil` for one with a heat, a title, or a text of several parts.
    fileprivate var plainContent: CellTemplates.Content? {
        guard heat == nil, title == nil else { return nil }
        switch text {
        case .time: return path == nil && status == nil && !isFixedWidth ? .time : nil
        case .joined, .list, .day: return nil
        case .phrase(_, let arguments) where !arguments.isEmpty: return nil
        default: break
        }
        if status != nil { return path == nil && !isFixedWidth ? .status : nil }
        return switch (path != nil, isFixedWidth) {
        case (false, false): .text
        case (true, false): .link
        case (false, true): .code
        case (true, true): .linkedCode
        }
    }
}

// MARK: Figures, facts, timelines, checks, charts

extension BlockContexts {
    func context(_ figure: Figure) -> TemplateContext {
        let name = string(figure.label)
        var context = rich(figure.value, ["name": name])
        context["definition"] = definition(figure.definition, of: name)
        if let path = figure.path {
            context["isLink"] = true
            context["path"] = path.asTarget
        }
        if let change = figure.change, change.isFinite {
            let isGood = change == 0 ? nil : (change > 0) != figure.isBetterLower
            context["change"] =
                [
                    "text": string(.change(change)), "class": isGood.map { $0 ? "good" : "bad" } ?? "neutral",
                    "words": string(change < 0 ? BlockWords.lower : BlockWords.higher),
                ] as TemplateContext
        }
        if let others = figure.others { context["others"] = string(others) }
        if let points = sparkline(figure.sparkline) { context["spark"] = points }
        return context
    }

    /// The points of a line in a field of 96 by 24; `nil` for fewer than two values.
    private func sparkline(_ values: [Double]) -> String? {
        let values = values.map { $0.isFinite ? $0 : 0 }
        guard values.count > 1, let lowest = values.min(), let highest = values.max() else { return nil }
        let span = highest > lowest ? highest - lowest : 1
        func tenths(_ number: Double) -> String {
            let tenths = Int64(nearest: number * 10)
            return "\(tenths / 10).\(tenths % 10)"
        }
        return values.enumerated().map { index, value in
            let x = 94 * Double(index) / Double(values.count - 1) + 1
            return tenths(x) + "," + tenths(22 - 20 * (value - lowest) / span)
        }.joined(separator: " ")
    }

    func context(_ fact: Fact) -> TemplateContext {
        let name = string(fact.name)
        if let content = fact.value.plainContent, fact.definition == nil {
            return plain(fact.value, content, template: CellTemplates.factName).with("name", name)
        }
        return value(fact.value).with("template", "fact").with("name", name)
            .with("definition", definition(fact.definition, of: name))
    }

    mutating func context(_ entry: TimelineEntry) -> TemplateContext {
        var context = rich(entry.text, mark(entry.status))
        context["time"] = rich(.time(entry.time))
        context["links"] = entry.links.map { self.context($0) }
        if !entry.details.isEmpty { context["details"] = details(entry.details) }
        return context
    }

    mutating func context(_ check: Check) -> TemplateContext {
        let (status, word): (Status, Phrase) =
            switch check.outcome {
            case .passed: (.good, BlockWords.passed)
            case .failed: (.bad, BlockWords.failed)
            case .skipped: (.neutral, BlockWords.skipped)
            }
        var context: TemplateContext = [
            "status": status.rawValue, "statusText": string(word), "name": string(check.name),
        ]
        if let reason = check.reason { context["reason"] = rich(reason) }
        if !check.details.isEmpty { context["details"] = details(check.details) }
        return context
    }

    mutating func context(_ chart: Chart) -> TemplateContext {
        [
            "template": "chart", "title": string(chart.title), "svg": chart.svg { string($0) },
            "figuresLabel": string(BlockWords.figures), "table": context(chart.table),
        ].with("narrow", chart.narrow.map { draw in draw { string($0) } })
    }
}
