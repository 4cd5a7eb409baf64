import Foundation
import OpenStoreKit
import Synchronization
import Testing

struct RequestTests {
    /// Records calls of a delegate, and waits for the end.
    final class Delegate: NSObject, SKProductsRequestDelegate, Sendable {
        let lines = Mutex<[String]>([])
        let response = Mutex<SKProductsResponse?>(nil)
        let (ended, continuation) = AsyncStream<Void>.makeStream()

        func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
            self.response.withLock { $0 = response }
            lines.withLock { $0.append("received") }
        }

        func requestDidFinish(_ request: SKRequest) {
            lines.withLock { $0.append("finished") }
            continuation.finish()
        }

        func request(_ request: SKRequest, didFailWithError error: any Error) {
            lines.withLock { $0.append("failed") }
            continuation.finish()
        }

        func end() async -> [String] {
            for await _ in ended {}
            return lines.withLock { $0 }
        }
    }

    let device: Device
    let store = FakeStore()

    init() throws {
        self.device = try Device()
    }

    @Test func `products have texts, prices and periods; unknown identifiers are invalid`() async throws {
        let delegate = Delegate()
        let request = SKProductsRequest(
            productIdentifiers: ["monthly", "unknown.a", "unknown.b"], connection: device.connection(store))
        request.delegate = delegate
        request.start()
        #expect(await delegate.end() == ["received", "finished"])
        let response = try #require(delegate.response.withLock { $0 })
        #expect(Set(response.invalidProductIdentifiers) == ["unknown.a", "unknown.b"])
        let product = try #require(response.products.first)
        #expect(product.localizedTitle == "Name of monthly")
        #expect(product.price == NSDecimalNumber(string: "0.99"))
        #expect(product.priceLocale.currency?.identifier == "EUR")
        #expect(product.priceLocale.language.languageCode?.identifier == "de")
        #expect(product.subscriptionPeriod?.unit == .month)
        #expect(product.subscriptionPeriod?.numberOfUnits == 1)
        #expect(product.introductoryPrice?.paymentMode == .freeTrial)
        #expect(product.introductoryPrice?.subscriptionPeriod.unit == .week)
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        #expect(formatter.string(from: product.price)?.contains("0,99") == true)
    }

    @Test func `a request without a network fails`() async {
        store.set { $0.isOffline = true }
        let delegate = Delegate()
        let request = SKProductsRequest(productIdentifiers: ["a"], connection: device.connection(store))
        request.delegate = delegate
        request.start()
        #expect(await delegate.end() == ["failed"])
    }

    @Test func `many identifiers are requested in pieces, in order`() async throws {
        let identifiers = (0..<2500).map { "product.\($0)" }
        let response = try await device.connection(store).products(for: identifiers)
        #expect(response.products.map(\.productIdentifier) == identifiers)
        #expect(store.log.filter { $0 == "POST products" }.count == 3)
    }

    @Test func `concurrent requests share one sign-in`() async throws {
        let connection = device.connection(store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await connection.products(for: ["a"]) } }
            try await group.waitForAll()
        }
        #expect(store.state.withLock { $0.sessions } == 1)
    }

    @Test func `a refreshed receipt is stored`() async throws {
        let delegate = Delegate()
        let request = SKReceiptRefreshRequest(
            receiptProperties: [SKReceiptPropertyIsExpired: true], connection: device.connection(store))
        request.delegate = delegate
        request.start()
        #expect(await delegate.end() == ["finished"])
        #expect(try device.files.read("receipt") == Data("receipt 1".utf8))
    }
}
