import Foundation

/// All figures of a run and the machine they were measured on, as a table and as JSON.
struct Report: Encodable {
    let machine: Machine
    private(set) var figures: [Figure] = []

    init(_ machine: Machine) {
        self.machine = machine
    }

    mutating func add(_ figures: [Figure]) {
        self.figures += figures
    }

    /// True if every requirement was met.
    var isMet: Bool { figures.allSatisfy { $0.isMet != false } }

    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self)
        }
    }

    var table: String {
        let header = ["", "ours", "limit", "ratio", "required", "ok?"]
        let rows = [header] + figures.map(Self.row)
        let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            zip(row.indices, row).map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + space : space + cell
            }.joined(separator: "   ")
        }
        let rule = String(repeating: "-", count: lines.first?.count ?? 0)
        return (lines.prefix(1) + [rule] + lines.dropFirst()).joined(separator: "\n")
    }

    private static func row(_ figure: Figure) -> [String] {
        let required =
            switch figure.requirement {
            case .atLeast(let least): ">= \(least)"
            case .atMost(let most): "<= \(most)"
            case nil: ""
            }
        return [
            "\(figure.name) (\(figure.unit))", number(figure.ours), figure.limit.map(number) ?? "",
            figure.ratio.map { String(format: "%.2f", $0) } ?? "", required,
            figure.isMet.map { $0 ? "yes" : "NO" } ?? "",
        ]
    }

    private static func number(_ value: Double) -> String {
        value >= 1000 ? "\(Int(value.rounded()))" : String(format: "%.1f", value)
    }
}
