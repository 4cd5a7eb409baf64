extension ReportLayout {
    /// Summary Sales 1_0, with 27 columns.
    public static let sales1_0 = ReportLayout(.sales, version: "1_0", dateForm: .monthDayYear, columns: salesColumns)

    /// Summary Sales 1_1: 1_0 and the column `Order Type`.
    public static let sales1_1 = ReportLayout(
        .sales, version: "1_1", dateForm: .monthDayYear, columns: salesColumns + [Column("Order Type")])

    /// The columns of 1_0. The greatest lengths are those of Apple's help page, as far as it has them.
    private static let salesColumns = [
        Column("Provider"),
        Column("Provider Country"),
        Column("SKU", .text(maximumLength: 100)),
        Column("Developer", .text(maximumLength: 4000)),
        Column("Title", .text(maximumLength: 600)),
        Column("Version", .text(maximumLength: 100)),
        Column("Product Type Identifier", .text(maximumLength: 20)),
        Column("Units", .integer),
        Column("Developer Proceeds", .decimal),
        Column("Begin Date", .date),
        Column("End Date", .date),
        Column("Customer Currency"),
        Column("Country Code"),
        Column("Currency of Proceeds"),
        Column("Apple Identifier", .integer),
        Column("Customer Price", .decimal),
        Column("Promo Code", .text(maximumLength: 10)),
        Column("Parent Identifier", .text(maximumLength: 100)),
        Column("Subscription"),
        Column("Period", .text(maximumLength: 30)),
        Column("Category", .text(maximumLength: 50)),
        Column("CMB"),
        // Declared with 10 characters, but Apple's own `Apple Vision` has 12: not cut.
        Column("Device"),
        Column("Supported Platforms", .text(maximumLength: 12)),
        Column("Proceeds Reason"),
        Column("Preserved Pricing"),
        Column("Client"),
    ]
}
