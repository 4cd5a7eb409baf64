/// A chart of lines over time, with the span before in grey.
struct LineChart: Sendable {
    var figures: ChartFigures
    /// The most points of a line: what has more is drawn by the least and the greatest of each part.
    private static let mostPoints = 480

    init(_ figures: ChartFigures) {
        self.figures = figures
        self.figures.series = ChartSeries.limited(figures.series)
    }

    var chart: Chart {
        Chart(
            title: figures.title, summary: figures.summary, svg: { svg($0) }, narrow: { svg($0, .narrow) },
            table: figures.table)
    }

    /// Returns the drawing.
    func svg(_ text: (Text) -> String, _ size: ChartSize = .wide) -> String {
        let (series, before) = (figures.series, figures.before)
        let all = series + (before.map { [$0] } ?? [])
        let scale = ChartScale(all.lazy.flatMap(\.amounts).compactMap { $0 }.map { Double($0) })
        let area = ChartArea(
            size: size, steps: figures.steps, scale: scale, unit: figures.unit, isDivided: false)
        var writer = SVGWriter()
        area.begin(&writer, summary: text(figures.summary), text)
        if let before { Self.draw(before, "sb", area, &writer) }
        for (index, series) in series.enumerated() { Self.draw(series, "s\(index + 1)", area, &writer) }
        var labels = series.enumerated().compactMap { index, series in
            (series.amounts.last { $0 != nil } ?? nil).map {
                (name: text(series.name), className: "label t\(index + 1)", amount: Double($0))
            }
        }
        if let before, let last = before.amounts.prefix(figures.steps.count).last(where: { $0 != nil }) ?? nil {
            labels.append((name: text(before.name), className: "label tb", amount: Double(last)))
        }
        // One line needs no name: the title says it.
        if labels.count > 1 { area.labels(labels, &writer) }
        area.end(&writer) { figures.label($0, text) }
        return writer.text
    }

    /// Writes a line; a point of its own where there is no other beside it.
    private static func draw(_ series: ChartSeries, _ name: String, _ area: ChartArea, _ writer: inout SVGWriter) {
        var run: [(x: Double, y: Double)] = []
        func finish(_ writer: inout SVGWriter) {
            if run.count > 1 {
                let points = reduced(run).map { "\(SVGWriter.number($0.x)) \(SVGWriter.number($0.y))" }
                writer.element("path", ["class": name, "fill": "none", "d": "M" + points.joined(separator: "L")])
            } else if let point = run.first {
                writer.element(
                    "circle",
                    [
                        "class": "d\(name.dropFirst())", "cx": SVGWriter.number(point.x),
                        "cy": SVGWriter.number(point.y), "r": "3",
                    ])
            }
            run = []
        }
        for step in area.steps.indices {
            if let amount = series[step] {
                run.append((area.x(step), area.y(Double(amount))))
            } else {
                finish(&writer)
            }
        }
        finish(&writer)
    }

    /// Returns as many points as a line of this width can show: of each part its least and its greatest.
    private static func reduced(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
        guard points.count > mostPoints else { return points }
        let size = (points.count * 2 + mostPoints - 1) / mostPoints
        return stride(from: 0, to: points.count, by: size).flatMap { start -> [(x: Double, y: Double)] in
            let part = points[start..<min(start + size, points.count)]
            guard let least = part.indices.min(by: { points[$0].y < points[$1].y }),
                let greatest = part.indices.max(by: { points[$0].y < points[$1].y })
            else { return [] }
            return Set([least, greatest]).sorted().map { points[$0] }
        }
    }
}
