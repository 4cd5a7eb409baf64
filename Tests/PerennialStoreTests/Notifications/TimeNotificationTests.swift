import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// What a seller is told of refunds, prices and products off sale, from the event to the receiver.
struct TimeNotificationTests {
    private static let monthly = Product.ID(rawValue: "monthly")
    private static let monthEnd = Period.month.end(after: NotifyingShop.start)

    private static func raise(_ world: NotifyingShop, to milliunits: Int64) async throws {
        _ = try await world.store.changePrice(
            PriceChange(monthly, milliunits: milliunits), bundleID: TestCatalog.bundleID)
    }

    @Test(arguments: ["monthly", "film.roll"], Engine.allCases)
    func `a refund that is asked for, declined, granted and taken back is told step by step`(
        product: String, engine: Engine
    ) async throws {
        let world = try await NotifyingShop.make(on: engine)
        let sold = try await world.shop.buy(product, as: "ann")
        _ = try await world.store.requestRefund(sold.id, reason: .fulfillmentIssue)
        _ = try await world.store.declineRefund(sold.id)
        try await world.shop.refund(sold)
        _ = try await world.store.reverseRefund(sold.id)
        try await world.deliver()
        let told = try world.receiver.deliveries.filter { try $0.payload.subtype?.rawValue != "AUTO_RENEW_DISABLED" }
        #expect(
            try told.dropFirst().map { try $0.name } == [
                "CONSUMPTION_REQUEST", "REFUND_DECLINED", "REFUND", "REFUND_REVERSED",
            ])
        let reasons = try told.map { try $0.payload.data?.consumptionRequestReason }
        #expect(reasons == [nil, "FULFILLMENT_ISSUE", nil, nil, nil])
        #expect(try told.map { try $0.transaction?.revocationDate != nil } == [false, false, false, true, false])
        #expect(try await world.shop.sumOfPostings() == ["USD": 0])
    }

    @Test(arguments: Engine.allCases)
    func `a price increase is told when it waits, when it is agreed to, and when it ends a subscription`(
        engine: Engine
    ) async throws {
        let world = try await NotifyingShop.make(on: engine)
        let ann = try await world.shop.buy("monthly", as: "ann")
        try await world.shop.buy("monthly", as: "ben")
        try await world.deliver()
        world.receiver.forget()
        try await Self.raise(world, to: 20_000)
        _ = try await world.store.act(.answerPriceIncrease(accepted: true), on: ann.id)
        try await world.advance(to: Self.monthEnd)
        var told: [TransactionID: [String]] = [:]
        for delivery in world.receiver.deliveries {
            let id = try #require(try delivery.renewal.flatMap { TransactionID($0.originalTransactionId) })
            told[id, default: []].append(try delivery.name)
        }
        #expect(told.removeValue(forKey: ann.id) == ["PRICE_INCREASE/PENDING", "PRICE_INCREASE/ACCEPTED", "DID_RENEW"])
        #expect(told.first?.value == ["PRICE_INCREASE/PENDING", "EXPIRED/PRICE_INCREASE"])
        let statuses = try world.receiver.deliveries.filter { try $0.renewal?.originalTransactionId == "\(ann.id)" }
            .map { try $0.renewal?.priceIncreaseStatus }
        #expect(statuses == [.pending, .consented, nil])
    }

    @Test func `an increase that needs no consent is told as accepted, a lower price not at all`() async throws {
        let world = try await NotifyingShop.make()
        try await world.shop.buy("monthly", as: "ann")
        try await Self.raise(world, to: 5490)
        try await Self.raise(world, to: 3990)
        try await world.deliver()
        #expect(try world.receiver.names == ["SUBSCRIBED/INITIAL_BUY", "PRICE_INCREASE/ACCEPTED"])
    }

    @Test func `a product taken off sale is told when its subscription ends`() async throws {
        let world = try await NotifyingShop.make()
        try await world.shop.buy("monthly", as: "ann")
        _ = try await world.store.setClearedForSale(false, Self.monthly, bundleID: TestCatalog.bundleID)
        try await world.advance(to: Self.monthEnd)
        #expect(try world.receiver.names == ["SUBSCRIBED/INITIAL_BUY", "EXPIRED/PRODUCT_NOT_FOR_SALE"])
        #expect(try world.receiver.deliveries.last?.renewal?.expirationIntent == .productUnavailable)
    }

    @Test(arguments: ["monthly", "film.roll"])
    func `a refund that is declined for a test is told as declined`(product: String) async throws {
        let world = try await NotifyingShop.make(kind: .sandbox)
        let sold = try await world.shop.buy(product, as: "ann")
        let text = """
            {"requestInfo":{"requestReferenceId":"a8f1b8bd-2f0d-4c86-9a65-b1d8ee2f9e11"},"refundRiskingPreference":true,\
            "items":[{"SKU":"\(product)","revoke":true,"refundReason":"SIMULATE_REFUND_DECLINE","refundType":"FULL"}]}
            """
        let request = try AdvancedCommerceRefundRequest(parsing: ServerAPIRequestBody(Array(text.utf8)))
        _ = try await world.store.refund(request, sold.id, in: TestCatalog.magazine())
        try await world.deliver()
        #expect(try world.receiver.names.last == "REFUND_DECLINED")
    }
}
