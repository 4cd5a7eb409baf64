import AppStoreFormats
import Perennial
import Testing

/// The rule of a column, as docs/reference/report-files.md says it.
struct ColumnRule: Sendable, CustomTestStringConvertible {
    let report: ReportLayout.Report
    let header: String
    /// The rule in words.
    let text: String
    let holds: @Sendable (_ cell: String, _ row: ReportTable.Row, _ period: ReportPeriod) -> Bool

    var testDescription: String { "\(report.rawValue), \(header): \(text)" }

    static let all = ReportLayout.Report.allCases.flatMap(rules)

    static func rules(of report: ReportLayout.Report) -> [ColumnRule] {
        switch report {
        case .sales: sales
        case .subscription: identity(.subscription) + money(.subscription) + offers(.subscription) + subscription
        case .subscriptionEvent: identity(.subscriptionEvent) + offers(.subscriptionEvent) + events
        case .subscriber: identity(.subscriber) + money(.subscriber) + offers(.subscriber) + subscriber
        case .offerCodeRedemption: redemptions
        }
    }

    private init(
        _ report: ReportLayout.Report, _ header: String, _ text: String,
        _ holds: @escaping @Sendable (String, ReportTable.Row, ReportPeriod) -> Bool
    ) {
        (self.report, self.header, self.text, self.holds) = (report, header, text, holds)
    }

    // MARK: - Kinds of rules

    private static func blank(_ report: ReportLayout.Report, _ headers: String...) -> [ColumnRule] {
        headers.map { ColumnRule(report, $0, "is blank") { cell, _, _ in cell.isEmpty } }
    }

    private static func one(_ report: ReportLayout.Report, _ header: String, of words: String...) -> ColumnRule {
        ColumnRule(report, header, "is one of: \(words.joined(separator: ", "))") { cell, _, _ in words.contains(cell) }
    }

    private static func count(_ report: ReportLayout.Report, _ headers: String...) -> [ColumnRule] {
        headers.map { header in
            ColumnRule(report, header, "is a number of at least 0") { _, row, _ in (row.integer(header) ?? -1) >= 0 }
        }
    }

    private static func decimals(_ cell: String) -> Int? {
        cell.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count
    }

    private static let currencies = ["US": "USD", "DE": "EUR", "JP": "JPY", "GB": "GBP", "CH": "CHF"]
    private static let devices = DeviceFamily.allCases.map(\.rawValue) + [""]
    private static let durations = ["7 Days", "1 Month", "2 Months", "3 Months", "6 Months", "1 Year"]
    private static let subscriptions = ["Atlas Monthly": "1500000104", "Atlas Yearly": "1500000105"]

    // MARK: - Sales

