import ArgumentParser
import PerennialConnect

extension CatalogPreference: ExpressibleByArgument {}

/// The report of an import in words.
struct CatalogImportText {
    /// The changes of an app that are listed; more are only counted.
    private static let longestList = 20

    let report: CatalogImportReport

    init(_ report: CatalogImportReport) { self.report = report }

    /// The changes of apps that the store had before; `nil` if there are none.
    var changes: String? {
        let apps = report.apps.filter { !$0.isNew && !($0.changes.isEmpty && $0.kept.isEmpty && $0.leftOut.isEmpty) }
        guard !apps.isEmpty else { return nil }
        return apps.map { app in
            let kept = app.kept.map { "kept: \($0)" } + app.leftOut.map { "kept: \($0)" }
            return "The catalog of \(app.bundleID) has changed:\n" + Self.list(app.changes.map(\.description) + kept)
        }.joined(separator: "\n")
    }

    static func list(_ lines: [String]) -> String {
        let shown = lines.prefix(longestList).map { "  \($0)" }
        let rest = lines.count - shown.count
        return (shown + (rest > 0 ? ["  and \(rest) more"] : [])).joined(separator: "\n")
    }
}
