import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Consumption information from sellers.
struct ConsumptionTests {
    private let app = TestCatalog.magazine()

    private static func second(_ more: String = "") throws -> ConsumptionInformation.Body {
        let json =
            #"{"customerConsented":true,"sampleContentProvided":true,"deliveryStatus":"DELIVERED"\#(more)}"#
        return .version2(try ConsumptionRequest(parsing: ServerAPIRequestBody(Array(json.utf8))))
    }

    private static func first() throws -> ConsumptionInformation.Body {
        let json = """
            {"customerConsented":true,"sampleContentProvided":false,"appAccountToken":"","accountTenure":1,
            "consumptionStatus":2,"deliveryStatus":0,"lifetimeDollarsPurchased":3,"lifetimeDollarsRefunded":4,"platform":1,
            "playTime":5,"userStatus":1}
            """
        return .version1(try ConsumptionRequestV1(parsing: ServerAPIRequestBody(Array(json.utf8))))
    }

    @Test(arguments: Engine.allCases)
    func `the newest consumption information is stored`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let bought = try await shop.buy("film.roll", as: "ann")
        #expect(try await shop.store.refunds.consumption(of: bought.id) == nil)
        try await shop.store.refunds.receiveConsumption(Self.first(), of: bought.id, in: app)
        #expect(try await shop.store.refunds.consumption(of: bought.id)?.body == Self.first())
        try await shop.advance(by: .hours(1))
        let prorated = try Self.second(#","refundPreference":"GRANT_PRORATED","consumptionPercentage":1"#)
        try await shop.store.refunds.receiveConsumption(prorated, of: bought.id, in: app)
        let kept = try #require(try await shop.store.refunds.consumption(of: bought.id))
        #expect(kept == ConsumptionInformation(received: shop.clock.now, body: prorated))
        try await shop.store.reset()
        #expect(try await shop.count("consumption_information") == 0)
    }

    static let kinds: [(product: String, first: Int64?)] = [
        ("film.roll", nil), ("monthly", nil), ("filter.amber", 4_000_047), ("pass.1week", 4_000_047),
    ]

    @Test(arguments: kinds)
    func `consumption version 1 is for consumables and subscriptions only`(
        kind: (product: String, first: Int64?)
    ) async throws {
        let shop = try await TestStore.make()
        let bought = try await shop.buy(kind.product, as: "ann")
        let store = shop.store
        #expect(
            await number { try await store.refunds.receiveConsumption(Self.first(), of: bought.id, in: app) }
                == kind.first)
        #expect(
            await number { try await store.refunds.receiveConsumption(Self.second(), of: bought.id, in: app) } == nil)
    }

    @Test func `consumption information must fit its transaction`() async throws {
        let shop = try await TestStore.make()
        let bought = try await shop.buy("monthly", as: "ann")
        let half = try Self.second(#","consumptionPercentage":50000"#)
        #expect(
            await number { try await shop.store.refunds.receiveConsumption(half, of: bought.id, in: app) } == 4_000_209)
        #expect(
            await number {
                try await shop.store.refunds.receiveConsumption(half, of: bought.id, in: TestCatalog.camera)
            }
                == 4_040_010)
    }

    @Test func `transaction endpoints refuse app transaction IDs`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("monthly", as: "ann")
        let key = try await shop.customer("ann").key
        let download = try #require(
            TransactionID(AppTransactionID(account: key.account, app: key.app).description))
        let store = shop.store
        #expect(
            await number { try await store.refunds.receiveConsumption(Self.first(), of: download, in: app) }
                == 4_000_048)
        #expect(
            await number { try await store.refunds.receiveConsumption(Self.second(), of: download, in: app) }
                == 4_000_048)
        #expect(await number { try await store.advancedCommerce.refuseChange(download, in: app) } == 4_000_048)
    }
}
