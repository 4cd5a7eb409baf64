/// The size of a drawing and the borders of its axes.
struct ChartSize: Sendable, Hashable {
    var width: Int
    var height: Int
    var left: Double
    var right: Double
    var top: Double
    var bottom: Double
    /// True if texts stand within the axes, because there is no room beside them.
    var isNarrow = false

    static let wide = ChartSize(width: 960, height: 240, left: 72, right: 840, top: 12, bottom: 214)
    static let narrow = ChartSize(
        width: 360, height: 180, left: 4, right: 356, top: 20, bottom: 158, isNarrow: true)
}

/// The area of a drawing with its axes, shared by lines and columns.
struct ChartArea: Sendable {
    /// The most places on the horizontal axis that react to the pointer.
    private static let mostHits = 124
    private static let labelHeight = 14.0

    let size: ChartSize
    let steps: [ChartStep]
    let scale: ChartScale
    let unit: ChartUnit
    /// True for columns, which stand beside each other; points stand on both ends of the axis.
    let isDivided: Bool

    /// The width of a step.
    var stepWidth: Double {
        let count = Double(isDivided ? max(steps.count, 1) : max(steps.count - 1, 1))
        return (size.right - size.left) / count
    }

    /// Returns the place of a step's middle.
    func x(_ step: Int) -> Double {
        if isDivided { return size.left + (Double(step) + 0.5) * stepWidth }
        return steps.count < 2 ? (size.left + size.right) / 2 : size.left + Double(step) * stepWidth
    }

    func y(_ amount: Double) -> Double { size.bottom - scale.share(amount) * (size.bottom - size.top) }

    /// Writes the drawing's start with weekends, the grid's lines and the axis texts.
    func begin(_ writer: inout SVGWriter, summary: String, _ text: (Text) -> String) {
        writer.raw(
            "<svg viewBox=\"0 0 \(size.width) \(size.height)\" class=\"chart\" role=\"img\" "
                + "aria-label=\"\(SVGWriter.escaped(summary))\">")
        for index in steps.indices where steps[index].isWeekend && steps.count <= Self.mostHits {
            let (start, end) = span(of: index)
            writer.element(
                "rect",
                [
                    "class": "weekend", "x": SVGWriter.number(start), "y": SVGWriter.number(size.top),
                    "width": SVGWriter.number(end - start), "height": SVGWriter.number(size.bottom - size.top),
                ])
        }
        for amount in Set([scale.lowest, scale.highest]).sorted() where amount != 0 {
            line("grid", at: amount, &writer)
        }
        line("zero", at: 0, &writer)
        guard !steps.isEmpty else { return }
        for amount in Set([scale.lowest, 0, scale.highest]).sorted() where amount == 0 || hasAmounts {
            // A narrow drawing has the highest amount only, above its line.
            guard !size.isNarrow || amount == scale.highest else { continue }
            // Beside the zero line there is no room for another text.
            guard amount == 0 || abs(y(amount) - y(0)) >= Self.labelHeight else { continue }
            writer.element(
                "text",
                [
                    "class": "axis", "x": SVGWriter.number(size.isNarrow ? size.left : size.left - 6),
                    "y": SVGWriter.number(size.isNarrow ? y(amount) - 6 : y(amount) + 4),
                    "text-anchor": size.isNarrow ? "start" : "end",
                ], text(unit.text(Int64(clamping: amount))))
        }
        let middle = size.isNarrow ? [] : [steps.count / 2]
        let named = steps.count < 3 ? Array(steps.indices) : [0] + middle + [steps.count - 1]
        for index in named {
            let anchor =
                steps.count == 1 ? "middle" : index == 0 ? "start" : index == steps.count - 1 ? "end" : "middle"
            writer.element(
                "text",
                [
                    "class": "axis", "x": SVGWriter.number(x(index)), "y": SVGWriter.number(size.bottom + 18),
                    "text-anchor": anchor,
                ], text(steps[index].name))
        }
    }

    /// True unless all amounts are 0, where the scale says nothing.
    private var hasAmounts: Bool { scale.highest != 1 || scale.lowest != 0 || unit == .count }

    private func line(_ name: String, at amount: Double, _ writer: inout SVGWriter) {
        let y = SVGWriter.number(y(amount))
        writer.element(
            "line",
            ["class": name, "x1": SVGWriter.number(size.left), "y1": y, "x2": SVGWriter.number(size.right), "y2": y])
    }

    /// Writes names at the right end, moved apart where they would overlap.
    func labels(_ labels: [(name: String, className: String, amount: Double)], _ writer: inout SVGWriter) {
        var last = size.top - Self.labelHeight
        let sorted = labels.sorted { y($0.amount) < y($1.amount) }
        for (index, label) in sorted.enumerated() {
            let lowest = size.bottom - Double(sorted.count - 1 - index) * Self.labelHeight
            let place = min(max(y(label.amount), last + Self.labelHeight), lowest)
            last = place
            writer.element(
                "text",
                [
                    "class": label.className, "x": SVGWriter.number(size.isNarrow ? size.right : size.right + 8),
                    "y": SVGWriter.number(size.isNarrow ? place - 4 : place + 4),
                    "text-anchor": size.isNarrow ? "end" : "start",
                ], label.name)
        }
    }

    /// Writes the places that react to the pointer, each with the step's values, and the drawing's end.
    func end(_ writer: inout SVGWriter, _ label: (Int) -> String) {
        let each = max((steps.count + Self.mostHits - 1) / Self.mostHits, 1)
        for index in stride(from: 0, to: steps.count, by: each) {
            let last = min(index + each, steps.count) - 1
            let (start, end) = (span(of: index).start, span(of: last).end)
            let text = label(index)
            writer.raw("<rect class=\"hit\" data-label=\"\(SVGWriter.escaped(text))\"")
            writer.raw(" x=\"\(SVGWriter.number(start))\" y=\"0\" width=\"\(SVGWriter.number(end - start))\"")
            writer.raw(" height=\"\(SVGWriter.number(size.bottom))\"><title>\(SVGWriter.escaped(text))</title></rect>")
        }
        writer.raw("</svg>")
    }

    private func span(of step: Int) -> (start: Double, end: Double) {
        guard steps.count > 1 else { return (size.left, size.right) }
        return (max(x(step) - stepWidth / 2, size.left), min(x(step) + stepWidth / 2, size.right))
    }
}

extension Int64 {
    /// The nearest number to an amount of a scale.
    init(clamping amount: Double) {
        self = amount >= 9.2e18 ? .max : amount <= -9.2e18 ? .min : Int64(amount)
    }
}
