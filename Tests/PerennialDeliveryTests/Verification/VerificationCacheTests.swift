import Perennial
import PerennialDelivery
import Synchronization
import Testing

struct VerificationCacheTests {
    private final class World: Sendable {
        final class Clock: Sendable { let now = Mutex(Instant(seconds: 1_000_000)) }

        let clock = Clock()
        let store: ScriptedStore
        let cache: VerificationCache

        init(_ script: [ScriptedStore.Line], maximumEntries: Int = 1_000) {
            store = ScriptedStore(script)
            let verification = ReceiptVerification(
                target: .apple, endpoint: store, dependencies: RecordedPacing().dependencies, logger: quietLogger)
            cache = VerificationCache(
                verification, clock: { [clock] in clock.now.withLock { $0 } }, maximumEntries: maximumEntries)
        }

        func pass(_ milliseconds: Int64) { clock.now.withLock { $0 = $0 + milliseconds } }
    }

    @Test func `a verified receipt is cached for a minute`() async throws {
        let fixture = World([.answer(ReceiptVerificationTests.good)])
        for (wait, asked) in [(Int64(0), 1), (59_999, 1), (1, 2), (0, 2)] {
            fixture.pass(wait)
            _ = try await fixture.cache.verify(receipt: "a", password: "x")
            #expect(fixture.store.asked.count == asked)
        }
    }

    @Test func `another receipt or secret is another entry`() async throws {
        let fixture = World([.answer(ReceiptVerificationTests.good)])
        for (receipt, password) in [("a", "x"), ("b", "x"), ("a", "y"), ("a", nil)] {
            _ = try await fixture.cache.verify(receipt: receipt, password: password)
        }
        #expect(fixture.store.asked.count == 4)
    }

    @Test func `a refusal is not cached`() async throws {
        let fixture = World([.status(21003), .answer(ReceiptVerificationTests.good)])
        await #expect(throws: DeliveryError.self) { try await fixture.cache.verify(receipt: "a", password: nil) }
        _ = try await fixture.cache.verify(receipt: "a", password: nil)
    }

    @Test func `a full cache drops the oldest entries`() async throws {
        let fixture = World([.answer(ReceiptVerificationTests.good)], maximumEntries: 4)
        for number in 0..<5 { _ = try await fixture.cache.verify(receipt: "\(number)", password: nil) }
        _ = try await fixture.cache.verify(receipt: "4", password: nil)
        #expect(fixture.store.asked.count == 5)
        _ = try await fixture.cache.verify(receipt: "0", password: nil)
        #expect(fixture.store.asked.count == 6)
    }
}
