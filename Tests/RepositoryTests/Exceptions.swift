/// The exceptions that `ReadabilityTests` allow, each with its reason.
enum Exceptions {
    /// The short files that don't declare one type of their own name; a path that ends in a slash stands for a folder's files.
    static let shortFiles: [String: String] = [
        "Sources/OpenStoreKit/Sale/Product/Product+Transactions.swift": "a product's view of what was bought",
        "Sources/AppStoreFormats/ServerAPI/RefundHistory.swift": "The two versions of one endpoint's response.",
        "Sources/Perennial/Purchases/ApprovalRules.swift": "Two rules about approval.",
        "Sources/PerennialConnect/Credentials/APIKeys+SharedSecret.swift": "The secret of verifyReceipt.",
        "Sources/Perennial/Entitlements/VerifiedPurchase+Upgrades.swift": "One rule: the end of an upgraded period.",
        "Sources/Perennial/Refunds/RefundRequest.swift": "One choice: the period that a refund is of.",
        "Sources/PerennialCommand/Server/SandboxReceipts.swift": "One option of two commands.",
        "Sources/PerennialCommand/Snippets/Catalog+Examples.swift": "The products that snippets name.",
        "Sources/PerennialHTTP/Routing/ReportFile+ResponseBody.swift": "One way of a file to a slow client.",
        "Sources/PerennialSimulation/Deployment/Deployment+Families.swift":
            "The actions of one topic, as its neighbours.",
        "Sources/PerennialStorage/Migrations/": "A migration is a file of its own and never changes.",
        "Sources/AppStoreFormats/CatalogFile/CatalogNode+JSON.swift": "One form of a tree.",
        "Sources/PerennialStore/Notifications/StoreRegistry+Receivers.swift": "The receivers that a catalog names.",
        "Sources/PerennialConsole/Web/Permission+Roles.swift": "One table: the permissions of roles.",
        "Sources/PerennialStore/Environments/StoreRegistry+Readiness.swift": "One question to the database.",
        "Sources/OpenStoreKit/Connection/Exports.swift": "The modules that app code sees through this one.",
        "Sources/OpenStoreKitTest/Failures/SKTestSession+Failures.swift": "One chapter of a class of Apple's.",
        "Sources/OpenStoreKitTest/Purchases/PurchaseOption+Testing.swift": "The options that tests have.",
        "Sources/OpenStoreKitTest/Purchases/SKTestSession+Buying.swift": "One chapter of a class of Apple's.",
        "Sources/OpenStoreKitTest/Session/SKTestSession+Current.swift": "One chapter of a class of Apple's.",
        "Sources/OpenStoreKitTest/Store/StoreHost+OfferKey.swift": "One key of a configuration file.",
        "Sources/PerennialStorage/Database/StorageError+Temporary.swift":
            "One table: the errors that pass by themselves.",
        "Sources/PerennialStorage/Purchases/TransactionsTable+Positions.swift":
            "The statements of one topic, as its neighbours.",
        "Sources/PerennialStore/Environments/Database+Erasing.swift": "One loop of short transactions.",
        "Sources/OpenStoreKit/Products/Formatting/NSMutableDictionary+SetValue.swift":
            "One method that Foundation lacks on Linux.",
        "Sources/OpenStoreKit/Delivery/Transfers/DownloadJob.swift":
            "A transfer, and the change of files that ends it.",
        "Sources/OpenStoreKit/Sale/External/AppStoreMerchandisingKind.swift":
            "Two of Apple's values that name what a view of the App Store shows.",
        "Sources/OpenStoreKit/Sale/Purchase/SoldTransaction.swift": "An answer and its transaction.",
        "Sources/PerennialConsole/Statistics/StatisticsChapters.swift":
            "The list of chapters, and the one that starts it.",
        "Sources/PerennialConsole/Web/ConsoleChapter.swift": "A chapter and the permissions that its routes name.",
        "Sources/PerennialSimulation/History/HistoryStep.swift": "A step with the choices that it is made of.",
        "Sources/PerennialStore/Notifications/Sending/NotificationSender.swift": "A protocol and its result.",
        "Sources/PerennialStore/Restores/Restores.swift": "A use case and its result.",
        "Sources/PerennialStore/Retention/RealtimeEndpoint.swift": "A protocol and its result.",
        "Sources/StoreKit/": "One export under Apple's name.",
        "Sources/StoreKitTest/": "The exports under Apple's name.",
    ]

    /// The files with an unchecked conformance to Sendable.
    static let unchecked: [String: String] = [
        "Sources/OpenStoreKit/Queue/AppObjects.swift":
            "Observers, delegates and requests of apps aren't Sendable: they are used on the callback queue only.",
        "Sources/OpenStoreKitTest/Store/InProcessChannel.swift": "NIO's channels belong to their event loop.",
    ]

    /// The places that encode or decode bytes themselves.
    static let bytesAsText: [String: String] = [
        "Sources/OpenStoreKit/":
            "Values of StoreKit are `Data`: Foundation's decoder makes them, without its lenient option.",
        "Sources/PerennialConsole/Rendering/Assets/ConsoleIcon.swift": "A constant of the program, not input.",
    ]

    private static let apple = "Apple's name for what apps see, beside the store's own type."
    private static let message = "The two ends of one message, in modules that don't import each other."

