import AppStoreFormats
import Foundation
import OpenStoreKit
import Perennial
import Testing

@Suite(.timeLimit(.minutes(1))) struct UpdateTests {
    /// Makes an iterator of updates in a fixture's store.
    private func updates(_ fixture: BoughtFixture) async -> Transaction.Transactions.AsyncIterator {
        await fixture.connection.withCurrent { Transaction.updates.makeAsyncIterator() }
    }

    private func next(_ iterator: inout Transaction.Transactions.AsyncIterator) async -> String? {
        await iterator.next().map { BoughtFixture.name($0) }
    }

    @Test func unfinishedTransactionsAreReplayedToEachIterator() async throws {
        let fixture = try BoughtFixture()
        fixture.store.put(.sold(1, "atlas"))
        fixture.store.put(.sold(2, "globe"), isFinished: true)
        await fixture.connection.synchronize()
        var one = await updates(fixture)
        var other = await updates(fixture)
        #expect(await next(&one) == "atlas")
        #expect(await next(&other) == "atlas")
        fixture.store.put(.sold(3, "map", at: SignedStore.start + 1))
        await fixture.connection.synchronize()
        #expect(await next(&one) == "map")
        #expect(await next(&other) == "map")
    }

    @Test func theFirstListOfADeviceIsNoNewsExceptUnfinishedOnes() async throws {
        let fixture = try BoughtFixture()
        fixture.store.put(.sold(1, "atlas"), isFinished: true)
        fixture.store.put(.sold(2, "globe"))
        var iterator = await updates(fixture)
        await fixture.connection.synchronize()
        #expect(await next(&iterator) == "globe")
    }

    @Test func refundsAndRenewalsArrive() async throws {
        let fixture = try BoughtFixture()
        fixture.store.put(.sold(1, "atlas"), isFinished: true)
        await fixture.connection.synchronize()
        var iterator = await updates(fixture)
        fixture.store.revoke(1)
        await fixture.connection.synchronize()
        let refunded = await iterator.next()?.unsafePayloadValue
        #expect(refunded?.id == 1 && refunded?.revocationDate != nil)
        fixture.store.put(.period(6, original: 5) { $0.transactionReason = .renewal })
        await fixture.connection.synchronize()
        let renewed = await iterator.next()?.unsafePayloadValue
        #expect(renewed?.id == 6 && renewed?.reason == .renewal)
    }

    @Test func aPurchaseGoesToItsCallerOnly() async throws {
        let fixture = try BoughtFixture()
        await fixture.connection.synchronize()
        var iterator = await updates(fixture)
        let bought = try await fixture.sync.duringPurchase {
            fixture.store.put(.sold(1, "atlas"))
            fixture.store.put(.sold(2, "gift"))
            // The change arrives by itself before the purchase's answer.
            await fixture.connection.synchronize()
            return try await fixture.sync.record(signed: fixture.store.signed(.sold(1, "atlas")))
        }
        #expect(BoughtFixture.name(bought) == "atlas")
        #expect(await next(&iterator) == "gift")
        fixture.store.put(.sold(3, "map"))
        await fixture.connection.synchronize()
        #expect(await next(&iterator) == "map")
        // A later listener finds it among the unfinished ones.
        var later = await updates(fixture)
        #expect(await next(&later) == "atlas")
    }

    @Test func iteratorsFollowTheProcesssStore() async throws {
        let first = try BoughtFixture()
        let second = try BoughtFixture()
        var iterator = Transaction.updates.makeAsyncIterator()
        let other = Task {
            var iterator = Transaction.updates.makeAsyncIterator()
            while let result = await iterator.next() {
                if result.unsafePayloadValue.productID == "second" { return true }
            }
            return false
        }
        for (fixture, product) in [(first, "first"), (second, "second")] {
            CurrentStore.push(fixture.connection)
            fixture.store.put(.sold(1, product))
            await fixture.connection.synchronize()
            // Other tests' stores may come between.
            while let result = await iterator.next(), result.unsafePayloadValue.productID != product {}
            if product == "second" { #expect(await other.value) }
        }
        CurrentStore.pop(second.connection)
        CurrentStore.pop(first.connection)
    }

    @Test func aCancelledTaskEndsItsIteration() async throws {
        let fixture = try BoughtFixture()
        let (started, start) = AsyncStream<Void>.makeStream()
        fixture.store.put(.sold(1, "atlas"))
        await fixture.connection.synchronize()
        let task = Task {
            await fixture.connection.withCurrent {
                var count = 0
                for await _ in Transaction.updates {
                    count += 1
                    start.finish()
                }
                return count
            }
        }
        for await _ in started {}
        task.cancel()
        #expect(await task.value == 1)
        #expect(fixture.sync.transactionListeners == 0)
    }

    @Test func aRemoteStoreTellsListenersWithoutBeingAsked() async throws {
        let fixture = try BoughtFixture()
        fixture.sync.pollsForChanges = true
        await fixture.connection.synchronize()
        var iterator = await updates(fixture)
        fixture.store.put(.sold(1, "atlas"))
        #expect(await next(&iterator) == "atlas")
        fixture.store.put(.sold(2, "globe"))
        #expect(await next(&iterator) == "globe")
        #expect(fixture.store.count("GET /store/v1/changes wait") >= 1)
    }

    @Test func statusesArriveWhenTheyChange() async throws {
        let fixture = try BoughtFixture()
        await fixture.connection.synchronize()
        var iterator = await fixture.connection.withCurrent {
            Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
        }
        fixture.store.put(.period(5))
        fixture.store.put(.renewal(of: 5), group: "news", status: 1)
        await fixture.connection.synchronize()
        var status = await iterator.next()
        #expect(status?.state == .subscribed && status?.transaction.unsafePayloadValue.id == 5)
        fixture.store.put(.renewal(of: 5, isOn: false), group: "news", status: 2)
        await fixture.connection.synchronize()
        status = await iterator.next()
        #expect(status?.state == .expired)
        #expect(try status?.renewalInfo.payloadValue.willAutoRenew == false)
    }
}
