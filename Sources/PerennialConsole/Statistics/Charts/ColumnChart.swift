import Perennial

/// A chart of columns that stand on each other: what adds above the zero line, what takes away below, and the net as a line.
struct ColumnChart: Sendable {
    var figures: ChartFigures
    /// The sum of all series is drawn as a line.
    var hasNet = true
    /// The paths of the explanations of the sums.
    var netPaths: [String?] = []
    private static let widest = 44.0
    /// The most columns of a drawing; what has more is added up by neighbours.
    private static let mostColumns = 124

    init(_ figures: ChartFigures, hasNet: Bool = true, netPaths: [String?] = []) {
        self.netPaths = netPaths
        self.figures = figures
        self.figures.series = ChartSeries.limited(figures.series)
        self.hasNet = hasNet
    }

    var chart: Chart {
        var shown = figures
        if hasNet { shown.series.insert(net(of: figures), at: 0) }
        return Chart(
            title: figures.title, summary: shown.summary, svg: { svg($0) }, narrow: { svg($0, .narrow) },
            table: shown.table)
    }

    /// Returns the drawing.
    func svg(_ text: (Text) -> String, _ size: ChartSize = .wide) -> String {
        let figures = joined
        let net = net(of: figures)
        let stacks = figures.steps.indices.map { Self.stack(figures.series, $0) }
        let ends = stacks.flatMap { $0.map(\.end) }
        let scale = ChartScale(ends + (hasNet ? net.amounts.map { Double($0 ?? 0) } : []))
        let area = ChartArea(
            size: size, steps: figures.steps, scale: scale, unit: figures.unit, isDivided: true)
        var (writer, summed) = (SVGWriter(), self.figures)
        if hasNet { summed.series.insert(self.net(of: self.figures), at: 0) }
        area.begin(&writer, summary: text(summed.summary), text)
        let width = min(area.stepWidth * 0.7, Self.widest)
        for (step, stack) in stacks.enumerated() {
            for part in stack {
                let (top, bottom) = (area.y(max(part.start, part.end)), area.y(min(part.start, part.end)))
                writer.element(
                    "rect",
                    [
                        "class": "f\(part.series + 1)", "x": SVGWriter.number(area.x(step) - width / 2),
                        "y": SVGWriter.number(top), "width": SVGWriter.number(width),
                        "height": SVGWriter.number(max(bottom - top, 0.5)),
                    ])
            }
        }
        if hasNet { Self.draw(net, area, &writer) }
        area.labels(Self.labels(figures.series, stacks.last ?? [], hasNet ? net : nil, text), &writer)
        area.end(&writer) { step in
            figures.label(step, text) + (hasNet ? ", \(text(net.name)) \(text(figures.unit.text(net[step] ?? 0)))" : "")
        }
        return writer.text
    }

    /// A part of a column.
    private struct Part {
        var series: Int
        var start: Double
        var end: Double
    }

    private static func stack(_ series: [ChartSeries], _ step: Int) -> [Part] {
        var (above, below) = (0.0, 0.0)
        return series.indices.compactMap { index in
            guard let amount = series[index][step].map({ Double($0) }), amount != 0 else { return nil }
            let start = amount > 0 ? above : below
            if amount > 0 { above += amount } else { below += amount }
            return Part(series: index, start: start, end: start + amount)
        }
    }

    private func net(of figures: ChartFigures) -> ChartSeries {
        ChartSeries(
            .phrase(ChartPhrases.net),
            figures.steps.indices.map { step in
                figures.series.reduce(Int64(0)) { $0.clampedAdding($1[step] ?? 0) }
            }, paths: netPaths)
    }

    private static func draw(_ net: ChartSeries, _ area: ChartArea, _ writer: inout SVGWriter) {
        let points = area.steps.indices.map { step in
            "\(SVGWriter.number(area.x(step))) \(SVGWriter.number(area.y(Double(net[step] ?? 0))))"
        }
        guard points.count > 1 else { return }
        writer.element("path", ["class": "net", "fill": "none", "d": "M" + points.joined(separator: "L")])
    }

    /// Returns the names beside the last column: each beside its part, those without one at the zero line.
    private static func labels(
        _ series: [ChartSeries], _ last: [Part], _ net: ChartSeries?, _ text: (Text) -> String
    ) -> [(name: String, className: String, amount: Double)] {
        var labels = series.indices.map { index in
            let part = last.first { $0.series == index }
            return (
                name: text(series[index].name), className: "label t\(index + 1)",
                amount: part.map { ($0.start + $0.end) / 2 } ?? 0
            )
        }
        if let net, let amount = net.amounts.last ?? nil {
            labels.append((name: text(net.name), className: "label", amount: Double(amount)))
        }
        return labels
    }

    /// The figures with no more steps than columns have room: neighbours are added up.
    private var joined: ChartFigures {
        let size = (figures.steps.count + Self.mostColumns - 1) / Self.mostColumns
        guard size > 1 else { return figures }
        var joined = figures
        let starts = Array(stride(from: 0, to: figures.steps.count, by: size))
        joined.steps = starts.map { figures.steps[$0] }
        joined.series = figures.series.map { series in
            ChartSeries(
                series.name,
                starts.map { start in
                    (start..<min(start + size, figures.steps.count)).reduce(Int64(0)) {
                        $0.clampedAdding(series[$1] ?? 0)
                    }
                })
        }
        return joined
    }
}
