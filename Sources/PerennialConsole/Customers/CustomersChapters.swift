/// Customers and their transactions.
enum CustomersChapters {
    static let all: [any ConsoleChapter] = [
        CustomersChapter(), CustomerActions(), CustomerGrant(), SubscriptionActions(), TransactionsChapter(),
        TransactionActions(),
    ]
}
