import Perennial
import Testing

struct AnalyticsReportTests {
    private static func day(_ year: Int, _ month: Int, _ day: Int) -> PacificDay {
        PacificDay(CivilDate(year: year, month: month, day: day))
    }

    @Test func `reports have the columns that Apple documents`() {
        #expect(AnalyticsReport.allCases.map(\.columns.count) == [12, 18, 26, 30])
        for report in AnalyticsReport.allCases { #expect(Set(report.columns).count == report.columns.count) }
        #expect(AnalyticsReport.subscriptionEvent.columns.first == "Event Date")
        #expect(AnalyticsReport.subscriptionState.columns.suffix(2) == ["Territory", "Counts"])
    }

    @Test func `periods are days, weeks from Monday to Sunday and calendar months`() {
        let day = Self.day(2026, 2, 15)
        #expect(AnalyticsInstance.Granularity.daily.period(containing: day) == day...day)
        #expect(
            AnalyticsInstance.Granularity.weekly.period(containing: day) == Self.day(2026, 2, 9)...Self.day(2026, 2, 15)
        )
        #expect(
            AnalyticsInstance.Granularity.monthly.period(containing: day)
                == Self.day(2026, 2, 1)...Self.day(2026, 2, 28))
    }

    private static func request(_ access: AnalyticsRequest.Access) -> AnalyticsRequest {
        AnalyticsRequest(id: "1", app: 1, access: access, created: day(2026, 2, 11).start)
    }

    @Test func `an ongoing request has an instance for each period that is over`() {
        let request = Self.request(.ongoing)
        #expect(request.instances(.daily, on: Self.day(2026, 2, 11)) == [])
        #expect(
            request.instances(.daily, on: Self.day(2026, 2, 13)).map(\.processingDate)
                == [Self.day(2026, 2, 13), Self.day(2026, 2, 12)])
        #expect(request.instances(.weekly, on: Self.day(2026, 2, 15)) == [])
        #expect(
            request.instances(.weekly, on: Self.day(2026, 2, 16)).first?.periods
                == [Self.day(2026, 2, 9)...Self.day(2026, 2, 15)])
        #expect(request.instances(.monthly, on: Self.day(2026, 4, 1)).count == 2)
        #expect(request.instances(.daily, on: Self.day(2028, 2, 11)).count == 365)
    }

    @Test func `a snapshot has one instance of the year before it`() {
        let instances = Self.request(.snapshot).instances(.daily, on: Self.day(2026, 3, 1))
        #expect(instances.map(\.processingDate) == [Self.day(2026, 2, 11)])
        #expect(instances.first?.periods.count == 365)
        #expect(instances.first?.periods.last == Self.day(2026, 2, 10)...Self.day(2026, 2, 10))
    }

    private static func event(
        _ name: SubscriptionReportEvent.Name, offer: AppliedOffer? = nil, isPricePreserved: Bool = false,
        reason: SubscriptionReportEvent.CancellationReason? = nil
    ) -> SubscriptionReportEvent {
        SubscriptionReportEvent(
            name, product: Product.ID(rawValue: "monthly"), offer: offer, isPricePreserved: isPricePreserved,
            consecutivePaidPeriods: 1, originalStart: day(2026, 1, 1), storefront: .usa, cancellationReason: reason)
    }

    private static let trial = AppliedOffer(kind: .introductory, id: nil, paymentMode: .freeTrial, period: .week)
    private static let paid = AppliedOffer(kind: .promotional, id: "half", paymentMode: .payAsYouGo, period: .month)

    static let metrics: [(event: SubscriptionReportEvent, name: String, grouping: String)] = [
        (event(.subscribe), "Full Price Subscription Starts", "Paid Subscription Starts"),
        (event(.startIntroductoryOffer, offer: trial), "Free Trial Starts", "Offer Starts"),
        (event(.renew, offer: paid), "Paid Offer Renewals", "Offer Renewals"),
        (event(.renew, isPricePreserved: true), "Preserved Price Renewals", "Renewals"),
        (event(.paidFromIntroductoryOffer), "Full Price from Paid Offer", "Paid Subscriptions from Offers"),
        (event(.billingRetryFromPaidSubscription), "Entered Billing Retry from Full Price", "Entered Billing Issue"),
        (
            event(.renewalsFromGracePeriod), "Full Price Recoveries from Grace Period", "Recoveries from Billing Issue"
        ),
        (event(.cancel, reason: .canceled), "Voluntary Churn from Full Price", "Voluntary Churn"),
        (
            event(.cancel, offer: trial, reason: .billingIssue), "Involuntary Churn from Free Trials",
            "Involuntary Churn"
        ),
        (event(.refund, offer: paid), "Refunds from Paid Offers", "Exits"), (event(.upgrade), "Plan Changes", "Exits"),
    ]

    @Test(arguments: metrics.indices)
    func `an event has a name and a group of the analytics reports`(index: Int) {
        let given = Self.metrics[index]
        let metric = AnalyticsMetric(given.event, introductory: nil)
        #expect(metric.name == given.name)
        #expect(metric.grouping == given.grouping)
    }
}
