import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("Order of a session's events", .timeLimit(.minutes(1)))
struct EventOrderTests {
    private func ids(_ transactions: Transaction.Transactions) async -> [UInt64] {
        var ids: [UInt64] = []
        for await result in transactions { ids.append(result.unsafePayloadValue.id) }
        return ids
    }

    /// Buys at one instant, and returns the places of each list's elements among the purchases.
    private func places() async throws -> [[Int?]] {
        var places: [[Int?]] = []
        try await Fixtures.withSession { session in
            session.clock.stop()
            var updates = Transaction.updates.makeAsyncIterator()
            var bought: [UInt64] = []
            for product in [Fixtures.film, Fixtures.silver, Fixtures.weekly, Fixtures.amber, Fixtures.film] {
                bought.append(try await session.buyProduct(identifier: product).id)
            }
            var heard: [UInt64] = []
            while heard.count < bought.count, let result = await updates.next() {
                heard.append(result.unsafePayloadValue.id)
            }
            let lists = [
                session.allTransactions().map { UInt64($0.identifier) }, await ids(Transaction.unfinished),
                await ids(Transaction.all).reversed(), heard,
            ]
            places = lists.map { list in list.map { bought.firstIndex(of: $0) } }
        }
        return places
    }

    @Test("Purchases at one instant are listed and reported in their order, each time")
    func oneInstant() async throws {
        let order: [Int?] = [0, 1, 2, 3, 4]
        for _ in 0..<2 { #expect(try await places() == [order, order, order, order]) }
    }

    @Test("Statuses arrive in order, from the first renewal to the refund")
    func statuses() async throws {
        try await Fixtures.withSession { session in
            var updates = Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
            func next(_ expected: Product.SubscriptionInfo.RenewalState) async -> Bool {
                while let status = await updates.next() {
                    if status.state == expected { return true }
                }
                return false
            }
            let first = try await session.buyProduct(identifier: Fixtures.weekly)
            #expect(await updates.next()?.state == .subscribed)
            try session.clock.advance(by: .seconds(8 * 86_400))
            let renewed = await updates.next()
            #expect(renewed?.state == .subscribed)
            #expect(renewed?.transaction.unsafePayloadValue.id != first.id)
            session.billingGracePeriodIsEnabled = true
            session.shouldEnterBillingRetryOnRenewal = true
            try session.clock.advance(by: .seconds(7 * 86_400))
            #expect(await next(.inGracePeriod))
            try session.clock.advance(by: .seconds(17 * 86_400))
            #expect(await next(.inBillingRetryPeriod))
            session.shouldEnterBillingRetryOnRenewal = false
            let latest = try #require(await Transaction.latest(for: Fixtures.weekly)).payloadValue
            try session.resolveIssueForTransaction(identifier: UInt(latest.id))
            #expect(await next(.subscribed))
            try session.expireSubscription(productIdentifier: Fixtures.weekly)
            #expect(await next(.expired))
            let last = try #require(await Transaction.latest(for: Fixtures.weekly)).payloadValue
            try session.refundTransaction(identifier: UInt(last.id))
            #expect(await next(.revoked))
        }
    }
}
