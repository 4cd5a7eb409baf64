/// The pages and forms of one topic.
protocol ConsoleChapter: Sendable {
    func add(to routes: ConsoleRoutes)
}

/// The actions that roles allow. `docs/reference/console.md` has the table.
package enum Permission: String, CaseIterable, Sendable {
    /// Products, status, environments, Live.
    case view
    /// Sales and statistics.
    case viewSales
    /// Payments and financial reports.
    case viewMoney
    /// Customers, their transactions; refund, extend, grant.
    case support
    /// Create and edit products and prices, upload content.
    case editCatalog
    /// Clock, environments, testers, notification URLs, retries, Inspect.
    case operate
    /// Keys, secrets, users, review.
    case administer
}
