/// The tables of what sellers send to the App Store Server API.
enum ServerAPISchema {
    /// All of them; each has a column `environment`.
    static let tables = [
        "consumption_information", "retention_images", "retention_messages", "retention_message_images",
        "retention_defaults", "retention_urls", "retention_tests", "advanced_commerce_requests",
    ]

    static let statements = [
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
    ]
}

/// Whose rows they are: an app in an environment.
package struct AppKey: Hashable, Sendable {
    package var environment: Int64
    package var app: Int64

    package init(environment: Int64, app: Int64) {
        self.environment = environment
        self.app = app
    }

    var values: [SQLValue] { [.integer(environment), .integer(app)] }
}
