import AppStoreFormats
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Advanced Commerce for products of a catalog.
struct AdvancedCommerceTests {
    private let app = TestCatalog.magazine()

    private static func body(_ reference: UInt8, _ more: String = "") throws -> ServerAPIRequestBody {
        let id = "a8f1b8bd-2f0d-4c86-9a65-b1d8ee2f9e\(String(reference + 16, radix: 16))"
        return try ServerAPIRequestBody(Array(#"{"requestInfo":{"requestReferenceId":"\#(id)"}\#(more)}"#.utf8))
    }

    private static func cancellation(_ reference: UInt8 = 1, _ more: String = "") throws
        -> AdvancedCommerceCancelRequest
    {
        try AdvancedCommerceCancelRequest(parsing: body(reference, more))
    }

    private static func revocation(
        _ reference: UInt8 = 1, type: String = "FULL", reason: String = "LEGAL"
    ) throws -> AdvancedCommerceRevokeRequest {
        try AdvancedCommerceRevokeRequest(
            parsing: body(
                reference, #","refundType":"\#(type)","refundReason":"\#(reason)","refundRiskingPreference":true"#))
    }

    private static func refund(
        _ sku: String, _ reference: UInt8 = 1, type: String = "FULL", amount: Int64? = nil, revoke: Bool = true,
        currency: String? = nil
    ) throws -> AdvancedCommerceRefundRequest {
        let amount = amount.map { #","refundAmount":\#($0)"# } ?? ""
        let item = #"{"SKU":"\#(sku)","revoke":\#(revoke),"refundReason":"OTHER","refundType":"\#(type)"\#(amount)}"#
        let currency = currency.map { #","currency":"\#($0)""# } ?? ""
        return try AdvancedCommerceRefundRequest(
            parsing: body(reference, #","items":[\#(item)],"refundRiskingPreference":true"# + currency))
    }

    @Test(arguments: Engine.allCases)
    func `a cancelled subscription expires, and a request ID works once`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let bought = try await shop.buy("monthly", as: "ann")
        let outcome = try await shop.store.advancedCommerce.cancel(Self.cancellation(), bought.id, in: app)
        #expect(outcome.subscription?.autoRenewStatus == 0)
        #expect(outcome.transaction == bought)
        #expect(
            await number { _ = try await shop.store.advancedCommerce.cancel(Self.cancellation(), bought.id, in: app) }
                == 4_000_097)
        let again = try await shop.store.advancedCommerce.cancel(Self.cancellation(2), bought.id, in: app)
        #expect(again.subscription?.autoRenewStatus == 0)
        try await shop.advance(by: .hours(1))
        #expect(
            await number { _ = try await shop.store.advancedCommerce.cancel(Self.cancellation(3), bought.id, in: app) }
                == 4_030_015)
        // A refused request hasn't used its ID.
        #expect(
            await number { _ = try await shop.store.advancedCommerce.cancel(Self.cancellation(3), bought.id, in: app) }
                == 4_030_015)
    }

    @Test func `a cancellation requires the customer's storefront`() async throws {
        let shop = try await TestStore.make()
        let bought = try await shop.buy("monthly", as: "ann")
        let roll = try await shop.buy("film.roll", as: "ann")
        let store = shop.store
        #expect(
            await number { _ = try await store.advancedCommerce.cancel(Self.cancellation(), roll.id, in: app) }
                == 4_030_008)
        #expect(
            await number {
                _ = try await store.advancedCommerce.cancel(
                    Self.cancellation(1, #","storefront":"DEU""#), bought.id, in: app)
            } == 4_000_133)
        #expect(
            await number {
                _ = try await store.advancedCommerce.cancel(
                    Self.cancellation(1, #","storefront":"USA""#), bought.id, in: app)
            } == nil)
        #expect(
            await number {
                _ = try await store.advancedCommerce.cancel(Self.cancellation(), bought.id, in: TestCatalog.camera)
            }
                == 4_040_010)
    }

    @Test func `a refund in another currency is refused`() async throws {
        let shop = try await TestStore.make()
        let bought = try await shop.buy("filter.amber", as: "ann")
        func outcome(_ currency: String) async -> Int64? {
            await number {
                _ = try await shop.store.advancedCommerce.refund(
                    Self.refund("filter.amber", currency: currency), bought.id, in: app)
            }
        }
        #expect(await outcome("EUR") == 4_000_000)
        #expect(await outcome("USD") == nil)
    }

    @Test(arguments: [("FULL", Int64(100_000)), ("PRORATED", nil)])
    func `revoking a subscription ends it with a refund`(type: String, percentage: Int64?) async throws {
        let shop = try await TestStore.make()
        let bought = try await shop.buy("monthly", as: "ann")
        try await shop.advance(by: .minutes(1))
        let outcome = try await shop.store.advancedCommerce.revoke(Self.revocation(type: type), bought.id, in: app)
        #expect(outcome.subscription?.status(at: shop.clock.now) == .revoked)
        let revoked = try #require(outcome.transaction.revocation?.percentage)
        if let percentage { #expect(revoked == percentage) } else { #expect((1..<100_000).contains(revoked)) }
        #expect(try await shop.sumOfPostings() == ["USD": 0])
        #expect(
            await number {
                _ = try await shop.store.advancedCommerce.revoke(Self.revocation(2, type: type), bought.id, in: app)
            }
                == 4_000_186)
    }

    @Test func `a refund can be declined for a test in Sandbox`() async throws {
        let sandbox = try await TestStore.make()
        let production = try await sandbox.environment("Production")
        for (shop, code) in [(sandbox, Int64?.none), (production, 4_000_158)] {
            let bought = try await shop.buy("monthly", as: "ann")
            let request = try Self.revocation(reason: "SIMULATE_REFUND_DECLINE")
            #expect(
                await number { _ = try await shop.store.advancedCommerce.revoke(request, bought.id, in: app) } == code)
            let snapshot = try await shop.store.subscriptions.snapshot(of: bought.id)
            #expect(snapshot.transaction.revocation == nil)
        }
    }

    static let refunds: [(type: String, amount: Int64?, percentage: Int64?)] = [
        ("FULL", nil, 100_000), ("CUSTOM", 495, 50_000), ("CUSTOM", 990, 100_000), ("CUSTOM", 991, nil),
        ("PRORATED", nil, nil),
    ]

    @Test(arguments: refunds)
    func `a purchase is refunded in full or in part`(
        it: (type: String, amount: Int64?, percentage: Int64?)
    ) async throws {
        let shop = try await TestStore.make()
        let roll = try await shop.buy("film.roll", as: "ann")
        let request = try Self.refund("film.roll", type: it.type, amount: it.amount)
        guard let percentage = it.percentage else {
            #expect(
                await number { _ = try await shop.store.advancedCommerce.refund(request, roll.id, in: app) }
                    == 4_030_024)
            return
        }
        let outcome = try await shop.store.advancedCommerce.refund(request, roll.id, in: app)
        #expect(outcome.transaction.revocation?.percentage == percentage)
        #expect(outcome.subscription == nil)
        #expect(try await shop.sumOfPostings() == ["USD": 0])
        let again = try Self.refund("film.roll", 2)
        #expect(await number { _ = try await shop.store.advancedCommerce.refund(again, roll.id, in: app) } == 4_030_021)
    }

    @Test func `a refund request's item is the transaction's product`() async throws {
        let shop = try await TestStore.make()
        let roll = try await shop.buy("film.roll", as: "ann")
        let store = shop.store
        #expect(
            await number { _ = try await store.advancedCommerce.refund(Self.refund("monthly"), roll.id, in: app) }
                == 4_040_016)
        #expect(
            await number {
                _ = try await store.advancedCommerce.refund(Self.refund("film.roll", revoke: false), roll.id, in: app)
            }
                == 4_000_135)
    }

