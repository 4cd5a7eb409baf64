extension Migration {
    /// Closed fiscal months, exchange rates and payouts.
    ///
    /// Currencies are ISO codes, rates billionths, months numbers of fiscal months and days of Pacific days. The seller's own
    /// journal is that of app 0; `position` is the place of a row's entry in it.
    package static let finance = Migration(
        number: 23, name: "finance",
        statements: [
            """
            CREATE TABLE finance_settings (
                environment BIGINT NOT NULL PRIMARY KEY,
                document TEXT NOT NULL)
            """,
            """
            CREATE TABLE exchange_rates (
                environment BIGINT NOT NULL,
                month BIGINT NOT NULL,
                source TEXT NOT NULL,
                target TEXT NOT NULL,
                rate BIGINT NOT NULL,
                PRIMARY KEY (environment, month, source, target)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE finance_adjustments (
                environment BIGINT NOT NULL,
                position BIGINT NOT NULL,
                region TEXT NOT NULL,
                currency TEXT NOT NULL,
                amount BIGINT NOT NULL,
                note TEXT NOT NULL,
                at BIGINT NOT NULL,
                idempotency_key TEXT NOT NULL,
                month BIGINT,
                PRIMARY KEY (environment, position),
                UNIQUE (environment, idempotency_key)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE closed_months (
                environment BIGINT NOT NULL,
                month BIGINT NOT NULL,
                closed BIGINT NOT NULL,
                first_position BIGINT NOT NULL,
                last_position BIGINT NOT NULL,
                bank_currency TEXT NOT NULL,
                bank_name TEXT,
                account_ending TEXT,
                carried BIGINT NOT NULL,
                carried_currency TEXT NOT NULL,
                carried_rate BIGINT NOT NULL,
                carried_proceeds BIGINT NOT NULL,
                threshold BIGINT NOT NULL,
                PRIMARY KEY (environment, month)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE closed_month_positions (
                environment BIGINT NOT NULL,
                month BIGINT NOT NULL,
                app BIGINT NOT NULL,
                position BIGINT NOT NULL,
                PRIMARY KEY (environment, month, app)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE closing_lines (
                environment BIGINT NOT NULL,
                month BIGINT NOT NULL,
                region TEXT NOT NULL,
                currency TEXT NOT NULL,
                units BIGINT NOT NULL,
                earned BIGINT NOT NULL,
                input_tax BIGINT NOT NULL,
                late BIGINT NOT NULL,
                manual BIGINT NOT NULL,
                withholding BIGINT NOT NULL,
                rate BIGINT NOT NULL,
                proceeds BIGINT NOT NULL,
                PRIMARY KEY (environment, month, region, currency)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE payouts (
                environment BIGINT NOT NULL,
                month BIGINT NOT NULL,
                day BIGINT NOT NULL,
                amount BIGINT NOT NULL,
                currency TEXT NOT NULL,
                reference TEXT NOT NULL,
                PRIMARY KEY (environment, month)) /*WITHOUT ROWID*/
            """,
        ])
}
