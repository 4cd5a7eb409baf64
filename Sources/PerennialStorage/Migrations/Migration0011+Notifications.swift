extension Migration {
    /// Server notifications: settings of apps; contents, which are written once; and notifications with their attempts, whose
    /// short rows change.
    ///
    /// Contents have row IDs: SQLite moves most of a row of more than a kilobyte to pages of its own if the table is stored in
    /// the order of its key.
    package static let notifications = Migration(
        number: 11, name: "notifications",
        statements: [
            """
            CREATE TABLE notification_settings (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                url TEXT NOT NULL,
                version BIGINT NOT NULL,
                retries TEXT NOT NULL,
                timeout BIGINT NOT NULL,
                trouble TEXT,
                PRIMARY KEY (environment, app)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE notification_contents (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                position BIGINT NOT NULL,
                status BIGINT,
                transaction_info TEXT,
                renewal_info TEXT,
                details TEXT,
                PRIMARY KEY (environment, app, position))
            """,
            """
            CREATE TABLE notifications (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                position BIGINT NOT NULL,
                part BIGINT NOT NULL,
                uuid TEXT NOT NULL,
                version BIGINT NOT NULL,
                type TEXT NOT NULL,
                subtype TEXT,
                account BIGINT NOT NULL,
                original_id BIGINT,
                transaction_id BIGINT,
                signed BIGINT NOT NULL,
                signatures BYTEA,
                attempts TEXT NOT NULL,
                result TEXT,
                next_attempt BIGINT,
                PRIMARY KEY (environment, app, position, part)) /*WITHOUT ROWID*/
            """,
            """
            CREATE INDEX notifications_due ON notifications (environment, app, next_attempt, position, part)
            WHERE next_attempt IS NOT NULL
            """,
            "CREATE INDEX notifications_signed ON notifications (environment, app, signed, position, part)",
            "CREATE INDEX notifications_of_subject ON notifications (environment, app, original_id, signed)",
            "CREATE INDEX notifications_uuid ON notifications (environment, uuid)",
        ])
}
