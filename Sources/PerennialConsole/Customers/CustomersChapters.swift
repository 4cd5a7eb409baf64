/// Customers and their transactions.
enum CustomersChapters {
    static let all: [any ConsoleChapter] = [
        CustomersChapter(), CustomerDeeds(), SubscriptionDeeds(), TransactionsChapter(), TransactionDeeds(),
    ]
}
