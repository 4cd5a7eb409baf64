import Foundation
import OpenStoreKit
import Testing

/// Sequences of StoreKit 2 over the process's store: in the suite that changes it.
extension ProcessStoreTests {
    @Test func `listeners that start before the store follow it from one to the next`() async {
        await #expect(processExitsWith: .success) { try await ProcessStoreTests().listenersThatStartBeforeTheStore() }
    }

    func listenersThatStartBeforeTheStore() async throws {
        var intents = PurchaseIntent.intents.makeAsyncIterator()
        var storefronts = Storefront.updates.makeAsyncIterator()
        for country in ["FRA", "ITA"] {
            let sales = SaleStore()
            let connection = device.connection(sales)
            CurrentStore.push(connection)
            defer {
                CurrentStore.pop(connection)
                connection.close()
            }
            try await PurchaseIntent.receive(productID: "coins.\(country)", offerID: nil, on: connection)
            #expect(await intents.next()?.id == "coins.\(country)")
            sales.set { $0.storefront = country }
            #expect(await Storefront.current?.countryCode == country)
            #expect(await storefronts.next()?.countryCode == country)
        }
    }

    @Test func `without a store products are empty and the rest says so`() async {
        await #expect(processExitsWith: .success) { try await ProcessStoreTests().withoutAStoreProductsAreEmpty() }
    }

    func withoutAStoreProductsAreEmpty() async throws {
        #expect(try await Product.products(for: ["coins"]).isEmpty)
        #expect(await Storefront.current == nil)
        #expect(AppStore.deviceVerificationID == nil)
        await #expect(throws: StoreKitError.self) { try await AppStore.sync() }
        await #expect(throws: StoreKitError.self) { _ = try await AppTransaction.shared }
        await #expect(throws: StoreKitError.self) { _ = try await Product.PromotionInfo.currentOrder }
    }
}
