import Perennial
import Testing

@testable import PerennialConsole

/// Drawings of charts, their sentences and tables.
struct ChartTests {
    private static func steps(_ count: Int) -> [ChartStep] {
        (0..<count).map { ChartStep(name: .data("d\($0)"), isWeekend: $0 % 7 > 4) }
    }

    private static func figures(
        _ amounts: [[Int64?]], before: [Int64?]? = nil, unit: ChartUnit = .count, isStock: Bool = false
    ) -> ChartFigures {
        ChartFigures(
            title: .data("T&C"), steps: steps(amounts.map(\.count).max() ?? 0), unit: unit,
            series: amounts.enumerated().map { ChartSeries(.data("series <\($0.offset)>"), $0.element) },
            before: before.map { ChartSeries(.data("before"), $0) }, isStock: isStock)
    }

    private static let formatter = TextFormatter(.english, now: Instant(milliseconds: 0))
    private static func text(_ text: Text) -> String { formatter.string(text) }

    @Test func `a line with the span before`() {
        let svg = LineChart(Self.figures([[1, 4]], before: [2, 2])).svg(Self.text)
        #expect(
            svg == """
                <svg viewBox="0 0 960 240" class="chart" role="img" aria-label="T&amp;C from d0 to d1: 5 in total, +25.0% \
                against the span before; the highest is 4, on d1.">\
                <line class="grid" x1="72" y1="12" x2="840" y2="12"/><line class="zero" x1="72" y1="214" x2="840" y2="214"/>\
                <text class="axis" x="66" y="218" text-anchor="end">0</text>\
                <text class="axis" x="66" y="16" text-anchor="end">4</text>\
                <text class="axis" x="72" y="232" text-anchor="start">d0</text>\
                <text class="axis" x="840" y="232" text-anchor="end">d1</text>\
                <path class="sb" fill="none" d="M72 113L840 113"/><path class="s1" fill="none" d="M72 163.5L840 12"/>\
                <text class="label t1" x="848" y="16" text-anchor="start">series &lt;0&gt;</text>\
                <text class="label tb" x="848" y="117" text-anchor="start">before</text>\
                <rect class="hit" data-label="d0: 1 (before: 2)" x="72" y="0" width="384" height="214">\
                <title>d0: 1 (before: 2)</title></rect>\
                <rect class="hit" data-label="d1: 4 (before: 2)" x="456" y="0" width="384" height="214">\
                <title>d1: 4 (before: 2)</title></rect></svg>
                """)
    }

    @Test func `columns stand above and below the zero line`() {
        let svg = ColumnChart(Self.figures([[3], [-1]])).svg(Self.text, .narrow)
        #expect(svg.contains(#"<rect class="f1" x="158" y="20" width="44" height="103.5"/>"#))
        #expect(svg.contains(#"<rect class="f2" x="158" y="123.5" width="44" height="34.5"/>"#))
        #expect(svg.contains("d0: series &lt;0&gt; 3, series &lt;1&gt; −1, Net 2"))
    }

    @Test(
        arguments: [
            [], [nil], [7], [0, 0, 0], [-5, -1], [.max, .min, .max], [.min], Array(repeating: .max, count: 9),
            (0..<3650).map { Int64($0 * $0 % 977) - 300 },
        ] as [[Int64?]])
    func `extremes are drawn within the area and in bounded size`(amounts: [Int64?]) {
        for unit in [ChartUnit.count, .money(.jpy), .percent] {
            for isStock in [false, true] {
                let figures = Self.figures([amounts, amounts, [1]], before: amounts, unit: unit, isStock: isStock)
                for svg in [
                    LineChart(figures).svg(Self.text), LineChart(figures).svg(Self.text, .narrow),
                    ColumnChart(figures).svg(Self.text), ColumnChart(figures, hasNet: false).svg(Self.text, .narrow),
                ] {
                    #expect(svg.utf8.count < 60_000)
                    #expect(!svg.contains("nan") && !svg.contains("inf") && !svg.contains("style="))
                    for match in svg.matches(of: /(?:x|y|width|height|x1|x2|y1|y2|cx|cy)="(-?[0-9.]+)"/) {
                        #expect((-10.0...960).contains(Double(match.1) ?? -1000), "\(match.0)")
                    }
                }
                #expect(LineChart(figures).chart.table.rows.count == min(max(amounts.count, 1), ChartFigures.mostRows))
            }
        }
    }

    @Test func `more than five series have an other, and all are in its sum`() {
        let series = (0..<9).map { ChartSeries(.data("\($0)"), [Int64($0), nil, .min]) }
        let limited = ChartSeries.limited(series)
        #expect(limited.count == 5)
        #expect(limited.last?.name == .phrase(ChartPhrases.other))
        #expect(limited.reduce(0) { $0 + ($1[0] ?? 0) } == 36)
        #expect(limited.allSatisfy { $0[1] == nil })
        #expect(ChartSeries.limited(Array(series.prefix(5))).count == 5)
    }

    @Test func `labels at the end don't overlap`() throws {
        let svg = LineChart(Self.figures([[1, 1], [1, 1], [1, 1], [1, 1], [1, 1]])).svg(Self.text)
        let places = svg.matches(of: /class="label t[0-9]" x="848" y="([0-9.]+)"/).compactMap { Double($0.1) }
        #expect(places.count == 5)
        for (one, other) in zip(places, places.dropFirst()) { #expect(other - one >= 13.9) }
    }
}
