/// The exceptions that `ReadabilityTests` allow, each with its reason.
enum Exceptions {
    /// The short files that don't declare one type of their own name; a path that ends in a slash stands for a folder's files.
    static let shortFiles: [String: String] = [
        "Sources/OpenStoreKit/Sale/Product/Product+Transactions.swift": "a product's view of what was bought",
        "Sources/AppStoreFormats/ServerAPI/RefundHistory.swift": "The two versions of one endpoint's response.",
        "Sources/Perennial/AskToBuy/ApprovalRules.swift": "Two rules about approval.",
        "Sources/PerennialConnect/Credentials/APIKeys+SharedSecret.swift": "The secret of verifyReceipt.",
        "Sources/Perennial/Entitlements/VerifiedPurchase+Upgrades.swift": "One rule: the end of an upgraded period.",
        "Sources/Perennial/Refunds/RefundRequest.swift": "One choice: the period that a refund is of.",
        "Sources/PerennialCommand/Client/Arguments.swift": "The rules' values as command line arguments.",
        "Sources/PerennialCommand/Server/SandboxReceipts.swift": "One option of two commands.",
        "Sources/PerennialCommand/Snippets/Catalog+Examples.swift": "The products that snippets name.",
        "Sources/PerennialHTTP/Routing/ReportFile+ResponseBody.swift": "One way of a file to a slow client.",
        "Sources/PerennialHTTP/Errors/UnknownFields.swift": "One check of request bodies.",
        "Sources/PerennialSimulation/Deployment/Deployment+Families.swift":
            "The actions of one topic, as its neighbours.",
        "Sources/PerennialStorage/Migrations/": "A migration is a file of its own and never changes.",
        "Sources/AppStoreFormats/CatalogFile/CatalogNode+JSON.swift": "One form of a tree.",
        "Sources/PerennialStore/Notifications/StoreRegistry+Receivers.swift": "The receivers that a catalog names.",
        "Sources/PerennialConnect/Catalog/Editing/CodeBatchEditing.swift": "The rows of one topic.",
        "Sources/PerennialConsole/Web/Permission+Roles.swift": "One table: the permissions of roles.",
        "Sources/PerennialStore/Environments/StoreRegistry+Readiness.swift": "One question to the database.",
        "Sources/OpenStoreKit/Connection/Exports.swift": "The modules that app code sees through this one.",
        "Sources/OpenStoreKitTest/Failures/SKTestSession+Failures.swift": "One chapter of a class of Apple's.",
        "Sources/OpenStoreKitTest/Purchases/PurchaseOption+Testing.swift": "The options that tests have.",
        "Sources/OpenStoreKitTest/Purchases/SKTestSession+Buying.swift": "One chapter of a class of Apple's.",
        "Sources/OpenStoreKitTest/Session/SKTestSession+Current.swift": "One chapter of a class of Apple's.",
        "Sources/OpenStoreKitTest/Store/StoreHost+OfferKey.swift": "One key of a configuration file.",
        "Sources/OpenStoreKit/Payments/PromotedPurchases.swift": "One way of a purchase into the app.",
        "Sources/OpenStoreKit/Products/Formatting/NSMutableDictionary+SetValue.swift":
            "One method that Foundation lacks on Linux.",
        "Sources/StoreKit/": "One export under Apple's name.",
        "Sources/StoreKitTest/": "The exports under Apple's name.",
        "Sources/PerennialStore/Notifications/Notifications+Version1.swift": "The bodies of one version.",
    ]

    /// The files with an unchecked conformance to Sendable.
    static let unchecked: [String: String] = [
        "Sources/OpenStoreKit/Queue/AppObjects.swift":
            "Observers, delegates and requests of apps aren't Sendable: they are used on the callback queue only.",
        "Sources/OpenStoreKitTest/Store/InProcessChannel.swift": "NIO's channels belong to their event loop.",
    ]

    /// The folders of one file.
    static let singleFileFolders: [String: String] = [
        "Sources/StoreKit": "The module under Apple's name, which exports OpenStoreKit.",
        "Sources/StoreKitTest": "The module under Apple's name, which exports OpenStoreKitTest.",
    ]

    /// The places whose runs of the same lines are not one, by parts of their paths.
    static let duplicates: [(places: [String], reason: String)] = [
        (
            ["Sources/PerennialHTTP/Connect/Schema/Tables/"],
            "Facts in tables: Apple's resource types have members and operations in common."
        ),
        (
            ["Sources/PerennialCommand/", "Sources/PerennialHTTP/Control/"],
            "A message of the control API is declared at both of its ends: the command line needs nothing but the JSON."
        ),
        (
            ["Sources/OpenStoreKit/Connection/StoreMessages.swift", "Sources/PerennialHTTP/Store/"],
            "A message of store/v1 is declared at both of its ends."
        ),
        (
            ["Sources/OpenStoreKit/Bought/Verification/VerificationResult+Transaction.swift"],
            "Apple declares the same members on three specialisations, not on one protocol, and app code extends each."
        ),
        (
            ["Error.swift", "APIKeys.swift", "NotificationSettings.swift"],
            "Each domain has an error type of its own, of one shape: code, subject, reason, and equality by code."
        ),
        (
            ["AppReceipt+Purchase.swift", "TransactionReceipt.swift"],
            "Two formats of receipts with the same fields, each with its own attribute numbers."
        ),
        (
            ["PostgreSQLServer.swift", "SQLiteMemory.swift"],
            "Two conformances to one protocol, on a pool of threads and on one."
        ),
        (
            ["Sources/PerennialSimulation/Plan/"],
            "Each kind of steps is drawn from a random sequence of its own, at a rate of its own."
        ),
        (
            ["Sources/AppStoreFormats/StoreKitFile/"],
            "Values of a .storekit file share keys, and each keeps its unknown ones."
        ),
        (
            ["InspectedCertificate.swift", "InspectionDocument.swift"],
            "What is found of a certificate, and the message that tells it."
        ),
        (
            ["Sources/Perennial/Products/PriceTexts.swift"],
            "Two lists with a text form each, which decode an older form each."
        ),
        (
            ["ConsoleAudit.swift", "APIKeys.swift"],
            "Use cases of a process that are made from the same three sources."
        ),
        (
            ["Sources/PerennialConsole/Web/ConsoleRouter.swift", "DeliveryErrors.swift"],
            "The shape of a middleware of Hummingbird that translates errors."
        ),
    ]
}
