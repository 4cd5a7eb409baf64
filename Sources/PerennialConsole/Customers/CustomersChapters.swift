/// Customers and their transactions.
enum CustomersChapters {
    static let all: [any ConsoleChapter] = [
        CustomersChapter(), CustomerDeeds(), CustomerGrant(), SubscriptionDeeds(), TransactionsChapter(),
        TransactionDeeds(),
    ]
}
