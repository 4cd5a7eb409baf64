import PerennialStorage

/// Migrations as versions of 21 November 2026 ran them, before they were changed in place.
enum EarlyMigrations {
    /// Returns the present migrations up to a number, with some statements as they were.
    /// - Parameters:
    ///   - statements: The earlier texts, by the beginning of the present one; an empty text for none.
    ///   - added: A further statement of migration 1.
    static func upTo(_ number: Int, _ statements: [String: String], adding added: [String] = []) -> [Migration] {
        Migration.all.prefix(number).map { migration in
            let texts = migration.statements.compactMap { present -> String? in
                guard let earlier = statements.first(where: { present.hasPrefix($0.key) })?.value else {
                    return present
                }
                return earlier.isEmpty ? nil : earlier
            }
            return Migration(
                number: migration.number, name: migration.name,
                statements: texts + (migration.number == 1 ? added : []))
        }
    }

    /// The two statements of migration 7 that came on 22 November 2026.
    static let withoutClockTarget = [
        "CREATE TABLE removed_environments (": "", "ALTER TABLE environments ADD COLUMN clock_target": "",
    ]

    /// Statements of migration 1 as of 21 November 2026, 04:40: tables with row IDs, transactions without the kind of a refund.
    static let first: [String: String] = [
        "CREATE TABLE accounts (": """
        CREATE TABLE accounts ( environment BIGINT NOT NULL, id BIGINT NOT NULL, name TEXT NOT NULL, storefront TEXT
        NOT NULL, payment_method TEXT NOT NULL, can_make_payments BIGINT NOT NULL, password TEXT, created BIGINT NOT
        NULL, PRIMARY KEY (environment, id), UNIQUE (environment, name))
        """,
        "CREATE TABLE customers (": """
        CREATE TABLE customers ( environment BIGINT NOT NULL, app BIGINT NOT NULL, account BIGINT NOT NULL, revision
        BIGINT NOT NULL, joined BIGINT NOT NULL, PRIMARY KEY (environment, app, account))
        """,
        "CREATE TABLE devices (": """
        CREATE TABLE devices ( environment BIGINT NOT NULL, app BIGINT NOT NULL, account BIGINT NOT NULL, device TEXT
        NOT NULL, token_digest BYTEA NOT NULL, application_version TEXT NOT NULL, is_installed BIGINT NOT NULL,
        signed_in BIGINT NOT NULL, PRIMARY KEY (environment, app, account, device), UNIQUE (environment,
        token_digest))
        """,
        "CREATE TABLE transactions (": """
        CREATE TABLE transactions ( environment BIGINT NOT NULL, app BIGINT NOT NULL, id BIGINT NOT NULL, original_id
        BIGINT NOT NULL, account BIGINT NOT NULL, product TEXT NOT NULL, type TEXT NOT NULL, quantity BIGINT NOT NULL,
        purchased BIGINT NOT NULL, originally_purchased BIGINT NOT NULL, expires BIGINT, web_order_line_item BIGINT,
        subscription_group TEXT, revoked BIGINT, revocation_reason BIGINT, price BIGINT NOT NULL, currency TEXT NOT
        NULL, storefront TEXT NOT NULL, ownership TEXT NOT NULL, reason TEXT NOT NULL, offer_kind BIGINT, offer_id
        TEXT, offer_payment_mode TEXT, offer_period TEXT, is_upgraded BIGINT NOT NULL, application_username TEXT,
        is_finished BIGINT NOT NULL, journal_position BIGINT NOT NULL, PRIMARY KEY (environment, app, id))
        """,
        "CREATE TABLE purchase_requests (": """
        CREATE TABLE purchase_requests ( environment BIGINT NOT NULL, app BIGINT NOT NULL, account BIGINT NOT NULL,
        idempotency_key TEXT NOT NULL, fingerprint TEXT NOT NULL, transaction_id BIGINT, refusal TEXT, refusal_reason
        TEXT, PRIMARY KEY (environment, app, account, idempotency_key))
        """,
        "CREATE TABLE journal_heads (": """
        CREATE TABLE journal_heads ( environment BIGINT NOT NULL, app BIGINT NOT NULL, position BIGINT NOT NULL,
        PRIMARY KEY (environment, app))
        """,
        "CREATE TABLE journal (": """
        CREATE TABLE journal ( environment BIGINT NOT NULL, app BIGINT NOT NULL, position BIGINT NOT NULL, kind TEXT
        NOT NULL, at BIGINT NOT NULL, account BIGINT NOT NULL, transaction_id BIGINT, original_id BIGINT, product
        TEXT, PRIMARY KEY (environment, app, position))
        """,
        "CREATE TABLE postings (": """
        CREATE TABLE postings ( environment BIGINT NOT NULL, app BIGINT NOT NULL, position BIGINT NOT NULL, line
        BIGINT NOT NULL, account TEXT NOT NULL, amount BIGINT NOT NULL, currency TEXT NOT NULL, PRIMARY KEY
        (environment, app, position, line))
        """,
        "CREATE INDEX transactions_of_customer": """
        CREATE INDEX transactions_of_customer ON transactions (environment, app, account, id)
        """,
    ]

