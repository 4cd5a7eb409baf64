import Perennial
import PerennialDelivery
import Synchronization
import TestSupport
import Testing

/// Requests for the root of a store.
struct NotificationTrustTests {
    private struct NoAnswer: Error {}

    private let asked = Settable(0)
    private let root = Settable<[UInt8]?>(nil)

    private func fixture() throws -> (fixture: DeliveryFixture, trust: NotificationTrust) {
        let trust = NotificationTrust(fetchingRoot: { [asked, root] in
            asked.value += 1
            guard let found = root.value else { throw NoAnswer() }
            return found
        })
        return (try DeliveryFixture(), trust)
    }

    @Test func `requests to a store that doesn't answer back off`() async throws {
        let (fixture, trust) = try fixture()
        let delivery = try fixture.delivery(trusting: trust)
        // Ten bad notifications a second for five minutes.
        for _ in 0..<3_000 {
            await #expect(throws: DeliveryError(.storeUnavailable, "", "")) {
                try await delivery.receive(notification: "e30.e30.e30")
            }
            fixture.now.value = fixture.now.value + 100
        }
        // After 0, 1, 3, 7, 15, 31 and 63 seconds, then once a minute.
        #expect(asked.value == 10)
        root.value = try TestSigning.rootCertificate
        fixture.now.value = fixture.now.value + .minutes(1)
        await #expect(throws: DeliveryError(.notificationInvalid, "", "")) {
            try await delivery.receive(notification: "e30.e30.e30")
        }
        #expect(asked.value == 11)
    }

    @Test func `concurrent notifications share one request`() async throws {
        let (fixture, _) = try fixture()
        let gate = AsyncStream<Void>.makeStream()
        let certificate = try TestSigning.rootCertificate
        let trust = NotificationTrust(fetchingRoot: { [asked] in
            asked.value += 1
            for await _ in gate.stream {}
            return certificate
        })
        let delivery = try fixture.delivery(trusting: trust)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await #expect(throws: DeliveryError(.notificationInvalid, "", "")) {
                        try await delivery.receive(notification: "e30.e30.e30")
                    }
                }
            }
            while asked.value == 0 { await Task.yield() }
            for _ in 0..<200 { await Task.yield() }
            gate.continuation.finish()
        }
        #expect(asked.value == 1)
    }
}
