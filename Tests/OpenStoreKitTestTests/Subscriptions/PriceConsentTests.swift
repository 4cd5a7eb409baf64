import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Synchronization
import Testing

@Suite("Price increases in a session", .timeLimit(.minutes(1)))
struct PriceConsentTests {
    private final class Delegate: NSObject, SKPaymentQueueDelegate, Sendable {
        let asked: AsyncStream<Void>
        let count = Mutex(0)
        private let continuation: AsyncStream<Void>.Continuation
        private let shows: Bool

        init(shows: Bool) {
            self.shows = shows
            (asked, continuation) = AsyncStream.makeStream()
        }

        func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
            count.withLock { $0 += 1 }
            continuation.yield()
            return shows
        }
    }

    private struct Sheet: StoreConnection.PriceConsentSheet {
        let answer: Bool?
        let shown = AsyncStream<String>.makeStream()

        func consents(toPriceOf productIdentifier: String) async -> Bool? {
            shown.continuation.yield(productIdentifier)
            return answer
        }
    }

    private func info() async throws -> Product.SubscriptionInfo.RenewalInfo {
        try #require(try await Product.SubscriptionInfo.status(for: Fixtures.group).first).renewalInfo.payloadValue
    }

    private func run(
        shows: Bool, _ body: (SKTestSession, SKPaymentQueue, Delegate, UInt) async throws -> Void
    ) async throws {
        try await Fixtures.withSession { session in
            let bought = try await session.buyProduct(identifier: Fixtures.weekly)
            let delegate = Delegate(shows: shows)
            try await withQueue(of: session, finishes: true) { queue, _ in
                queue.delegate = delegate
                try await body(session, queue, delegate, UInt(bought.id))
            }
        }
    }

    @Test("The delegate is asked once, without a sheet", arguments: [true, false])
    func withoutSheet(shows: Bool) async throws {
        try await run(shows: shows) { session, queue, delegate, id in
            try session.requestPriceIncreaseConsentForTransaction(identifier: id)
            for await _ in delegate.asked { break }
            await queue.synchronize()
            await queue.settle()
            #expect(delegate.count.withLock { $0 } == 1)
            queue.showPriceConsentIfNeeded()
            await queue.settle()
            #expect(try await info().priceIncreaseStatus == .pending)
            try session.consentToPriceIncreaseForTransaction(identifier: id)
            #expect(try await info().priceIncreaseStatus == .agreed)
        }
    }

    @Test("A delegate postpones the sheet until the app shows it", arguments: [true, false])
    func postponed(answer: Bool) async throws {
        try await run(shows: false) { session, queue, delegate, id in
            let sheet = Sheet(answer: answer)
            session.priceConsentSheet = sheet
            try session.requestPriceIncreaseConsentForTransaction(identifier: id)
            for await _ in delegate.asked { break }
            await queue.settle()
            #expect(try await info().priceIncreaseStatus == .pending)
            queue.showPriceConsentIfNeeded()
            for await product in sheet.shown.stream {
                #expect(product == Fixtures.weekly)
                break
            }
            await queue.settle()
            await session.connection.synchronize()
            #expect(session.allTransactions().map(\.isPendingPriceIncreaseConsent) == [false])
            #expect(try await info().priceIncreaseStatus == (answer ? .agreed : .pending))
        }
    }

    @Test("A delegate that comes later is asked about an increase that waits")
    func lateDelegate() async throws {
        try await Fixtures.withSession { session in
            let bought = try await session.buyProduct(identifier: Fixtures.weekly)
            try session.requestPriceIncreaseConsentForTransaction(identifier: UInt(bought.id))
            await withQueue(of: session, finishes: true) { queue, _ in
                let delegate = Delegate(shows: true)
                queue.delegate = delegate
                for await _ in delegate.asked { break }
                await queue.settle()
                #expect(delegate.count.withLock { $0 } == 1)
            }
        }
    }

    /// A sheet that stays open until a test answers.
    private struct OpenSheet: StoreConnection.PriceConsentSheet {
        let shown = AsyncStream<Void>.makeStream()
        let answers = AsyncStream<Bool>.makeStream()

        func consents(toPriceOf productIdentifier: String) async -> Bool? {
            shown.continuation.yield()
            return await answers.stream.first { _ in true }
        }
    }

    @Test("A sheet that waits for the customer doesn't hold up payments")
    func openSheet() async throws {
        try await Fixtures.withSession { session in
            let sheet = OpenSheet()
            session.priceConsentSheet = sheet
            let bought = try await session.buyProduct(identifier: Fixtures.weekly)
            try session.requestPriceIncreaseConsentForTransaction(identifier: UInt(bought.id))
            let queue = SKPaymentQueue(connection: session.connection)
            let observer = QueueObserver(finishes: true)
            queue.add(observer)
            defer { queue.remove(observer) }
            for await _ in sheet.shown.stream { break }
            let payment = SKMutablePayment()
            payment.productIdentifier = Fixtures.silver
            queue.add(payment)
            while let update = await observer.next(), update.productID != Fixtures.silver {}
            #expect(try await info().priceIncreaseStatus == .pending)
            sheet.answers.continuation.yield(true)
            await queue.settle()
            await session.connection.synchronize()
            #expect(try await info().priceIncreaseStatus == .agreed)
        }
    }

    @Test("A later increase is asked about again")
    func again() async throws {
        try await run(shows: true) { session, queue, delegate, id in
            var asked = delegate.asked.makeAsyncIterator()
            for round in 1...2 {
                try session.requestPriceIncreaseConsentForTransaction(identifier: id)
                _ = await asked.next()
                #expect(delegate.count.withLock { $0 } == round)
                try session.declinePriceIncreaseForTransaction(identifier: id)
                await queue.synchronize()
            }
        }
    }

    @Test("A message asks for consent; without it the subscription ends")
    func declined() async throws {
        try await Fixtures.withSession { session in
            var messages = Message.messages.makeAsyncIterator()
            let id = UInt(try await session.buyProduct(identifier: Fixtures.weekly).id)
            try session.requestPriceIncreaseConsentForTransaction(identifier: id)
            #expect(await messages.next()?.reason == .priceIncreaseConsent)
            try session.declinePriceIncreaseForTransaction(identifier: id)
            try session.clock.advance(by: .seconds(8 * 86_400))
            let status = try #require(try await Product.SubscriptionInfo.status(for: Fixtures.group).first)
            #expect(status.state == .expired)
            #expect(try status.renewalInfo.payloadValue.expirationReason == .didNotConsentToPriceIncrease)
            #expect(session.allTransactions().count == 1)
        }
    }

    @Test("With consent the subscription renews, at the price of the configuration file")
    func consented() async throws {
        try await Fixtures.withSession { session in
            let first = try await session.buyProduct(identifier: Fixtures.weekly)
            try session.requestPriceIncreaseConsentForTransaction(identifier: UInt(first.id))
            try session.consentToPriceIncreaseForTransaction(identifier: UInt(first.id))
            try session.clock.advance(by: .seconds(8 * 86_400))
            let renewal = try #require(await Transaction.latest(for: Fixtures.weekly)).payloadValue
            #expect(renewal.reason == .renewal)
            // A session has no other price: the file has one.
            #expect(renewal.price == first.price)
        }
    }
}
