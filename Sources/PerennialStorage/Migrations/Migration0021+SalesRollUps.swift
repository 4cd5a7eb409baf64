extension Migration {
    /// The roll-ups of sales, and the positions up to which an app's journal is in them.
    ///
    /// Rows are found by their whole key, so SQLite stores the tables in its order. The key of a row of sales has 13 columns;
    /// its digest stands for them.
    package static let salesRollUps = Migration(
        number: 21, name: "salesRollUps",
        statements: [
            // Kept when an environment is emptied, so that the number of a generation never comes again.
            """
            CREATE TABLE roll_up_generations (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                latest BIGINT NOT NULL,
                PRIMARY KEY (environment, app)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE roll_up_heads (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                generation BIGINT NOT NULL,
                position BIGINT NOT NULL,
                state TEXT NOT NULL,
                changed BIGINT NOT NULL,
                PRIMARY KEY (environment, app, generation)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE roll_up_days (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                generation BIGINT NOT NULL,
                day BIGINT NOT NULL,
                first_position BIGINT NOT NULL,
                last_position BIGINT NOT NULL,
                PRIMARY KEY (environment, app, generation, day, first_position)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE roll_up_devices (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                generation BIGINT NOT NULL,
                original_id BIGINT NOT NULL,
                position BIGINT NOT NULL,
                device TEXT NOT NULL,
                PRIMARY KEY (environment, app, generation, original_id, position)) /*WITHOUT ROWID*/
            """,
            """
            CREATE TABLE sales_roll_up (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                generation BIGINT NOT NULL,
                grain BIGINT NOT NULL,
                period BIGINT NOT NULL,
                is_adjustment BIGINT NOT NULL,
                digest BYTEA NOT NULL,
                product TEXT,
                version TEXT NOT NULL,
                type TEXT NOT NULL,
                proceeds BIGINT NOT NULL,
                customer_price BIGINT NOT NULL,
                tax BIGINT NOT NULL,
                commission BIGINT NOT NULL,
                currency TEXT NOT NULL,
                storefront TEXT NOT NULL,
                promo_code TEXT NOT NULL,
                subscription TEXT,
                duration TEXT,
                device TEXT,
                proceeds_reason TEXT,
                is_price_preserved BIGINT NOT NULL,
                units BIGINT NOT NULL,
                PRIMARY KEY (environment, app, generation, grain, period, is_adjustment, digest)) /*WITHOUT ROWID*/
            """,
        ])
}
