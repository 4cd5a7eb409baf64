extension Migration {
    /// Answers of receivers to notifications: the status line and the beginning of the body of each attempt.
    ///
    /// A table of its own, because bodies are long and the notifications' rows are read for lists. `attempted` is the attempt's
    /// time: an earlier version's node may empty an environment and leave its responses, which then belong to no attempt.
    package static let notificationResponses = Migration(
        number: 34, name: "notificationResponses", allowsEarlierNodes: true,
        statements: [
            """
            CREATE TABLE notification_responses (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                position BIGINT NOT NULL,
                part BIGINT NOT NULL,
                attempt BIGINT NOT NULL,
                attempted BIGINT NOT NULL,
                status_line TEXT NOT NULL,
                body TEXT NOT NULL,
                is_truncated BIGINT NOT NULL,
                PRIMARY KEY (environment, app, position, part, attempt))
            """
        ])
}
