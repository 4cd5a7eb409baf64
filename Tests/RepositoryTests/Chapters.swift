/// The chapters of the store, each of which has one name in all layers.
struct Chapter: Sendable {
    enum Layer: String, CaseIterable, Sendable {
        case rules = "Perennial"
        case store = "PerennialStore"
        case storage = "PerennialStorage"
        case http = "PerennialHTTP"
    }

    let name: String
    /// The layers without the chapter, each with the reason.
    let missing: [Layer: String]

    private init(_ name: String, _ missing: [Layer: String] = [:]) {
        self.name = name
        self.missing = missing
    }

    /// The beginning of the names of the chapter's files of routes: `Family` for `Families`, `Refund` for `Refunds`.
    var routesName: String {
        guard name.hasSuffix("s") else { return name }
        return name.hasSuffix("ies") ? name.dropLast(3) + "y" : String(name.dropLast())
    }

    private static let noDecisions = "Nothing is decided: it reads what other chapters have written."

    static let all: [Chapter] = [
        Chapter("Accounts"),
        Chapter("Catalog"),
        Chapter(
            "Clock",
            [
                .rules: "Calendar/ has instants and days.",
                .storage: "A manual clock is a column of its environment, in Environments/.",
            ]),
        Chapter(
            "ContentDelivery",
            [
                .rules: "The rights that content follows from are in Entitlements/.",
                .store: "PerennialDelivery is a target of its own, beside the store.",
            ]),
        Chapter("Credentials"),
        Chapter(
            "Downloads",
            [
                .store: "One file, in Accounts/: a download is of an account's device.",
                .storage: "One table, in Accounts/.",
            ]),
        Chapter("Environments", [.rules: "One value, StoreEnvironment, in Accounts/."]),
        Chapter("Explain", [.rules: noDecisions, .storage: noDecisions]),
        Chapter("Extensions", [.storage: "One table, in Subscriptions/."]),
        Chapter("Families"),
        Chapter("Finance"),
        Chapter("History", [.rules: noDecisions, .storage: "Reads of the purchases' table, in Purchases/."]),
        Chapter("Journal", [.store: "Each chapter appends its own entries; Lists/ has the list of them."]),
        Chapter(
            "Lists",
            [
                .rules: noDecisions,
                .storage: "Each table's own reads, in a file such as SubscriptionsTable+Lists.",
            ]),
        Chapter("Live", [.rules: noDecisions, .storage: "Reads of the journal, in Journal/."]),
        Chapter("Nodes", [.rules: "Nodes share work, and no commerce follows from it."]),
        Chapter("Notifications"),
        Chapter("Offers"),
        Chapter("Products"),
        Chapter("Purchases"),
        Chapter(
            "Receipts",
            [
                .rules: "AppStoreFormats encodes them.", .storage: "One table, in Purchases/.",
                .http: "Parts of answers of each protocol.",
            ]),
        Chapter("Refunds"),
        Chapter(
            "Renewals",
            [
                .storage: "What is due is a column of subscriptions, in Subscriptions/.",
                .http: "The clock renews; BillingRoutes has the settings, under the name of App Store Connect.",
            ]),
        Chapter("Reports"),
        Chapter(
            "Restores",
            [
                .rules: "One value, Restoration, in Purchases/.",
                .storage: "Reads of the purchases' table, in Purchases/.",
                .http: "Two routes of the client's protocol, in Store/.",
            ]),
        Chapter("Retention", [.rules: "Its limits are counted over what is stored."]),
        Chapter("RollUps", [.rules: "Sums of what the rules of Reports/ and Statistics/ compute."]),
        Chapter("Statistics"),
        Chapter("Subscriptions"),
        Chapter("Team", [.store: "PerennialConnect is a target of its own, beside the store."]),
        Chapter(
            "Verification",
            [
                .rules: noDecisions, .storage: noDecisions,
                .http: "VerifyReceipt/ is a protocol of its own, under Apple's name.",
            ]),
    ]

    /// The folders of a layer that are no chapters, each with its contents.
    static let otherFolders: [Layer: [String: String]] = [
        .rules: [
            "Calendar": "Instants, days and periods.", "Money": "Amounts, taxes and the ledger.",
            "Records": "The encoding of stored values.",
            "Entitlements": "The rules of PerennialDelivery, which has a folder of this name.",
        ],
        .store: [:],
        .storage: [
            "Console": "The console's sessions, links and passwords, for PerennialConsole.",
            "Database": "Transactions, the same for all chapters.",
            "Migrations": "The schema, the same for all chapters.",
            "PostgreSQL": "An engine.", "SQLite": "An engine.",
        ],
        .http: [
            "Connect": "Apple's App Store Connect API.",
            "Control": "The protocol of operators: a file for each chapter.",
            "ServerAPI": "Apple's App Store Server API: a file for each chapter.", "Store": "The client's protocol.",
            "VerifyReceipt": "Apple's verifyReceipt.",
            "Certificates": "OCSP and issuers' certificates, for verifiers of other programs.",
            "Errors": "Errors in the form of each protocol.", "Metrics": "Prometheus's protocol.",
            "OpenAPI": "The description of the protocols.", "Outbound": "Requests to other servers.",
            "Routing": "Groups of routes and their credentials.", "Server": "The router and its middleware.",
        ],
    ]

    /// The files of routes whose names begin with no chapter's, each with its chapter.
    static let otherRoutes: [String: String] = [
        "AdvancedCommerceEndpoints": "Refunds: Apple's name of the calls.",
        "AskToBuyRoutes": "Purchases: the parents' answers.",
        "BillingRoutes": "Renewals: their settings.",
        "ConsoleAccountRoutes": "Accounts: the operator's list.",
        "ControlRoutes": "All files of the folder.",
        "InspectRoutes": "Verification of pasted data; the command's name.",
        "InterruptionRoutes": "Purchases: those that wait for terms or a card.",
        "LedgerRoutes": "Finance: its postings.",
        "PriceRoutes": "Products: their prices.",
        "ReviewRoutes": "Catalog: its review.",
        "ServerAPIRoutes": "All files of the folder.",
        "StatusListRoutes": "Lists: the status of the store.",
        "TesterRoutes": "Accounts: those of testers.",
        "TransactionEndpoints": "History: one transaction of it.",
        "TransactionListRoutes": "Lists: transactions.",
    ]
}
