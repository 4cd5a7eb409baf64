import Perennial
import PerennialStorage

/// The queries of lists with pages, each for a page that has rows before it where the list has one.
enum ListQueries {
    typealias Query = (String, @Sendable (any Connection) throws -> Void)

    static let customer = CustomerKey(
        environment: StoreEnvironment.ID(rawValue: 1), app: 1, account: Account.ID(rawValue: 1))

    private static let subscription = TransactionID(rawValue: 1)

    static func transactions(_ what: String, _ range: TransactionsTable.ListRange) -> Query {
        (
            what,
            {
                _ = try TransactionsTable.newest(
                    range, before: .end, from: .beginningOfTime, limit: 10, app: 1, customer.environment, on: $0)
            }
        )
    }

    static func notifications(_ what: String, _ range: NotificationsTable.ListRange) -> Query {
        (
            what,
            {
                _ = try NotificationsTable.newest(
                    range, before: .init(position: 1, part: 0), limit: 10, app: 1, customer.environment, on: $0)
            }
        )
    }

    /// The queries of lists.
    private static let ofSales: [Query] =
        [
            transactions("newest transactions", .all),
            transactions("transactions of a product", .product(Product.ID(rawValue: "film"))),
            transactions("refunded transactions", .revoked),
            transactions("transactions of a customer", .account(customer.account)),
            notifications("newest notifications", .all), notifications("failed ones", .failed),
            notifications("those of a sale", .subject(subscription)),
            (
                "transactions by the app's name of the customer",
                { _ = try TransactionsTable.named("ann", limit: 10, app: 1, customer.environment, on: $0) }
            ),
            (
                "newest subscriptions",
                {
                    _ = try SubscriptionsTable.newest(
                        before: subscription, account: nil, limit: 10, app: 1, customer.environment, on: $0)
                }
            ),
            (
                "newest subscriptions of a customer",
                {
                    _ = try SubscriptionsTable.newest(
                        before: subscription, account: customer.account, limit: 10, app: 1, customer.environment,
                        on: $0)
                }
            ),
            (
                "accounts by prefix",
                { _ = try AccountsTable.list(prefix: "ann", limit: 10, customer.environment, on: $0) }
            ),
            (
                "journal entries of a kind",
                {
                    _ = try JournalTable.entries(
                        in: 1...9, kind: .purchased, isDescending: true, limit: 10, app: 1, customer.environment,
                        on: $0)
                }
            ),
            (
                "journal entries of a customer",
                { _ = try JournalTable.positions(of: customer, before: 9, limit: 10, on: $0) }
            ),
        ]

    /// The queries of lists whose rows are the seller's or the operator's.
    private static let ofSellers: [Query] = [
        ("users of the team", { _ = try TeamUsersTable.page(after: "ann", limit: 10, on: $0) }),
        (
            "invitations",
            { _ = try TeamInvitationsTable.valid(after: "ann", limit: 10, at: Instant(seconds: 0), on: $0) }
        ),
        ("keys of an app", { _ = try APIKeysTable.page(of: 1, after: nil, limit: 10, on: $0) }),
        ("groups of an app", { _ = try SubscriptionGroupsTable.keys(app: 1, after: "a", limit: 10, on: $0) }),
        ("environments", { _ = try EnvironmentsTable.page(after: 1, limit: 10, on: $0) }),
        ("open submissions", { _ = try ReviewSubmissionsTable.openPlaces(after: 1, limit: 10, on: $0) }),
        ("a submission", { _ = try ReviewSubmissionsTable.submission(number: 1, app: 1, on: $0) }),
        (
            "purchases that wait or have lapsed",
            { _ = try PendingPurchasesTable.waits(after: 1, limit: 10, app: 1, customer.environment, on: $0) }
        ),
        (
            "the audit log",
            {
                _ = try ConsoleAuditTable.entries(before: (Instant(seconds: 1), "a"), limit: 10, on: $0)
            }
        ),
        (
            "changes of an app's catalog",
            { _ = try CatalogChangesTable.latest(app: 1, before: 9, limit: 10, on: $0) }
        ),
        (
            "changes of all catalogs",
            { _ = try CatalogChangesTable.changes(after: 9, limit: 10, app: nil, on: $0) }
        ),
        (
            "offer codes",
            { _ = try OfferCodesTable.all(app: 1, after: "a", limit: 10, customer.environment, on: $0) }
        ),
        ("closings", { _ = try ClosedMonthsTable.newest(10, customer.environment, on: $0) }),
    ]

    /// Lists that grow with the customers and their sales.
    private static let growing: [Query] = [
        ("testers", { _ = try TestersTable.page(after: "ann", limit: 10, customer.environment, on: $0) }),
        (
            "testers of some apps",
            { _ = try TestersTable.page(after: "ann", limit: 10, usersOf: [1, 2], customer.environment, on: $0) }
        ),
        (
            "a customer's history",
            {
                let place = TransactionsTable.Place(modified: 1, id: subscription)
                _ = try TransactionsTable.places(
                    of: customer, TransactionsTable.HistoryFilter(), after: place, limit: 10, on: $0)
            }
        ),
        (
            "journal entries",
            {
                _ = try JournalTable.entries(
                    in: 1...9, kind: nil, isDescending: true, limit: 10, app: 1, customer.environment, on: $0)
            }
        ),
        (
            "subscriptions by their numbers",
            {
                _ = try SubscriptionsTable.page(
                    after: subscription, limit: 10, app: 1, customer.environment, on: $0)
            }
        ),
        (
            "entries of a figure",
            {
                let day = PacificDay(CivilDate(year: 2026, month: 1, day: 1))
                _ = try StatisticEntriesTable.parts(
                    of: .units, .init(day...day), after: .init(day: day, position: 1), limit: 10,
                    RollUpKey(environment: customer.environment, app: 1, generation: 1), on: $0)
            }
        ),
    ]

    /// Lists of one customer or one sale: few rows, which no index for their order is worth.
    static let sorted: Set<String> = ["transactions of a customer", "those of a sale"]

    static let all = ofSales + growing + ofSellers
}
