import AppStoreFormats
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Late notifications: a receiver can tell them from the newest state.
struct LateNotificationTests {
    @Test func `a late notification has an older signed date than the one before`() async throws {
        let fixture = try await NotifyingShop.make(
            receiver: RecordingReceiver { _, number in
                number == 1
                    ? NotificationOutcome(.unsuccessfulHTTPResponseCode, httpStatus: 503)
                    : NotificationOutcome(.success, httpStatus: 200)
            })
        // Both at one instant: the dates still tell their order.
        let sold = try await fixture.shop.buy("monthly", as: "ann")
        _ = try await fixture.store.subscriptions.perform(.setAutoRenew(false), on: sold.id)
        try await fixture.deliver()
        try await fixture.advance(to: NotifyingShop.start + .hours(1))
        #expect(
            try fixture.receiver.names == [
                "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "SUBSCRIBED/INITIAL_BUY",
            ])
        let deliveries = fixture.receiver.deliveries
        let (failed, newer, late) = (deliveries[0], deliveries[1], deliveries[2])
        #expect(late.body == failed.body)
        #expect(try late.payload.notificationUUID == failed.payload.notificationUUID)
        #expect(try late.payload.signedDate < newer.payload.signedDate)
        // The last arrival has an old state; the last signature has the store's state.
        let arrived = [newer, late]
        #expect(try arrived.last?.renewal?.autoRenewStatus == .on)
        let freshest = try arrived.max { try $0.payload.signedDate < $1.payload.signedDate }
        #expect(try freshest?.renewal?.autoRenewStatus == .off)
        let today = try TestSigning.verifier.verify(
            try await fixture.store.receipts.signedRenewalInfo(
                try await fixture.store.subscriptions.snapshot(of: sold.id).subscription),
            as: RenewalInfoPayload.self)
        #expect(today.autoRenewStatus == .off)
    }
}
