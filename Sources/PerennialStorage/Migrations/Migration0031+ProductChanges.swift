extension Migration {
    /// An environment's changes of products as rows: prices and availability beside the catalog, and the prices of the
    /// catalog's schedule that have taken effect there.
    ///
    /// Until then the settings of an app had those of all its products.
    package static let productChanges = Migration(
        number: 31, name: "productChanges",
        statements: [
            """
            CREATE TABLE product_changes (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                product TEXT NOT NULL,
                revision BIGINT NOT NULL,
                document TEXT NOT NULL,
                PRIMARY KEY (environment, app, product))
            """,
            "CREATE INDEX product_changes_by_revision ON product_changes (revision)",
        ], conversion: .productChangesOfSettings)
}