    private static let sales: [ColumnRule] = {
        var rules = blank(.sales, "Promo Code", "CMB", "Client", "Order Type")
        rules.append(
            one(.sales, "Provider", of: "APPLE"))
        rules.append(
            one(.sales, "Provider Country", of: "US"))
        rules.append(
            ColumnRule(.sales, "SKU", "is the product's ID, or the app's SKU") { cell, row, _ in
                row["Parent Identifier"] == ""
                    ? ["ATLAS-01", "com.example.compass"].contains(cell) : cell.contains(".")
            })
        rules.append(
            one(.sales, "Developer", of: "Example Press, Inc.", "Compass"))
        rules.append(
            ColumnRule(.sales, "Title", "is the reference name, or the app's name") { cell, _, _ in
                let products = (ReportScenario.atlas.products + ReportScenario.compass.products).map(\.referenceName)
                return (products + ["Atlas", "Compass"]).map { $0.replacing("\t", with: " ") }.contains(cell)
            })
        rules.append(
            ColumnRule(.sales, "Version", "is the app's version, blank for in-app purchases") { cell, row, _ in
                cell.isEmpty == (row["Parent Identifier"] != "")
            })
        rules.append(
            ColumnRule(.sales, "Product Type Identifier", "is a code of what was sold") { cell, row, _ in
                switch row["SKU"] {
                case "atlas.coins", "atlas.map", "compass.needle": ["IA1", "IA1-M", "FI1"].contains(cell)
                case "atlas.pass": ["IA9", "IA9-M"].contains(cell)
                case "atlas.monthly", "atlas.yearly": ["IAY", "IAY-M"].contains(cell)
                default: ["1", "1F", "3", "3F", "7", "7F", "F1", "F7"].contains(cell)
                }
            })
        rules.append(
            ColumnRule(.sales, "Units", "is a whole number, not 0") { _, row, _ in (row.integer("Units") ?? 0) != 0 })
        rules.append(
            ColumnRule(.sales, "Developer Proceeds", "isn't negative and has two decimals") { cell, row, _ in
                (row.thousandths("Developer Proceeds") ?? -1) >= 0 && decimals(cell) == 2
            })
        rules.append(
            ColumnRule(.sales, "Begin Date", "is the first day of the period, MM/DD/YYYY") { cell, row, period in
                row.day("Begin Date") == period.firstDay && cell.count == 10 && cell.contains("/")
            })
        rules.append(
            ColumnRule(.sales, "End Date", "is the last day of the period, MM/DD/YYYY") { cell, row, period in
                row.day("End Date") == period.lastDay && cell.count == 10 && cell.contains("/")
            })
        rules.append(
            ColumnRule(.sales, "Customer Currency", "is the storefront's currency") { cell, row, _ in
                cell == currencies[row["Country Code"] ?? ""]
            })
        rules.append(
            one(.sales, "Country Code", of: "US", "DE", "JP", "GB", "CH"))
        rules.append(
            ColumnRule(.sales, "Currency of Proceeds", "is the customer's currency") { cell, row, _ in
                cell == row["Customer Currency"]
            })
        rules.append(
            ColumnRule(.sales, "Apple Identifier", "is the number of the app or the product") { cell, row, _ in
                let product = (ReportScenario.atlas.products + ReportScenario.compass.products).first {
                    $0.id.rawValue == row["SKU"]
                }
                let app = row["SKU"] == "ATLAS-01" ? ReportScenario.atlas.appleID : ReportScenario.compass.appleID
                return cell == "\(product?.appleID ?? app)"
            })
        rules.append(
            ColumnRule(.sales, "Customer Price", "has the sign of the units and two decimals") { cell, row, _ in
                let (price, units) = (row.thousandths("Customer Price") ?? 0, row.integer("Units") ?? 0)
                return (price == 0 || (price < 0) == (units < 0)) && decimals(cell) == 2
            })
        rules.append(
            ColumnRule(.sales, "Parent Identifier", "is the app's SKU for in-app purchases") { cell, row, _ in
                switch row["SKU"]?.prefix(7) {
                case "compass": cell == "com.example.compass"
                case "atlas.c", "atlas.m", "atlas.p", "atlas.y": cell == "ATLAS-01"
                default: cell.isEmpty
                }
            })
        rules.append(
            ColumnRule(.sales, "Subscription", "is New or Renewal for a subscription, otherwise blank") {
                cell, row, _ in
                (row["Product Type Identifier"] ?? "").hasPrefix("IAY")
                    ? ["New", "Renewal"].contains(cell) : cell.isEmpty
            })
        rules.append(
            ColumnRule(.sales, "Period", "is the duration of a subscription, otherwise blank") { cell, row, _ in
                (row["Product Type Identifier"] ?? "").hasPrefix("IAY") ? durations.contains(cell) : cell.isEmpty
            })
        rules.append(
            ColumnRule(.sales, "Category", "is the app's category") { cell, row, _ in
                cell == (row["Developer"] == "Compass" ? "" : "Reference")
            })
        rules.append(
            ColumnRule(.sales, "Device", "is a kind of device") { cell, _, _ in devices.contains(cell) })
        rules.append(
            one(.sales, "Supported Platforms", of: "iOS and tvOS", "iOS"))
        rules.append(
            one(.sales, "Proceeds Reason", of: "Rate After One Year", ""))
        rules.append(
            one(.sales, "Preserved Pricing", of: "Yes", ""))
        return rules
    }()

