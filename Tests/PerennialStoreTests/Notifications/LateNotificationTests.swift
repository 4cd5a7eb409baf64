import AppStoreFormats
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Old news after new: what a receiver needs in order not to take it for the state of today.
struct LateNotificationTests {
    @Test func `a notification that comes late is older by its signed date than what came before it`() async throws {
        let world = try await NotifyingShop.make(
            receiver: RecordingReceiver { _, number in
                number == 1
                    ? NotificationOutcome(.unsuccessfulHTTPResponseCode, httpStatus: 503)
                    : NotificationOutcome(.success, httpStatus: 200)
            })
        // Both at one instant: even so the dates tell which was first.
        let sold = try await world.shop.buy("monthly", as: "ann")
        _ = try await world.store.act(.setAutoRenew(false), on: sold.id)
        try await world.deliver()
        try await world.advance(to: NotifyingShop.start + .hours(1))
        #expect(
            try world.receiver.names == [
                "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "SUBSCRIBED/INITIAL_BUY",
            ])
        let deliveries = world.receiver.deliveries
        let (failed, newer, late) = (deliveries[0], deliveries[1], deliveries[2])
        #expect(late.body == failed.body)
        #expect(try late.payload.notificationUUID == failed.payload.notificationUUID)
        #expect(try late.payload.signedDate < newer.payload.signedDate)
        // Who takes what came last has the wrong state; who takes what was signed last has the store's.
        let arrived = [newer, late]
        #expect(try arrived.last?.renewal?.autoRenewStatus == .on)
        let freshest = try arrived.max { try $0.payload.signedDate < $1.payload.signedDate }
        #expect(try freshest?.renewal?.autoRenewStatus == .off)
        let today = try TestSigning.verifier.verify(
            try await world.store.signedRenewalInfo(try await world.store.subscriptionStanding(sold.id).subscription),
            as: RenewalInfoPayload.self)
        #expect(today.autoRenewStatus == .off)
    }
}
