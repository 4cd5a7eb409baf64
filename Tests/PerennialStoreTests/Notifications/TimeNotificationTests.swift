import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Notifications of refunds, prices and products removed from sale.
struct TimeNotificationTests {
    private static let monthly = Product.ID(rawValue: "monthly")
    private static let monthEnd = Period.month.end(after: NotifyingShop.start)

    private static func raise(_ fixture: NotifyingShop, to milliunits: Int64) async throws {
        _ = try await fixture.store.products.changePrice(
            PriceChange(monthly, milliunits: milliunits), bundleID: TestCatalog.bundleID)
    }

    @Test(arguments: ["monthly", "film.roll"], Engine.allCases)
    func `each step of a refund sends its notification`(
        product: String, engine: Engine
    ) async throws {
        let fixture = try await NotifyingShop.make(on: engine)
        let sold = try await fixture.shop.buy(product, as: "ann")
        _ = try await fixture.store.refunds.request(sold.id, reason: .fulfillmentIssue)
        _ = try await fixture.store.refunds.decline(sold.id)
        try await fixture.shop.refund(sold)
        _ = try await fixture.store.refunds.reverse(sold.id)
        try await fixture.deliver()
        let told = try fixture.receiver.deliveries.filter { try $0.payload.subtype?.rawValue != "AUTO_RENEW_DISABLED" }
        #expect(
            try told.dropFirst().map { try $0.name } == [
                "CONSUMPTION_REQUEST", "REFUND_DECLINED", "REFUND", "REFUND_REVERSED",
            ])
        let reasons = try told.map { try $0.payload.data?.consumptionRequestReason }
        #expect(reasons == [nil, "FULFILLMENT_ISSUE", nil, nil, nil])
        #expect(try told.map { try $0.transaction?.revocationDate != nil } == [false, false, false, true, false])
        #expect(try await fixture.shop.sumOfPostings() == ["USD": 0])
    }

    @Test(arguments: Engine.allCases)
    func `each step of a price increase sends its notification`(
        engine: Engine
    ) async throws {
        let fixture = try await NotifyingShop.make(on: engine)
        let ann = try await fixture.shop.buy("monthly", as: "ann")
        try await fixture.shop.buy("monthly", as: "ben")
        try await fixture.deliver()
        fixture.receiver.forget()
        try await Self.raise(fixture, to: 20_000)
        _ = try await fixture.store.subscriptions.perform(.answerPriceIncrease(accepted: true), on: ann.id)
        try await fixture.advance(to: Self.monthEnd)
        var told: [TransactionID: [String]] = [:]
        for delivery in fixture.receiver.deliveries {
            let id = try #require(try delivery.renewal.flatMap { TransactionID($0.originalTransactionId) })
            told[id, default: []].append(try delivery.name)
        }
        #expect(told.removeValue(forKey: ann.id) == ["PRICE_INCREASE/PENDING", "PRICE_INCREASE/ACCEPTED", "DID_RENEW"])
        #expect(told.first?.value == ["PRICE_INCREASE/PENDING", "EXPIRED/PRICE_INCREASE"])
        let statuses = try fixture.receiver.deliveries.filter { try $0.renewal?.originalTransactionId == "\(ann.id)" }
            .map { try $0.renewal?.priceIncreaseStatus }
        #expect(statuses == [.pending, .consented, nil])
    }

    @Test func `an increase without consent is sent as accepted, a decrease is not sent`() async throws {
        let fixture = try await NotifyingShop.make()
        try await fixture.shop.buy("monthly", as: "ann")
        try await Self.raise(fixture, to: 5490)
        try await Self.raise(fixture, to: 3990)
        try await fixture.deliver()
        #expect(try fixture.receiver.names == ["SUBSCRIBED/INITIAL_BUY", "PRICE_INCREASE/ACCEPTED"])
    }

    @Test func `a product removed from sale sends EXPIRED at the period's end`() async throws {
        let fixture = try await NotifyingShop.make()
        try await fixture.shop.buy("monthly", as: "ann")
        _ = try await fixture.store.products.setClearedForSale(false, Self.monthly, bundleID: TestCatalog.bundleID)
        try await fixture.advance(to: Self.monthEnd)
        #expect(try fixture.receiver.names == ["SUBSCRIBED/INITIAL_BUY", "EXPIRED/PRODUCT_NOT_FOR_SALE"])
        #expect(try fixture.receiver.deliveries.last?.renewal?.expirationIntent == .productUnavailable)
    }

    @Test(arguments: ["monthly", "film.roll"])
    func `a refund declined for a test sends REFUND_DECLINED`(product: String) async throws {
        let fixture = try await NotifyingShop.make(kind: .sandbox)
        let sold = try await fixture.shop.buy(product, as: "ann")
        let text = """
            {"requestInfo":{"requestReferenceId":"a8f1b8bd-2f0d-4c86-9a65-b1d8ee2f9e11"},"refundRiskingPreference":true,\
            "items":[{"SKU":"\(product)","revoke":true,"refundReason":"SIMULATE_REFUND_DECLINE","refundType":"FULL"}]}
            """
        let request = try AdvancedCommerceRefundRequest(parsing: ServerAPIRequestBody(Array(text.utf8)))
        _ = try await fixture.store.advancedCommerce.refund(request, sold.id, in: TestCatalog.magazine())
        try await fixture.deliver()
        #expect(try fixture.receiver.names.last == "REFUND_DECLINED")
    }
}
