extension Migration {
    /// The data that sellers send to the App Store Server API (consumption information, retention messages, Advanced Commerce
    /// requests) and an index for refund histories.
    package static let serverAPI = Migration(
        number: 8, name: "serverAPI",
        statements: [
            """
            CREATE TABLE consumption_information (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                transaction_id BIGINT NOT NULL,
                version BIGINT NOT NULL,
                received BIGINT NOT NULL,
                document TEXT NOT NULL,
                PRIMARY KEY (environment, app, transaction_id)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE retention_images (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                id TEXT NOT NULL,
                size TEXT NOT NULL,
                state TEXT NOT NULL,
                uploaded BIGINT NOT NULL,
                content BYTEA NOT NULL,
                PRIMARY KEY (environment, app, id))
            """,
            """
            CREATE TABLE retention_messages (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                id TEXT NOT NULL,
                state TEXT NOT NULL,
                uploaded BIGINT NOT NULL,
                document TEXT NOT NULL,
                PRIMARY KEY (environment, app, id)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE retention_message_images (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                image TEXT NOT NULL,
                message TEXT NOT NULL,
                PRIMARY KEY (environment, app, image, message)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE retention_defaults (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                product TEXT NOT NULL,
                locale TEXT NOT NULL,
                message TEXT NOT NULL,
                PRIMARY KEY (environment, app, product, locale)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE retention_urls (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                url TEXT NOT NULL,
                PRIMARY KEY (environment, app)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE retention_tests (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                id TEXT NOT NULL,
                passed BIGINT NOT NULL,
                document TEXT NOT NULL,
                PRIMARY KEY (environment, app, id)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE advanced_commerce_requests (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                reference TEXT NOT NULL,
                received BIGINT NOT NULL,
                PRIMARY KEY (environment, app, reference)) /*WITHOUT ROWID*/
            """,
            """
            CREATE INDEX transactions_revoked ON transactions (environment, app, account, revoked, id)
            WHERE revoked IS NOT NULL
            """,
        ])
}