    // MARK: - Subscriptions

    private static func identity(_ report: ReportLayout.Report) -> [ColumnRule] {
        [
            one(report, "App Name", of: "Atlas"),
            one(report, "App Apple ID", of: "1500000001"),
            ColumnRule(report, "Subscription Name", "is the reference name") { cell, _, _ in subscriptions[cell] != nil
            },
            ColumnRule(report, "Subscription Apple ID", "is the product's number") { cell, row, _ in
                cell == subscriptions[row["Subscription Name"] ?? ""]
            },
            one(report, "Subscription Group ID", of: "21500001"),
            ColumnRule(report, "Standard Subscription Duration", "is the product's duration") { cell, row, _ in
                cell == (row["Subscription Name"] == "Atlas Yearly" ? "1 Year" : "1 Month")
            },
            one(report, "Country", of: "US", "DE", "JP", "GB", "CH"),
            ColumnRule(report, "Device", "is a kind of device") { cell, _, _ in devices.contains(cell) },
            one(report, "Preserved Pricing", of: "Yes", ""),
            one(report, "Proceeds Reason", of: "Rate After One Year", ""),
        ] + blank(report, "Client")
    }

    private static func offers(_ report: ReportLayout.Report) -> [ColumnRule] {
        [
            one(report, "Subscription Offer Name", of: "Half Price", "Radio Spring", ""),
            ColumnRule(report, "Promotional Offer ID", "is the promotional offer's ID") { cell, row, _ in
                cell == (row["Subscription Offer Name"] == "Half Price" ? "half" : "")
            },
        ]
    }

    private static func money(_ report: ReportLayout.Report) -> [ColumnRule] {
        [
            ColumnRule(report, "Customer Price", "is negative for a refund and has two decimals") { cell, row, _ in
                let price = row.thousandths("Customer Price") ?? 0
                return (price < 0) == (row["Refund"] == "Yes") && decimals(cell) == 2
            },
            ColumnRule(report, "Customer Currency", "is the storefront's currency") { cell, row, _ in
                cell == currencies[row["Country"] ?? ""]
            },
            ColumnRule(report, "Developer Proceeds", "isn't negative and has two decimals") { cell, row, _ in
                (row.thousandths("Developer Proceeds") ?? -1) >= 0 && decimals(cell) == 2
            },
            ColumnRule(report, "Proceeds Currency", "is the customer's currency") { cell, row, _ in
                cell == row["Customer Currency"]
            },
        ]
    }

    private static let countHeaders =
        ReportLayout.subscription1_3.columns.dropFirst(18).map(\.header).filter { $0 != "Subscribers" }

    private static let subscription: [ColumnRule] = {
        var rules: [ColumnRule] = []
        rules += blank(.subscription, "State")
        rules += countHeaders.flatMap { count(.subscription, $0) }
        rules.append(
            ColumnRule(.subscription, "Subscribers", "is the sum of the counts without billing retry") { _, row, _ in
                let counted = countHeaders.filter { $0 != "Billing Retry" }
                return row.integer("Subscribers") == counted.reduce(0) { $0 + (row.integer($1) ?? 0) }
            })
        return rules
    }()

    private static func isDate(_ cell: String) -> Bool { PacificDay(cell) != nil }

