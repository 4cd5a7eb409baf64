import Foundation
import OpenStoreKit
import Testing

struct ErrorTests {
    /// The table of errors of store/v1.
    @Test(arguments: [
        (400, "malformedRequest", 1, SKError.Code.clientInvalid), (400, "quantityOutOfRange", 3, .paymentInvalid),
        (403, "paymentsNotAllowed", 4, .paymentNotAllowed), (402, "paymentDeclined", 0, .unknown),
        (404, "productNotAvailable", 5, .storeProductNotAvailable), (404, "transactionNotFound", 0, .unknown),
        (409, "termStillRunning", 3, .paymentInvalid), (409, "alreadySubscribed", 3, .unknown),
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
        let unavailable = await #expect(throws: SKError.self) { try await connection.products(for: ["a"]) }
        #expect(unavailable?.code == .unknown)
        #expect(store.log.filter { $0 == "POST products" }.count == 4)
        store.set { $0.validToken = "another" }
        store.script("devices", .error(401, "unauthorized", 1))
        let unauthorized = await #expect(throws: SKError.self) { try await connection.products(for: ["a"]) }
        #expect(unauthorized?.code == .clientInvalid)
    }

    @Test(arguments: [("purchaseInterrupted", 0, 3038), ("alreadySubscribed", 3, 3532)])
    func `refusals that apps know by the App Store's code have it as their cause`(
        word: String, number: Int, code: Int
    ) async throws {
        let store = FakeStore()
        store.script("purchases", .error(409, word, number))
        let queue = SKPaymentQueue(connection: try Device().connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        await queue.buy("coins")
        let error = try #require(recorder.last?.error as? SKError)
        #expect(error.code == .unknown)
        let cause = try #require((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(cause.domain == "ASDServerErrorDomain")
        #expect(cause.code == code)
    }

    @Test func `an error is an NSError of SKErrorDomain`() {
        let error: any Error = SKError(.paymentCancelled)
        #expect((error as NSError).domain == SKErrorDomain)
        #expect((error as NSError).code == 2)
        switch error {
        case SKError.paymentCancelled: break
        default: Issue.record("the code is no pattern")
        }
        #expect(SKError.Code.paymentCancelled ~= error)
        #expect(!(SKError.Code.unknown ~= error))
    }

    @Test func `an NSError of any domain can be wrapped`() {
        let wrapped = SKError(_nsError: NSError(domain: "other", code: 3, userInfo: ["key": "value"]))
        #expect(wrapped.code == .paymentInvalid)
        #expect(wrapped._nsError.domain == "other")
        #expect(wrapped.userInfo["key"] as? String == "value")
    }

    @Test func `errors are equal by code and user info`() {
        #expect(SKError(.unknown) == SKError(.unknown))
        #expect(SKError(.unknown) != SKError(.clientInvalid))
        #expect(SKError(.unknown, userInfo: ["key": "a"]) != SKError(.unknown, userInfo: ["key": "b"]))
        #expect(Set([SKError(.unknown), SKError(.unknown)]).count == 1)
        #expect(SKError(.unknown).hashValue == SKError(.unknown).hashValue)
    }

    @Test func `an unreachable store's error has the network's as its cause`() async throws {
        let store = FakeStore()
        store.set { $0.isOffline = true }
        let connection = try Device().connection(store)
        let error = await #expect(throws: SKError.self) { try await connection.products(for: ["a"]) }
        #expect(error?.code == .unknown)
        #expect((error?.userInfo[NSUnderlyingErrorKey] as? URLError)?.code == .cannotConnectToHost)
    }

    @Test func `the codes have StoreKit's raw values`() {
        #expect((0...22).map { SKError.Code(rawValue: $0) != nil } == Array(repeating: true, count: 22) + [false])
        let states: [SKPaymentTransactionState] = [.purchasing, .purchased, .failed, .restored, .deferred]
        #expect(states.map(\.rawValue) == Array(0...4))
        let units: [SKProduct.PeriodUnit] = [.day, .week, .month, .year]
        #expect(units.map(\.rawValue) == Array(0...3))
        let modes: [SKProductDiscount.PaymentMode] = [.payAsYouGo, .payUpFront, .freeTrial]
        #expect(modes.map(\.rawValue) == Array(0...2))
        let downloads: [SKDownloadState] = [.waiting, .active, .paused, .finished, .failed, .cancelled]
        #expect(downloads.map(\.rawValue) == Array(0...5))
    }
}
