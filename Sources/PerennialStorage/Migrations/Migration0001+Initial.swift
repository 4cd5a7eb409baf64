extension Migration {
    /// The first schema: environments, apps, accounts, purchases, the journal with its postings, and signed receipts.
    ///
    /// On SQLite, tables whose rows are found by their key are stored in its order (`WITHOUT ROWID`). The index of customers has
    /// `is_finished`, because an index of unfinished transactions would be one more page to write for every purchase.
    /// Idempotency keys and requests are stored as digests: they are in no order, so each lands on a page of its own, and short
    /// rows mean fewer pages to read and write.
    ///
    /// Keys lead with environment and app, so that a distributed PostgreSQL can shard by them. Times are milliseconds since
    /// 1970, amounts thousandths of the currency's unit, booleans 0 and 1.
    package static let initial = Migration(
        number: 1, name: "initial",
        statements: [
            """
            CREATE TABLE environments (
                id BIGINT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                kind TEXT NOT NULL,
                clock TEXT NOT NULL,
                clock_now BIGINT,
                next_id BIGINT NOT NULL,
                secret BYTEA NOT NULL)
            """,
            """
            CREATE TABLE apps (
                id BIGINT NOT NULL PRIMARY KEY,
                bundle_id TEXT NOT NULL UNIQUE,
                revision BIGINT NOT NULL,
                shared_secret TEXT NOT NULL,
                definition TEXT NOT NULL)
            """,
            """
            CREATE TABLE accounts (
                environment BIGINT NOT NULL,
                id BIGINT NOT NULL,
                name TEXT NOT NULL,
                storefront TEXT NOT NULL,
                payment_method TEXT NOT NULL,
                can_make_payments BIGINT NOT NULL,
                password TEXT,
                created BIGINT NOT NULL,
                PRIMARY KEY (environment, id),
                UNIQUE (environment, name)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE customers (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                account BIGINT NOT NULL,
                revision BIGINT NOT NULL,
                joined BIGINT NOT NULL,
                PRIMARY KEY (environment, app, account)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE devices (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                account BIGINT NOT NULL,
                device TEXT NOT NULL,
                token_digest BYTEA NOT NULL,
                application_version TEXT NOT NULL,
                is_installed BIGINT NOT NULL,
                signed_in BIGINT NOT NULL,
                PRIMARY KEY (environment, app, account, device),
                UNIQUE (environment, token_digest)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE transactions (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                id BIGINT NOT NULL,
                original_id BIGINT NOT NULL,
                account BIGINT NOT NULL,
                product TEXT NOT NULL,
                type TEXT NOT NULL,
                quantity BIGINT NOT NULL,
                purchased BIGINT NOT NULL,
                originally_purchased BIGINT NOT NULL,
                expires BIGINT,
                web_order_line_item BIGINT,
                subscription_group TEXT,
                revoked BIGINT,
                revocation_reason BIGINT,
                revocation_kind TEXT,
                revocation_percentage BIGINT,
                price BIGINT NOT NULL,
                currency TEXT NOT NULL,
                storefront TEXT NOT NULL,
                ownership TEXT NOT NULL,
                reason TEXT NOT NULL,
                offer_kind BIGINT,
                offer_id TEXT,
                offer_payment_mode TEXT,
                offer_period TEXT,
                is_upgraded BIGINT NOT NULL,
                application_username TEXT,
                is_finished BIGINT NOT NULL,
                journal_position BIGINT NOT NULL,
                PRIMARY KEY (environment, app, id)) /*WITHOUT ROWID*/
            """,
            """
            CREATE INDEX transactions_of_customer ON transactions (environment, app, account, id, is_finished)
            """,
            """
            CREATE TABLE purchase_requests (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                account BIGINT NOT NULL,
                key_digest BYTEA NOT NULL,
                request_digest BYTEA NOT NULL,
                transaction_id BIGINT,
                refusal TEXT,
                refusal_reason TEXT,
                PRIMARY KEY (environment, app, account, key_digest)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE journal_heads (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                position BIGINT NOT NULL,
                PRIMARY KEY (environment, app)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE journal (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                position BIGINT NOT NULL,
                kind TEXT NOT NULL,
                at BIGINT NOT NULL,
                account BIGINT NOT NULL,
                transaction_id BIGINT,
                original_id BIGINT,
                product TEXT,
                PRIMARY KEY (environment, app, position)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE postings (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                position BIGINT NOT NULL,
                line BIGINT NOT NULL,
                account TEXT NOT NULL,
                amount BIGINT NOT NULL,
                currency TEXT NOT NULL,
                PRIMARY KEY (environment, app, position, line)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE signed_receipts (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                account BIGINT NOT NULL,
                device TEXT NOT NULL,
                revision BIGINT NOT NULL,
                receipt BYTEA NOT NULL,
                PRIMARY KEY (environment, app, account, device))
            """,
        ])
}