    private static let events: [ColumnRule] = {
        var rules: [ColumnRule] = []
        rules += blank(.subscriptionEvent, "Marketing Opt-In", "Marketing Opt-In Duration", "State")
        rules += count(.subscriptionEvent, "Consecutive Paid Periods", "Quantity")
        rules.append(
            ColumnRule(.subscriptionEvent, "Event Date", "is the day of the report, YYYY-MM-DD") { cell, _, period in
                cell == period.reportDate
            })
        rules.append(
            ColumnRule(.subscriptionEvent, "Event", "is a text of Apple's list") { cell, _, _ in
                SubscriptionReportEvent.Name(rawValue: cell) != nil
            })
        rules.append(
            one(.subscriptionEvent, "Subscription Offer Type", of: "Free Trial", "Pay As You Go", "Pay Up Front", ""))
        rules.append(
            one(.subscriptionEvent, "Subscription Offer Duration", of: "7 Days", "1 Month", "3 Months", ""))
        rules.append(
            ColumnRule(.subscriptionEvent, "Original Start Date", "is a day not after the event's") { cell, _, period in
                isDate(cell) && cell <= period.reportDate
            })
        rules.append(
            one(.subscriptionEvent, "Previous Subscription Name", of: "Atlas Monthly", ""))
        rules.append(
            ColumnRule(.subscriptionEvent, "Previous Subscription Apple ID", "is the previous product's") {
                cell, row, _ in
                cell == subscriptions[row["Previous Subscription Name"] ?? ""] ?? ""
            })
        rules.append(
            one(.subscriptionEvent, "Cancellation Reason", of: "Canceled", "Billing issue", ""))
        rules += ["Days Before Canceling", "Days Canceled", "Paid Service Days Recovered"].map { header in
            ColumnRule(.subscriptionEvent, header, "is blank or a number of days") { cell, row, _ in
                cell.isEmpty || (row.integer(header) ?? -1) >= 0
            }
        }
        return rules
    }()

    private static let subscriber: [ColumnRule] = {
        var rules: [ColumnRule] = []
        rules += blank(.subscriber, "Marketing Opt-In Duration", "Subscriber ID Reset")
        rules.append(
            ColumnRule(.subscriber, "Event Date", "is the day of the report, YYYY-MM-DD") { cell, _, period in
                cell == period.reportDate
            })
        rules.append(
            one(.subscriber, "Subscription Offer Type", of: "Free Trial", "Pay As You Go", "Pay Up Front", ""))
        rules.append(
            one(.subscriber, "Subscription Offer Duration", of: "7 Days", "1 Month", "3 Months", ""))
        rules.append(
            ColumnRule(.subscriber, "Subscriber ID", "is a number of 17 digits") { cell, row, _ in
                cell.count == 17 && (row.integer("Subscriber ID") ?? 0) > 0
            })
        rules.append(
            one(.subscriber, "Refund", of: "Yes", ""))
        rules.append(
            ColumnRule(.subscriber, "Purchase Date", "is a day not after the event's") { cell, _, period in
                isDate(cell) && cell <= period.reportDate
            })
        rules.append(
            ColumnRule(.subscriber, "Units", "is 1, or -1 for a refund") { cell, row, _ in
                cell == (row["Refund"] == "Yes" ? "-1" : "1")
            })
        return rules
    }()

    private static let redemptions: [ColumnRule] = {
        var rules: [ColumnRule] = []
        rules += count(.offerCodeRedemption, "Redemptions")
        rules.append(
            ColumnRule(.offerCodeRedemption, "Date", "is the day of the report, YYYY-MM-DD") { cell, _, period in
                cell == period.reportDate
            })
        rules.append(
            one(.offerCodeRedemption, "App Name", of: "Atlas"))
        rules.append(
            one(.offerCodeRedemption, "App Apple ID", of: "1500000001"))
        rules.append(
            one(.offerCodeRedemption, "Subscription Name", of: "Atlas Monthly"))
        rules.append(
            one(.offerCodeRedemption, "Subscription Apple ID", of: "1500000104"))
        rules.append(
            one(.offerCodeRedemption, "Offer Reference Name", of: "Radio Spring"))
        rules.append(
            one(.offerCodeRedemption, "Offer Code", of: "SPRING", ""))
        rules.append(
            one(.offerCodeRedemption, "Territory", of: "US"))
        return rules
    }()
}
