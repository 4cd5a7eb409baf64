extension Migration {
    /// The price changes of products, which stay known after the price has changed again.
    package static let prices = Migration(
        number: 20, name: "prices",
        statements: [
            // An empty storefront stands for the base price.
            """
            CREATE TABLE price_changes (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                product TEXT NOT NULL,
                at BIGINT NOT NULL,
                storefront TEXT NOT NULL,
                amount BIGINT NOT NULL,
                currency TEXT NOT NULL,
                previous_amount BIGINT NOT NULL,
                previous_currency TEXT NOT NULL,
                is_preserved BIGINT NOT NULL,
                PRIMARY KEY (environment, app, product, at, storefront)) /*WITHOUT ROWID*/
            """
        ])
}
