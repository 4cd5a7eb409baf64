extension Migration {
    /// The catalog as rows: products and subscription groups, the journal of their changes, what was imported last, and
    /// the bytes of screenshots and images.
    ///
    /// Until then an app's definition had all its products.
    package static let catalog = Migration(
        number: 26, name: "catalog",
        statements: [
            // One row. Its lock orders the writers of the catalog.
            """
            CREATE TABLE catalog_head (
                id BIGINT NOT NULL PRIMARY KEY,
                revision BIGINT NOT NULL,
                position BIGINT NOT NULL,
                next_number BIGINT NOT NULL)
            """,
            """
            INSERT INTO catalog_head (id, revision, position, next_number)
            SELECT 1, CAST(COALESCE(SUM(revision), 0) AS BIGINT) + 1, 0, 6700000001 FROM apps
            """,
            // A deleted product keeps its row, so that its product ID is never used again.
            """
            CREATE TABLE products (
                id BIGINT NOT NULL PRIMARY KEY,
                app BIGINT NOT NULL,
                product_id TEXT NOT NULL,
                renews BIGINT NOT NULL,
                subscription_group TEXT,
                revision BIGINT NOT NULL,
                is_deleted BIGINT NOT NULL,
                definition TEXT NOT NULL,
                listing TEXT NOT NULL)
            """,
            "CREATE UNIQUE INDEX products_by_product_id ON products (app, product_id)",
            "CREATE INDEX products_of_app ON products (app, is_deleted, renews, id)",
            "CREATE INDEX products_of_group ON products (app, subscription_group, is_deleted, id)",
            "CREATE INDEX products_by_revision ON products (revision)",
            // Two apps may have groups with the same ID. The key tells them apart.
            """
            CREATE TABLE subscription_groups (
                app BIGINT NOT NULL,
                id TEXT NOT NULL,
                group_key TEXT NOT NULL,
                revision BIGINT NOT NULL,
                definition TEXT NOT NULL,
                PRIMARY KEY (app, id))
            """,
            "CREATE UNIQUE INDEX subscription_groups_by_key ON subscription_groups (group_key)",
            """
            CREATE TABLE catalog_changes (
                position BIGINT NOT NULL PRIMARY KEY,
                at BIGINT NOT NULL,
                actor TEXT NOT NULL,
                app BIGINT NOT NULL,
                subject TEXT NOT NULL,
                id TEXT NOT NULL,
                name TEXT NOT NULL,
                kind TEXT NOT NULL,
                fields TEXT NOT NULL)
            """,
            "CREATE INDEX catalog_changes_of_app ON catalog_changes (app, position)",
            // The definitions as the last imported file had them.
            """
            CREATE TABLE catalog_imports (
                app BIGINT NOT NULL,
                subject TEXT NOT NULL,
                id TEXT NOT NULL,
                definition TEXT NOT NULL,
                PRIMARY KEY (app, subject, id)) /*WITHOUT ROWID*/
            """,
            // A part of an upload, by its offset.
            """
            CREATE TABLE catalog_assets (
                id TEXT NOT NULL,
                start BIGINT NOT NULL,
                bytes BYTEA NOT NULL,
                PRIMARY KEY (id, start))
            """,
        ], conversion: .productsOfApps)
}
