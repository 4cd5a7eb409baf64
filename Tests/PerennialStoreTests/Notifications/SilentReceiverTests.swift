import AppStoreFormats
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Advances of a clock with a receiver that never answers.
struct SilentReceiverTests {
    @Test func `a silent receiver doesn't block a long clock advance`()
        async throws
    {
        let fixture = try await NotifyingShop.make(
            receiver: RecordingReceiver { _, _ in NotificationOutcome(.timedOut) })
        try await fixture.shop.buy("monthly", as: "ann")
        try await fixture.advance(to: NotifyingShop.start + .days(100))
        #expect(fixture.receiver.deliveries.count == 3)
        let records = try await fixture.records
        #expect(records.map(\.name) == ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW", "DID_RENEW", "DID_RENEW"])
        #expect(records.allSatisfy { $0.attempts == Array(repeating: "TIMED_OUT", count: 6) })
        // The next advance asks again.
        fixture.receiver.forget()
        fixture.receiver.answers { _, _ in NotificationOutcome(.success, httpStatus: 200) }
        try await fixture.advance(to: NotifyingShop.start + .days(130))
        #expect(try fixture.receiver.names == ["DID_RENEW"])
    }

    @Test func `a receiver that answers now and then is always asked`() async throws {
        let fixture = try await NotifyingShop.make(
            receiver: RecordingReceiver { _, number in
                NotificationOutcome(number % 3 == 0 ? .noResponse : .timedOut)
            })
        try await fixture.shop.buy("monthly", as: "ann")
        try await fixture.advance(to: NotifyingShop.start + .days(100))
        #expect(fixture.receiver.deliveries.count == 4 * 6)
    }
}
