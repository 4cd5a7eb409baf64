extension Migration {
    /// Indexes of the lists for operators.
    ///
    /// Each sale is one row more in the first two. Their newest rows stand together, so the sales of a commit change the same
    /// few pages. The next two have rows for some sales only: refunded ones, and those with the app's name for the customer,
    /// whose place in the index is random. A customer's journal entries are indexed without those of sales, which are found
    /// through their transactions, and of finishing: most purchases and renewals pay nothing for it. The last has the
    /// notifications whose newest attempt failed.
    package static let lists = Migration(
        number: 30, name: "lists",
        statements: [
            "CREATE INDEX transactions_by_time ON transactions (environment, app, purchased, id)",
            "CREATE INDEX transactions_of_product ON transactions (environment, app, product, purchased, id)",
            """
            CREATE INDEX transactions_revoked_by_time ON transactions (environment, app, purchased, id)
            WHERE revoked IS NOT NULL
            """,
            """
            CREATE INDEX transactions_of_username ON transactions (environment, app, application_username, id)
            WHERE application_username IS NOT NULL
            """,
            """
            CREATE INDEX journal_of_customer ON journal (environment, app, account, position)
            WHERE kind <> 'purchased' AND kind <> 'subscribed' AND kind <> 'renewed' AND kind <> 'finished'
            """,
            """
            CREATE INDEX notifications_failed ON notifications (environment, app, position, part)
            WHERE result IS NOT NULL AND result <> 'SUCCESS'
            """,
            // The history of a product or a group, newest first.
            "CREATE INDEX catalog_changes_of_resource ON catalog_changes (app, subject, id, position)",
        ], conversion: .accountsByName)
}

/// The index of accounts by name in the order of bytes.
///
/// SQLite compares texts by their bytes. PostgreSQL compares them by the database's locale, in which the names with a prefix
/// aren't a range.
enum AccountsByName {
    static func run(on connection: any Connection) throws {
        guard connection.engine == .postgres else { return }
        try connection.execute("CREATE INDEX accounts_by_name ON accounts (environment, name COLLATE \"C\")")
    }
}
