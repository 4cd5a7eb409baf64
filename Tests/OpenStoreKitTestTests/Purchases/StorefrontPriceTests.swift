import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Synchronization
import Testing

@Suite("Storefront and locale of a session", .timeLimit(.minutes(1)))
struct StorefrontPriceTests {
    private final class Delegate: NSObject, SKPaymentQueueDelegate, Sendable {
        let countries = Mutex<[String]>([])

        func paymentQueue(
            _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
            in newStorefront: SKStorefront
        ) -> Bool {
            countries.withLock { $0.append(newStorefront.countryCode) }
            return false
        }
    }

    private func silver() async throws -> Product {
        try #require(try await Product.products(for: [Fixtures.silver]).first)
    }

    private func oldSilver(_ session: SKTestSession) async throws -> SKProduct {
        try #require(try await session.connection.products(for: [Fixtures.silver]).products.first)
    }

    @Test("Another storefront has another currency, in both generations")
    func currency() async throws {
        try await Fixtures.withSession { session in
            #expect(try await silver().priceFormatStyle.currencyCode == "USD")
            session.storefront = "DEU"
            let product = try await silver()
            #expect(product.priceFormatStyle.currencyCode == "EUR")
            #expect(product.displayPrice.contains("€"))
            let old = try await oldSilver(session)
            #expect(old.priceLocale.currency?.identifier == "EUR")
            #expect(old.price as Decimal == product.price)
            #expect(await Storefront.current?.countryCode == "DEU")
            #expect(session.connection.storefront?.countryCode == "DEU")
            guard case .success(.verified(let bought)) = try await product.purchase() else {
                return #expect(Bool(false))
            }
            #expect(bought.currency?.identifier == "EUR")
            #expect(bought.price == product.price)
            #expect(bought.storefront.countryCode == "DEU")
        }
    }

    @Test("An app refuses a purchase in a changed storefront, in both generations")
    func refused() async throws {
        try await Fixtures.withSession { session in
            let product = try await silver()
            let old = try await oldSilver(session)
            session.storefront = "DEU"
            let error = await #expect(throws: StoreKitError.self) {
                _ = try await product.purchase(options: [.onStorefrontChange { _ in false }])
            }
            guard case .notAvailableInStorefront? = error else { return #expect(Bool(false)) }
            #expect(session.allTransactions().isEmpty)
            await withQueue(of: session, finishes: true) { queue, observer in
                let delegate = Delegate()
                queue.delegate = delegate
                session.storefront = "FRA"
                queue.add(SKPayment(product: old))
                session.storefront = "ITA"
                while let update = await observer.next() {
                    // The payment may have been sent before the customer moved.
                    guard update.state == .failed else { break }
                    #expect(update.code == SKError.Code.storeProductNotAvailable.rawValue)
                    #expect(delegate.countries.withLock { !$0.isEmpty })
                    break
                }
            }
        }
    }

    /// Returns a product's texts in both generations.
    private func names(_ session: SKTestSession) async throws -> [String] {
        let product = try #require(try await Product.products(for: [Fixtures.film]).first)
        let old = try #require(try await session.connection.products(for: [Fixtures.film]).products.first)
        return [product.displayName, product.description, old.localizedTitle, old.localizedDescription]
    }

    @Test("The locale chooses titles and descriptions, until a reset")
    func locale() async throws {
        try await Fixtures.withSession(of: Fixtures.offers) { session in
            let english = ["Film roll", "Twenty-four pictures.", "Film roll", "Twenty-four pictures."]
            let before = try await names(session)
            #expect(before == english)
            session.locale = Locale(identifier: "de_DE")
            let german = ["Filmrolle", "Vierundzwanzig Bilder.", "Filmrolle", "Vierundzwanzig Bilder."]
            #expect(try await names(session) == german)
            session.resetToDefaultState()
            #expect(try await names(session) == english)
        }
    }
}
