import Foundation
import OpenStoreKit
import Testing

struct ErrorTests {
    /// The table of errors of store/v1.
    @Test(arguments: [
        (400, "malformedRequest", 1, SKError.Code.clientInvalid), (400, "quantityOutOfRange", 3, .paymentInvalid),
        (403, "paymentsNotAllowed", 4, .paymentNotAllowed), (402, "paymentDeclined", 0, .unknown),
        (404, "productNotAvailable", 5, .storeProductNotAvailable), (404, "transactionNotFound", 0, .unknown),
        (409, "termStillRunning", 3, .paymentInvalid), (409, "alreadySubscribed", 3, .paymentInvalid),
        (409, "newsstandOnly", 5, .storeProductNotAvailable), (409, "idempotencyKeyReused", 3, .paymentInvalid),
        (400, "tooManyProducts", 1, .clientInvalid), (413, "bodyTooLarge", 1, .clientInvalid),
        (418, "somethingNew", 4711, .unknown),
    ])
    func `the store's errors are StoreKit's, with the store's code`(
        status: Int, word: String, number: Int, code: SKError.Code
    ) async throws {
        let store = FakeStore()
        store.script("purchases", .error(status, word, number))
        let device = try Device()
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.buy("coins")
        let error = try #require(recorder.last?.error as? SKError)
        #expect(error.code == code)
        #expect(error.userInfo[SKStoreErrorCodeKey] as? String == word)
        #expect(error.localizedDescription == "about \(word) (\(word))")
        #expect(recorder.log == ["purchasing coins", "failed coins", "removed coins"])
    }

    @Test func `an unavailable store and a wrong password have their own errors`() async throws {
        let store = FakeStore()
        let connection = try Device().connection(store)
        for _ in 0..<4 { store.script("products", .error(503, "unavailable", 0)) }
        await #expect(throws: SKError(.unknown)) { try await connection.products(for: ["a"]) }
        #expect(store.log.filter { $0 == "POST products" }.count == 4)
        store.set { $0.validToken = "another" }
        store.script("devices", .error(401, "unauthorized", 1))
        await #expect(throws: SKError(.clientInvalid)) { try await connection.products(for: ["a"]) }
    }

    @Test func `an error is an NSError of SKErrorDomain`() {
        let error: any Error = SKError(.paymentCancelled)
        #expect((error as NSError).domain == SKErrorDomain)
        #expect((error as NSError).code == 2)
        switch error {
        case SKError.paymentCancelled: break
        default: Issue.record("the code is no pattern")
        }
    }

    @Test func `the codes have StoreKit's raw values`() {
        #expect(SKError.Code.allCases.map(\.rawValue) == Array(0...20))
        #expect(SKPaymentTransactionState.allCases.map(\.rawValue) == Array(0...4))
        #expect(SKProduct.PeriodUnit.allCases.map(\.rawValue) == Array(0...3))
        #expect(SKProductDiscount.PaymentMode.allCases.map(\.rawValue) == Array(0...2))
        #expect(SKDownloadState.allCases.map(\.rawValue) == Array(0...5))
    }
}
