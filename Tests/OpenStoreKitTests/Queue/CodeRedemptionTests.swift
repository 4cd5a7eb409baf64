import Foundation
import OpenStoreKit
import Perennial
import Testing

/// Offer codes on a device.
struct CodeRedemptionTests {
    private let device: Device
    private let store = FakeStore()

    init() throws {
        device = try Device()
    }

    @Test func `observers get the purchase of a redeemed code`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        try await queue.redeem(code: "SPRING")
        #expect(recorder.log == ["purchased monthly", "removed monthly"])
    }

    @Test func `a refused code throws the store's error without calling observers`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        store.script("redemptions", .error(409, "codeNotRedeemable", 11))
        await #expect(throws: SKError(.invalidOfferIdentifier)) { try await queue.redeem(code: "NONE") }
        #expect(recorder.log.isEmpty)
    }

    @Test func `a lost answer is requested again, and the code is redeemed once`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        store.script("redemptions", nil)
        try await queue.redeem(code: "SPRING")
        #expect(store.charges == 1)
        #expect(recorder.log == ["purchased monthly"])
    }
}