    /// The names of types in more than one target.
    static let repeatedTypes: [String: String] = [
        "Product": apple, "Storefront": apple, "SubscriptionStatus": apple, "Transaction": apple,
        "DeliveryError": message, "ExplanationAnswer": message, "GrantAnswer": message, "GrantedContent": message,
        "NonRenewingTerm": message, "PurchaseAnswer": message, "RefusedPurchase": message,
        "SubscriptionAnswer": message,
    ]

    /// The folders of one file.
    static let singleFileFolders: [String: String] = [
        "Sources/StoreKit": "The module under Apple's name, which exports OpenStoreKit.",
        "Sources/StoreKitTest": "The module under Apple's name, which exports OpenStoreKitTest.",
    ]

    private static let module = "The module is two files."
    private static let commands = "One group of commands, as its neighbours' folders."
    private static let page = "A page of the console with its phrases."

    /// The folders of two files that are no chapters.
    static let twoFileFolders: [String: String] = [
        "Sources/OutboundHTTP": module, "Sources/Subprocesses": module,
        "Sources/AppStoreFormats/ConnectAPI": "A protocol of Apple's, beside the others.",
        "Sources/OpenStoreKit/Sale/Formatting": "Formats of Apple's, which no other part uses.",
        "Sources/OpenStoreKitTest/Configuration": "A topic of a class of Apple's, as its neighbours.",
        "Sources/OpenStoreKitTest/Content": "A topic of a class of Apple's, as its neighbours.",
        "Sources/OpenStoreKitTest/Errors": "A topic of a class of Apple's, as its neighbours.",
        "Sources/Perennial/Catalog/Assets": "Pictures, apart from the texts and prices beside them.",

        "Sources/PerennialCommand/Prices": commands,
        "Sources/PerennialConsole/Seller/Content": page, "Sources/PerennialConsole/Seller/Groups": page,
        "Sources/PerennialConsole/Web/Computed": "Pages that take long, apart from the others.",

        "Sources/PerennialHTTP/Certificates": "One protocol, as its neighbours.",
        "Sources/PerennialHTTP/VerifyReceipt": "One protocol, as its neighbours.",
        "Sources/PerennialHTTP/Connect/Resources/People": "A topic of Apple's resources, as its neighbours.",

    ]

    /// A reason for runs of the same lines, by parts of the paths of their places.
    struct Repetition {
        let one: [String]
        let other: [String]
        let reason: String

        /// Excuses runs with one end in each of two places.
        static func between(_ one: String, _ other: String, _ reason: String) -> Repetition {
            Repetition(one: [one], other: [other], reason: reason)
        }

        /// Excuses runs with both ends in the same place, or in any two of several.
        static func among(_ places: String..., reason: String) -> Repetition {
            Repetition(one: places, other: places, reason: reason)
        }

        func covers(_ paths: [String]) -> Bool {
            func isIn(_ places: [String], _ path: String) -> Bool { places.contains { path.contains($0) } }
            guard let first = paths.first, let last = paths.last else { return false }
            return isIn(one, first) && isIn(other, last) || isIn(other, first) && isIn(one, last)
        }
    }

    /// The runs of the same lines that are not one.
    static let duplicates: [Repetition] = [
        .among(
            "Sources/PerennialHTTP/Connect/Schema/Tables/",
            reason: "Facts in tables: Apple's resource types have members and operations in common."),
        .between(
            "Sources/PerennialCommand/", "Sources/PerennialHTTP/Control/",
            "A message of the control API is declared at both of its ends: the command line needs nothing but the JSON."
        ),
        .between(
            "Sources/OpenStoreKit/Connection/StoreMessages.swift", "Sources/PerennialHTTP/Store/",
            "A message of store/v1 is declared at both of its ends."),
        .among(
            "Sources/OpenStoreKit/Bought/Verification/VerificationResult+Transaction.swift",
            reason:
                "Apple declares the same members on three specialisations, not on one protocol, and app code extends each."
        ),
        .among(
            "Error.swift", "APIKeys.swift", "NotificationSettings.swift",
            reason:
                "Each domain has an error type of its own, of one shape: code, subject, reason, and equality by code."),
        .between(
            "AppReceipt+Purchase.swift", "TransactionReceipt.swift",
            "Two formats of receipts with the same fields, each with its own attribute numbers."),
        .between(
            "NodeScheduler.swift", "RenewalScheduler.swift",
            "Two services take the same three dependencies."),
        .among(
            "Sources/PerennialSimulation/Plan/",
            reason: "Each kind of steps is drawn from a random sequence of its own, at a rate of its own."),
        .among(
            "Sources/AppStoreFormats/StoreKitFile/",
            reason: "Values of a .storekit file share keys, and each keeps its unknown ones."),
        .between(
            "InspectedCertificate.swift", "InspectionDocument.swift",
            "What is found of a certificate, and the message that tells it."),
        .among(
            "Sources/Perennial/Products/PriceTexts.swift",
            reason: "Two lists with a text form each, which decode an older form each."),
        .between(
            "ConsoleAudit.swift", "APIKeys.swift",
            "Use cases of a process that are made from the same three sources."),
        .between(
            "Sources/PerennialConsole/Web/ConsoleRouter.swift", "DeliveryErrors.swift",
            "The shape of a middleware of Hummingbird that translates errors."),
    ]
}
