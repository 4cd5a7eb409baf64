/// The console's pages by their paths, for those who measure them all.
package enum ConsolePages {
    /// The paths of all pages below environment and app, with parameters as in `products/:product`.
    package static var paths: [String] {
        ConsoleRoutes.all(of: ConsoleChapters.all).compactMap { route in
            if case .page = route.handler { route.path } else { nil }
        }
    }

    /// The pages that read the journal of a figure on request, however long it is. They are made in the background
    /// (``ComputedPages``), which may take seconds with a million transactions.
    package static let readingJournals: Set<String> = [
        SalesExplanation.comparisonPath, StatisticExplanation.entriesPath, MonthReconciliation.routePath,
    ]

    /// The path of assets that a page loads.
    package static var assets: [(path: String, bytes: Int)] {
        ConsoleAsset.all.values.map { ($0.path, $0.bytes.count) }
    }
}