    /// An index that migration 1 made until 21 November 2026, 06:52.
    static let unfinished =
        """
        CREATE INDEX transactions_unfinished ON transactions (environment, app, account, id) WHERE is_finished = 0
        """

    /// Statements of migrations 1 and 3 as of 21 November 2026, 08:21: idempotency keys as texts, subscriptions with row IDs.
    static let morning: [String: String] = [
        "CREATE TABLE transactions (": """
        CREATE TABLE transactions ( environment BIGINT NOT NULL, app BIGINT NOT NULL, id BIGINT NOT NULL, original_id
        BIGINT NOT NULL, account BIGINT NOT NULL, product TEXT NOT NULL, type TEXT NOT NULL, quantity BIGINT NOT NULL,
        purchased BIGINT NOT NULL, originally_purchased BIGINT NOT NULL, expires BIGINT, web_order_line_item BIGINT,
        subscription_group TEXT, revoked BIGINT, revocation_reason BIGINT, revocation_kind TEXT, revocation_percentage
        BIGINT, price BIGINT NOT NULL, currency TEXT NOT NULL, storefront TEXT NOT NULL, ownership TEXT NOT NULL,
        reason TEXT NOT NULL, offer_kind BIGINT, offer_id TEXT, offer_payment_mode TEXT, offer_period TEXT,
        is_upgraded BIGINT NOT NULL, application_username TEXT, is_finished BIGINT NOT NULL, journal_position BIGINT
        NOT NULL, PRIMARY KEY (environment, app, id))
        """,
        "CREATE TABLE purchase_requests (": """
        CREATE TABLE purchase_requests ( environment BIGINT NOT NULL, app BIGINT NOT NULL, account BIGINT NOT NULL,
        idempotency_key TEXT NOT NULL, fingerprint TEXT NOT NULL, transaction_id BIGINT, refusal TEXT, refusal_reason
        TEXT, PRIMARY KEY (environment, app, account, idempotency_key)) /*WITHOUT ROWID*/
        """,
        "CREATE TABLE subscriptions (": """
        CREATE TABLE subscriptions ( environment BIGINT NOT NULL, app BIGINT NOT NULL, original_id BIGINT NOT NULL,
        account BIGINT NOT NULL, subscription_group TEXT NOT NULL, due BIGINT, document TEXT NOT NULL, PRIMARY KEY
        (environment, app, original_id))
        """,
    ]

    /// Statements of migrations 3, 9, 11 and 13 as of 21 November 2026, 13:31: notifications that are written when they are sent.
    static let noon: [String: String] = [
        "CREATE TABLE subscriptions (": """
        CREATE TABLE subscriptions ( environment BIGINT NOT NULL, app BIGINT NOT NULL, original_id BIGINT NOT NULL,
        account BIGINT NOT NULL, subscription_group TEXT NOT NULL, due BIGINT, document TEXT NOT NULL, PRIMARY KEY
        (environment, app, original_id))
        """,
        "CREATE TABLE offer_nonces (": """
        CREATE TABLE offer_nonces ( environment BIGINT NOT NULL, app BIGINT NOT NULL, nonce TEXT NOT NULL, used BIGINT
        NOT NULL, PRIMARY KEY (environment, app, nonce)) /*WITHOUT ROWID*/
        """,
        "CREATE TABLE notification_settings (": """
        CREATE TABLE notification_settings ( environment BIGINT NOT NULL, app BIGINT NOT NULL, url TEXT NOT NULL,
        version BIGINT NOT NULL, retries TEXT NOT NULL, timeout BIGINT NOT NULL, trouble TEXT, position BIGINT NOT
        NULL, PRIMARY KEY (environment, app)) /*WITHOUT ROWID*/
        """,
        "CREATE TABLE notification_contents (": """
        CREATE TABLE journal_states ( environment BIGINT NOT NULL, app BIGINT NOT NULL, position BIGINT NOT NULL,
        status BIGINT, transaction_info TEXT, renewal_info TEXT, details TEXT, PRIMARY KEY (environment, app,
        position)) /*WITHOUT ROWID*/
        """,
        "CREATE TABLE notifications (": """
        CREATE TABLE notifications ( environment BIGINT NOT NULL, app BIGINT NOT NULL, position BIGINT NOT NULL, part
        BIGINT NOT NULL, uuid TEXT NOT NULL, version BIGINT NOT NULL, type TEXT NOT NULL, subtype TEXT, account BIGINT
        NOT NULL, original_id BIGINT, transaction_id BIGINT, signed BIGINT NOT NULL, status BIGINT, transaction_info
        TEXT, renewal_info TEXT, details TEXT, signatures BYTEA, attempts TEXT NOT NULL, result TEXT, next_attempt
        BIGINT, PRIMARY KEY (environment, app, position, part)) /*WITHOUT ROWID*/
        """,
        "CREATE INDEX offer_nonces_by_time": """
        CREATE INDEX offer_nonces_by_time ON offer_nonces (environment, app, used)
        """,
    ]
}
