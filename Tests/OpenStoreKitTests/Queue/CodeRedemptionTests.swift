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
        let connection = device.connection(store)
        let queue = SKPaymentQueue(connection: connection)
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        try await connection.redeem(code: "SPRING")
        #expect(recorder.log == ["purchased monthly", "removed monthly"])
    }

    @Test func `a refused code throws the store's error without calling observers`() async throws {
        let connection = device.connection(store)
        let queue = SKPaymentQueue(connection: connection)
        let recorder = Recorder()
        queue.add(recorder)
        store.script("redemptions", .error(409, "codeNotRedeemable", 11))
        let error = await #expect(throws: SKError.self) { try await connection.redeem(code: "NONE") }
        #expect(error?.code == .invalidOfferIdentifier)
        #expect(recorder.log.isEmpty)
    }

    @Test func `the queue's redemption sheet redeems the code that it returns`() async throws {
        struct Sheet: StoreConnection.CodeRedemptionSheet {
            func code() async -> String? { "SPRING" }
        }
        let queue = SKPaymentQueue(connection: device.connection(store, codeRedemptionSheet: Sheet()))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        queue.presentCodeRedemptionSheet()
        for await _ in recorder.removals { break }
        #expect(recorder.log == ["purchased monthly", "removed monthly"])
    }

    @Test func `a lost answer is requested again, and the code is redeemed once`() async throws {
        let connection = device.connection(store)
        let queue = SKPaymentQueue(connection: connection)
        let recorder = Recorder()
        queue.add(recorder)
        store.script("redemptions", nil)
        try await connection.redeem(code: "SPRING")
        #expect(store.charges == 1)
        #expect(recorder.log == ["purchased monthly"])
    }
}
