import Foundation
import OpenStoreKit
import Perennial
import Testing

/// Offer codes on a device: what they bring comes to the observers.
struct CodeRedemptionTests {
    private let device: Device
    private let store = FakeStore()

    init() throws {
        device = try Device()
    }

    @Test func `a redeemed code is a purchase that the app never started`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        try await queue.redeem(code: "SPRING")
        #expect(recorder.log == ["purchased monthly", "removed monthly"])
    }

    @Test func `a refused code throws the store's word, and the observers hear nothing`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        store.script("redemptions", .error(409, "codeNotRedeemable", 11))
        await #expect(throws: SKError(.invalidOfferIdentifier)) { try await queue.redeem(code: "NONE") }
        #expect(recorder.log.isEmpty)
    }

    @Test func `an answer that is lost is asked for again, and the code is redeemed once`() async throws {
        let queue = SKPaymentQueue(connection: device.connection(store))
        let recorder = Recorder()
        queue.add(recorder)
        store.script("redemptions", nil)
        try await queue.redeem(code: "SPRING")
        #expect(store.charges == 1)
        #expect(recorder.log == ["purchased monthly"])
    }
}
