import Perennial
import PerennialStore

/// Conditions that need a person, each with the page on which it is dealt with.
struct AttentionNotices: Sendable {
    let request: PageRequest
    let attention: Attention
    /// The share of declined charges from which on it is worth a look.
    private static let manyDeclined = 0.05

    var blocks: [Block] {
        let notices = [failing, quarantined, declined, inReview, noURL].compactMap { $0 }
        guard !notices.isEmpty else {
            return [.notice(Notice(status: .good, text: .phrase(OverviewPhrases.nothingToDo)))]
        }
        return notices.map(Block.notice)
    }

    private var failing: Notice? {
        guard attention.failingNotifications > 0 else { return nil }
        return Notice(
            status: attention.failingNotifications == attention.newestNotifications ? .bad : .warning,
            text: .phrase(
                OverviewPhrases.failing, .number(attention.failingNotifications),
                .number(attention.newestNotifications)),
            advice: .phrase(OverviewPhrases.failingAdvice),
            links: [Link(.phrase(Words.notifications), request.path("notifications"))])
    }

    private var quarantined: Notice? {
        let count = attention.quarantinedSubscriptions
        guard count > 0 else { return nil }
        let isComplete = count < StoreStatus.maximumCount
        return Notice(
            status: .bad,
            text: .phrase(
                isComplete ? OverviewPhrases.quarantined : OverviewPhrases.manyQuarantined, .number(count)),
            advice: .phrase(OverviewPhrases.quarantinedAdvice),
            links: request.allows(.support)
                ? [Link(.phrase(Words.subscriptions), request.path("subscriptions/list"))] : [])
    }

    private var declined: Notice? {
        guard attention.subscriptions > 0 else { return nil }
        let share = Double(attention.declinedSubscriptions) / Double(attention.subscriptions)
        guard share >= Self.manyDeclined else { return nil }
        return Notice(
            status: .warning,
            text: .phrase(
                OverviewPhrases.declined, .percent(share), .number(attention.declinedSubscriptions),
                .number(attention.subscriptions)),
            advice: .phrase(OverviewPhrases.declinedAdvice), links: [declinedSubscriptions].compactMap { $0 })
    }

    /// The link to the subscriptions whose charge was declined.
    private var declinedSubscriptions: Link? {
        guard let app = request.app, request.allows(.viewSales) else { return nil }
        let today = PacificDay(request.now)
        return Link(
            .phrase(Words.subscriptions),
            request.explanation(
                of: StatisticColumnFigure(
                    bundleID: app.bundleID, statistic: .subscriptionStatus, column: "billing-issue",
                    days: today...today)))
    }

    private var inReview: Notice? {
        guard attention.productsInReview > 0 else { return nil }
        return Notice(
            status: .neutral, text: .phrase(OverviewPhrases.inReview, .number(attention.productsInReview)),
            advice: .phrase(OverviewPhrases.inReviewAdvice),
            links: [Link(.phrase(Words.products), request.path("products"))])
    }

    private var noURL: Notice? {
        guard !attention.hasNotificationURL else { return nil }
        return Notice(
            status: .neutral, text: .phrase(OverviewPhrases.noURL),
            links: request.allows(.operate)
                ? [Link(.phrase(OverviewPhrases.setURL), request.path("notification-url"))] : [])
    }
}

/// The first page of an app.
struct OverviewChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("overview", .view) { try await OverviewPage(request: $0).page() }
    }
}
