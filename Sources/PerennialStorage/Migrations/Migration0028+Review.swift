extension Migration {
    /// Review submissions and the mode of reviews, the order of promoted purchases, and batches of offer codes.
    ///
    /// Codes that were made before belong to no batch.
    package static let review = Migration(
        number: 28, name: "review",
        statements: [
            """
            CREATE TABLE review_submissions (
                id TEXT NOT NULL PRIMARY KEY,
                app BIGINT NOT NULL,
                number BIGINT NOT NULL,
                is_open BIGINT NOT NULL,
                definition TEXT NOT NULL)
            """,
            "CREATE INDEX review_submissions_of_app ON review_submissions (app, number)",
            "CREATE INDEX open_review_submissions ON review_submissions (is_open, number)",
            """
            CREATE TABLE review_settings (
                id BIGINT NOT NULL PRIMARY KEY,
                mode TEXT NOT NULL)
            """,
            """
            CREATE TABLE promoted_purchases (
                product BIGINT NOT NULL PRIMARY KEY,
                app BIGINT NOT NULL,
                position BIGINT NOT NULL)
            """,
            "CREATE INDEX promoted_purchases_of_app ON promoted_purchases (app, position)",
            """
            CREATE TABLE offer_code_batches (
                id BIGINT NOT NULL PRIMARY KEY,
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                product BIGINT NOT NULL,
                offer_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                code TEXT,
                code_count BIGINT NOT NULL,
                expires BIGINT,
                is_active BIGINT NOT NULL,
                created BIGINT NOT NULL,
                created_by TEXT NOT NULL,
                deactivated_by TEXT)
            """,
            "CREATE INDEX offer_code_batches_of_offer ON offer_code_batches (product, offer_id, id)",
            "ALTER TABLE offer_codes ADD COLUMN batch BIGINT",
            "CREATE INDEX offer_codes_of_batch ON offer_codes (batch) WHERE batch IS NOT NULL",
        ])
}
