import AppStoreFormats
import Perennial
import PerennialStore
import TestSupport
import Testing

/// A clock that is moved, and a receiver that lets every attempt run into its time-out.
struct SilentReceiverTests {
    @Test func `who never answers isn't waited for all the way of a clock, and every attempt is recorded`()
        async throws
    {
        let world = try await NotifyingShop.make(
            receiver: RecordingReceiver { _, _ in NotificationOutcome(.timedOut) })
        try await world.shop.buy("monthly", as: "ann")
        try await world.advance(to: NotifyingShop.start + .days(100))
        #expect(world.receiver.deliveries.count == 3)
        let records = try await world.records
        #expect(records.map(\.name) == ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW", "DID_RENEW", "DID_RENEW"])
        #expect(records.allSatisfy { $0.attempts == Array(repeating: "TIMED_OUT", count: 6) })
        // The next move of the clock asks again.
        world.receiver.forget()
        world.receiver.answers { _, _ in NotificationOutcome(.success, httpStatus: 200) }
        try await world.advance(to: NotifyingShop.start + .days(130))
        #expect(try world.receiver.names == ["DID_RENEW"])
    }

    @Test func `who answers now and then is always asked`() async throws {
        let world = try await NotifyingShop.make(
            receiver: RecordingReceiver { _, number in
                NotificationOutcome(number % 3 == 0 ? .noResponse : .timedOut)
            })
        try await world.shop.buy("monthly", as: "ann")
        try await world.advance(to: NotifyingShop.start + .days(100))
        #expect(world.receiver.deliveries.count == 4 * 6)
    }
}
