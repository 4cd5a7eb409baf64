import Perennial
import PerennialStorage

/// The document of a monthly subscription in its first period, as the rules make it, for rows that a statement makes.
struct SubscriptionDocument {
    /// The time of the purchase in the document: 1 January 2026.
    static let start = Instant(seconds: 1_767_225_600)
    /// A month of 31 days.
    static let period: Int64 = .days(31)
    private static let account: Int64 = 777_777_777_001
    private static let transaction: Int64 = 777_777_777_002

    private let text: String

    init(_ id: Product.ID, of app: App) throws {
        let product = app.products.first { $0.id == id }
        guard let plan = product.flatMap({ SubscriptionPlan($0, in: .usa) }) else {
            throw BenchmarkError("the catalog has no subscription \(id)")
        }
        let context = SubscriptionContext(timing: .calendar, terms: app.saleTerms)
        let made = try Subscription.first(
            plan, for: Subscriber(Account.ID(rawValue: Self.account)), at: Self.start, in: context,
            id: { Self.transaction })
        text = SubscriptionsTable.document(of: made.subscription)
    }

    /// Returns SQL that makes the document, with the values of SQL in place of its own.
    ///
    /// - Parameter began: Milliseconds since 1970; the period ends ``period`` later.
    func sql(transaction: String, account: String, began: String) -> String {
        // Times are written in seconds.
        let numbers = [
            (Self.account, account), (Self.transaction, transaction),
            (Self.start.milliseconds / 1000, "(\(began) / 1000)"),
            ((Self.start.milliseconds + Self.period) / 1000, "((\(began) + \(Self.period)) / 1000)"),
        ]
        return numbers.reduce("'\(text)'") { text, number in
            text.replacing("\(number.0);", with: "' || \(number.1) || ';")
        }
    }
}
