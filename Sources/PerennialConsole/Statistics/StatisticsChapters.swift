/// Overview, sales, subscriptions, payments, and the explanations of their figures.
enum StatisticsChapters {
    static let all: [any ConsoleChapter] = [
        OverviewChapter(), SalesChapter(), SubscriptionStatisticsChapter(), PaymentsChapter(), ExplainChapter(),
    ]
}

/// Sales and Trends.
struct SalesChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("sales", .viewSales) { try await SalesPage($0).page() }
        routes.file(SalesDownloads.path, .viewSales, ofAllApps: true) { try await SalesDownloads.file($0) }
    }
}
