import Foundation
import Perennial
import Testing

@testable import AppStoreFormats

/// The layouts, against docs/reference/report-files.md, which lists each column once more.
struct ReportLayoutTests {
    @Test(arguments: [
        (ReportLayout.Report.sales, "1_0", 27), (.sales, "1_1", 28), (.subscription, "1_3", 35),
        (.subscription, "1_4", 35), (.subscriptionEvent, "1_3", 29), (.subscriptionEvent, "1_4", 29),
        (.subscriber, "1_3", 26), (.offerCodeRedemption, "1_0", 9),
    ])
    func `a layout has its number of columns, each once`(
        report: ReportLayout.Report, version: String, count: Int
    ) throws {
        let layout = try #require(ReportLayout.layout(of: report, version: version))
        #expect(layout.columns.count == count)
        #expect(Set(layout.columns.map { $0.header.lowercased() }).count == count)
        #expect(layout.columns.allSatisfy { !$0.header.isEmpty && !$0.header.contains("\t") })
    }

    @Test func `there is no layout of a version that Apple has removed`() {
        #expect(ReportLayout.layout(of: .subscription, version: "1_2") == nil)
        #expect(ReportLayout.layout(of: .sales, version: "1_2") == nil)
    }

    @Test func `Summary Sales has Apple's columns`() {
        let headers = """
            Provider, Provider Country, SKU, Developer, Title, Version, Product Type Identifier, Units, \
            Developer Proceeds, Begin Date, End Date, Customer Currency, Country Code, Currency of Proceeds, \
            Apple Identifier, Customer Price, Promo Code, Parent Identifier, Subscription, Period, Category, CMB, \
            Device, Supported Platforms, Proceeds Reason, Preserved Pricing, Client
            """
        #expect(ReportLayout.sales1_0.columns.map(\.header).joined(separator: ", ") == headers)
        #expect(ReportLayout.sales1_1.columns.map(\.header).joined(separator: ", ") == headers + ", Order Type")
    }

    @Test func `Subscriber has Apple's columns`() {
        let headers = """
            Event Date, App Name, App Apple ID, Subscription Name, Subscription Apple ID, Subscription Group ID, \
            Standard Subscription Duration, Subscription Offer Name, Promotional Offer ID, Subscription Offer Type, \
            Subscription Offer Duration, Marketing Opt-In Duration, Customer Price, Customer Currency, \
            Developer Proceeds, Proceeds Currency, Preserved Pricing, Proceeds Reason, Client, Device, Country, \
            Subscriber ID, Subscriber ID Reset, Refund, Purchase Date, Units
            """
        #expect(ReportLayout.subscriber1_3.columns.map(\.header).joined(separator: ", ") == headers)
    }

    @Test func `Subscription Event has Apple's columns`() {
        let headers = """
            Event Date, Event, App Name, App Apple ID, Subscription Name, Subscription Apple ID, \
            Subscription Group ID, Standard Subscription Duration, Subscription Offer Type, \
            Subscription Offer Duration, Marketing Opt-In, Marketing Opt-In Duration, Preserved Pricing, \
            Proceeds Reason, Subscription Offer Name, Promotional Offer ID, Consecutive Paid Periods, \
            Original Start Date, Device, Client, State, Country, Previous Subscription Name, \
            Previous Subscription Apple ID, Days Before Canceling, Cancellation Reason, Days Canceled, Quantity, \
            Paid Service Days Recovered
            """
        #expect(ReportLayout.subscriptionEvent1_3.columns.map(\.header).joined(separator: ", ") == headers)
    }

    @Test func `the versions of Subscription differ in the case of one word`() {
        let (old, new) = (ReportLayout.subscription1_3.headerRow, ReportLayout.subscription1_4.headerRow)
        #expect(old != new)
        #expect(old.replacing("Win-Back", with: "Win-back") == new)
        #expect(old.hasPrefix("App Name\tApp Apple ID\tSubscription Name\t"))
        #expect(
            old.hasSuffix("\tFree Trial Win-Back Offers\tPay Up Front Win-Back Offers\tPay As You Go Win-Back Offers"))
        let places = ["State": 16, "Marketing Opt-Ins": 28, "Billing Retry": 29, "Grace Period": 30, "Subscribers": 31]
        for (header, place) in places { #expect(ReportLayout.subscription1_3.columns[place].header == header) }
    }

    @Test(arguments: [
        (ReportLayout.sales1_0, ReportPeriod.Frequency.daily, "S_D_80012345_20261004"),
        (.sales1_0, .weekly, "S_W_80012345_20261004"), (.sales1_1, .monthly, "S_M_80012345_202610"),
        (.sales1_1, .yearly, "S_Y_80012345_2026"), (.subscription1_3, .daily, "Subscription_80012345_20261004"),
        (.subscriptionEvent1_3, .daily, "Subscription_Event_80012345_20261004"),
        (.subscriber1_3, .daily, "Subscriber_80012345_20261004"),
    ])
    func `a file is named as Apple names it`(
        layout: ReportLayout, frequency: ReportPeriod.Frequency, name: String
    ) throws {
        let day = try #require(PacificDay("2026-10-04"))
        #expect(layout.fileName(vendor: "80012345", ReportPeriod(frequency, containing: day)) == name)
    }

    @Test func `the page of report files names every column and version`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/reference/report-files.md"), encoding: .utf8)
        for layout in ReportLayout.all {
            for column in layout.columns where layout != .subscription1_4 {
                #expect(page.contains("`\(column.header)`"), "\(layout.report) \(column.header)")
            }
            let row = page.split(separator: "\n").first { $0.contains("| `\(layout.report.rawValue)` |") }
            #expect(row?.contains(layout.version) == true, "\(layout.report) \(layout.version)")
        }
    }
}
