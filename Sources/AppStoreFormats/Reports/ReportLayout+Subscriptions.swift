extension ReportLayout {
    /// Subscription 1_3, with 35 columns.
    public static let subscription1_3 = ReportLayout(
        .subscription, version: "1_3", dateForm: .yearMonthDay, columns: countColumns(winBack: "Win-Back"))

    /// Subscription 1_4, which writes *Win-back* in another case.
    public static let subscription1_4 = ReportLayout(
        .subscription, version: "1_4", dateForm: .yearMonthDay, columns: countColumns(winBack: "Win-back"))

    /// Subscription Event 1_3, with 29 columns.
    public static let subscriptionEvent1_3 = ReportLayout(
        .subscriptionEvent, version: "1_3", dateForm: .yearMonthDay, columns: eventColumns)

    /// Subscription Event 1_4, with the columns of 1_3.
    public static let subscriptionEvent1_4 = ReportLayout(
        .subscriptionEvent, version: "1_4", dateForm: .yearMonthDay, columns: eventColumns)

    /// Subscriber 1_3, with 26 columns.
    public static let subscriber1_3 = ReportLayout(
        .subscriber, version: "1_3", dateForm: .yearMonthDay,
        columns: [Column("Event Date", .date)] + subscriptionColumns + [
            Column("Subscription Offer Name"),
            Column("Promotional Offer ID"),
            Column("Subscription Offer Type"),
            Column("Subscription Offer Duration"),
            Column("Marketing Opt-In Duration"),
        ] + moneyColumns + [
            Column("Country"),
            Column("Subscriber ID", .integer),
            Column("Subscriber ID Reset"),
            Column("Refund"),
            Column("Purchase Date", .date),
            Column("Units", .integer),
        ])

    /// Subscription Offer Code Redemption 1_0, with 9 columns.
    public static let offerCodeRedemption1_0 = ReportLayout(
        .offerCodeRedemption, version: "1_0", dateForm: .yearMonthDay,
        columns: [
            Column("Date", .date),
            Column("App Name"),
            Column("App Apple ID", .integer),
            Column("Subscription Name"),
            Column("Subscription Apple ID", .integer),
            Column("Offer Reference Name"),
            Column("Offer Code"),
            Column("Territory"),
            Column("Redemptions", .integer),
        ])

    /// Returns the columns of Subscription.
    private static func countColumns(winBack: String) -> [Column] {
        subscriptionColumns + [Column("Subscription Offer Name"), Column("Promotional Offer ID")] + moneyColumns + [
            Column("State"),
            Column("Country"),
            Column("Active Standard Price Subscriptions", .integer),
            Column("Active Free Trial Introductory Offer Subscriptions", .integer),
            Column("Active Pay Up Front Introductory Offer Subscriptions", .integer),
            Column("Active Pay As You Go Introductory Offer Subscriptions", .integer),
            Column("Free Trial Promotional Offer Subscriptions", .integer),
            Column("Pay Up Front Promotional Offer Subscriptions", .integer),
            Column("Pay As You Go Promotional Offer Subscriptions", .integer),
            Column("Free Trial Offer Code Subscriptions", .integer),
            Column("Pay Up Front Offer Code Subscriptions", .integer),
            Column("Pay As You Go Offer Code Subscriptions", .integer),
            Column("Marketing Opt-Ins", .integer),
            Column("Billing Retry", .integer),
            Column("Grace Period", .integer),
            Column("Subscribers", .integer),
            Column("Free Trial \(winBack) Offers", .integer),
            Column("Pay Up Front \(winBack) Offers", .integer),
            Column("Pay As You Go \(winBack) Offers", .integer),
        ]
    }

    /// The columns of Subscription Event.
    private static let eventColumns =
        [
            Column("Event Date", .date), Column("Event"),
        ] + subscriptionColumns + [
            Column("Subscription Offer Type"),
            Column("Subscription Offer Duration"),
            Column("Marketing Opt-In"),
            Column("Marketing Opt-In Duration"),
            Column("Preserved Pricing"),
            Column("Proceeds Reason"),
            Column("Subscription Offer Name"),
            Column("Promotional Offer ID"),
            Column("Consecutive Paid Periods", .integer),
            Column("Original Start Date", .date),
            Column("Device"),
            Column("Client"),
            Column("State"),
            Column("Country"),
            Column("Previous Subscription Name"),
            Column("Previous Subscription Apple ID", .integer),
            Column("Days Before Canceling", .integer),
            Column("Cancellation Reason"),
            Column("Days Canceled", .integer),
            Column("Quantity", .integer),
            Column("Paid Service Days Recovered", .integer),
        ]

    /// The columns that name the subscription.
    private static let subscriptionColumns = [
        Column("App Name"),
        Column("App Apple ID", .integer),
        Column("Subscription Name"),
        Column("Subscription Apple ID", .integer),
        Column("Subscription Group ID"),
        Column("Standard Subscription Duration"),
    ]

    /// The columns of price and proceeds, and of the circumstances of a sale.
    private static let moneyColumns = [
        Column("Customer Price", .decimal),
        Column("Customer Currency"),
        Column("Developer Proceeds", .decimal),
        Column("Proceeds Currency"),
        Column("Preserved Pricing"),
        Column("Proceeds Reason"),
        Column("Client"),
        Column("Device"),
    ]
}
