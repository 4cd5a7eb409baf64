import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Notifications of nodes whose clocks differ.
struct ClockSkewTests {
    @Test(arguments: Engine.allCases)
    func `a node whose clock is behind doesn't overtake an earlier notification`(engine: Engine) async throws {
        let database = try engine.makeDatabase()
        let receiver = RecordingReceiver()
        let ahead = try await TestStore.open(database)
        let behind = try await TestStore.open(database, sender: receiver, seed: 2)
        try await ahead.store.notifications.configure(
            NotificationSettings(url: "https://example.com/hook"), of: TestCatalog.bundleID)
        let sold = try await ahead.buy("monthly", as: "ann")
        ahead.clock.advance(by: .seconds(8))
        for isOn in [false, true] {
            let node = isOn ? behind : ahead
            _ = try await node.store.subscriptions.perform(.setAutoRenew(isOn), on: sold.id)
        }
        // Sends what is due by its own clock: the purchase.
        try await behind.store.notifications.sendDue()
        behind.clock.advance(by: .seconds(9))
        try await behind.store.notifications.sendDue()
        #expect(
            try receiver.names == [
                "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED",
            ])
        let signed = try receiver.deliveries.map { try $0.payload.signedDate }
        #expect(signed == signed.sorted())
    }
}
