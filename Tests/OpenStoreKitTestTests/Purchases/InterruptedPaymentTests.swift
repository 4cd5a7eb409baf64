import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("Payments of StoreKit 1 that wait", .timeLimit(.minutes(1)))
struct InterruptedPaymentTests {
    @Test("An interrupted payment fails, and is delivered when the issue is resolved")
    func interrupted() async throws {
        try await Fixtures.withSession { session in
            session.interruptedPurchasesEnabled = true
            try await withQueue(of: session, finishes: true) { queue, observer in
                await queue.buy(Fixtures.silver)
                let failed = try #require(await observer.next())
                #expect(failed.state == .failed)
                let cause = try #require(failed.error?.userInfo[NSUnderlyingErrorKey] as? NSError)
                #expect(cause.domain == "ASDServerErrorDomain" && cause.code == 3038)
                let issue = try #require(session.allTransactions().first)
                #expect(issue.hasPurchaseIssue)
                try session.resolveIssueForTransaction(identifier: issue.identifier)
                #expect(await observer.next()?.state == .purchased)
                #expect(session.allTransactions().map(\.productIdentifier) == [Fixtures.silver])
            }
        }
    }

    @Test("A second payment before the issue is resolved is a purchase of its own")
    func retried() async throws {
        try await Fixtures.withSession { session in
            session.interruptedPurchasesEnabled = true
            try await withQueue(of: session, finishes: true) { queue, observer in
                await queue.buy(Fixtures.film)
                #expect(await observer.next()?.state == .failed)
                let issue = try #require(session.allTransactions().first)
                session.interruptedPurchasesEnabled = false
                await queue.buy(Fixtures.film)
                #expect(await observer.next()?.state == .purchased)
                try session.resolveIssueForTransaction(identifier: issue.identifier)
                #expect(await observer.next()?.state == .purchased)
                // Two payments, each charged once.
                #expect(session.allTransactions().map(\.state) == [.purchased, .purchased])
            }
        }
    }

    @Test("A purchase of the session that is interrupted throws and is listed")
    func bySession() async throws {
        try await Fixtures.withSession { session in
            session.interruptedPurchasesEnabled = true
            let error = await #expect(throws: SKTestError.self) {
                try await session.buyProduct(identifier: Fixtures.silver)
            }
            #expect(error?.code == .invalidAction)
            #expect(session.allTransactions().map(\.hasPurchaseIssue) == [true])
        }
    }

    @Test("A declined request to buy fails as cancelled")
    func declined() async throws {
        try await Fixtures.withSession { session in
            session.askToBuyEnabled = true
            try await withQueue(of: session, finishes: true) { queue, observer in
                await queue.buy(Fixtures.silver)
                #expect(await observer.next()?.state == .deferred)
                let waiting = try #require(session.allTransactions().first)
                try session.declineAskToBuyTransaction(identifier: waiting.identifier)
                let failed = await observer.next()
                #expect(failed?.state == .failed && failed?.code == SKError.Code.paymentCancelled.rawValue)
                #expect(session.allTransactions().isEmpty)
            }
        }
    }

    @Test("A request to buy lapses after a day")
    func lapsed() async throws {
        try await Fixtures.withSession { session in
            session.askToBuyEnabled = true
            try await withQueue(of: session, finishes: true) { queue, observer in
                await queue.buy(Fixtures.silver)
                #expect(await observer.next()?.state == .deferred)
                let waiting = try #require(session.allTransactions().first)
                try session.clock.advance(by: .seconds(86_401))
                #expect(await observer.next()?.state == .failed)
                #expect(session.allTransactions().isEmpty)
                #expect(throws: SKTestError.self) {
                    try session.approveAskToBuyTransaction(identifier: waiting.identifier)
                }
            }
        }
    }

    @Test("Clearing ends requests, issues and entries of the queue")
    func cleared() async throws {
        try await Fixtures.withSession { session in
            try await withQueue(of: session) { queue, observer in
                await queue.buy(Fixtures.silver)
                #expect(await observer.next()?.state == .purchased)
                session.askToBuyEnabled = true
                await queue.buy(Fixtures.amber)
                #expect(await observer.next()?.state == .deferred)
                let waiting = try #require(session.allTransactions().last)
                session.timeRate = .monthlyRenewalEveryHour
                session.clearTransactions()
                await queue.settle()
                #expect(queue.transactions.isEmpty && session.allTransactions().isEmpty)
                #expect(session.askToBuyEnabled && session.timeRate == .monthlyRenewalEveryHour)
                for decide in [session.approveAskToBuyTransaction, session.declineAskToBuyTransaction] {
                    let error = #expect(throws: SKTestError.self) { try decide(waiting.identifier) }
                    #expect(error?.code == .noTransactionFound)
                }
            }
        }
    }
}