    @Test func `only the newest period can be refunded pro rata`() async throws {
        let shop = try await TestStore.make()
        let first = try await shop.buy("monthly", as: "ann")
        try await shop.advance(by: .minutes(6))
        let store = shop.store
        #expect(
            await number {
                _ = try await store.advancedCommerce.refund(Self.refund("monthly", type: "PRORATED"), first.id, in: app)
            }
                == 4_000_182)
        let newest = try await store.subscriptions.snapshot(of: first.id).transaction
        let outcome = try await store.advancedCommerce.refund(
            Self.refund("monthly", type: "PRORATED"), newest.id, in: app)
        #expect(outcome.subscription?.status(at: shop.clock.now) == .revoked)
        let old = try await store.advancedCommerce.refund(Self.refund("monthly", 2), first.id, in: app)
        #expect(old.transaction.revocation?.percentage == 100_000)
    }

    @Test func `requests can't change items, price or description`() async throws {
        let shop = try await TestStore.make()
        let bought = try await shop.buy("monthly", as: "ann")
        let roll = try await shop.buy("film.roll", as: "ann")
        for (id, code) in [(bought.id, 4_030_010), (roll.id, 4_030_008), (TransactionID(rawValue: 1), 4_040_010)] {
            #expect(await number { try await shop.store.advancedCommerce.refuseChange(id, in: app) } == Int64(code))
        }
    }
}
