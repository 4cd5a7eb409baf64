import StoreKit
import StoreKitTest
import Testing

@Suite("Usage: purchases from the App Store with StoreKit 1", .timeLimit(.minutes(1)))
@MainActor
struct StorePaymentsTests {
    private static let price = NSDecimalNumber(string: "2.99")

    @Test("a purchase that the app takes is delivered")
    func taken() async throws {
        try await withMagazineStore { session in
            let payments = StorePayments(isReady: true)
            defer { payments.close() }
            var events = payments.events.makeAsyncIterator()
            try await session.connection.openPromotedPurchase(of: Magazine.silver)
            #expect(await events.next() == .asked(Magazine.silver, price: Self.price))
            #expect(await events.next() == .bought(Magazine.silver))
        }
    }

    @Test("a purchase that the app puts off is charged when the app adds its payment")
    func putOff() async throws {
        try await withMagazineStore { session in
            let payments = StorePayments(isReady: false)
            defer { payments.close() }
            var events = payments.events.makeAsyncIterator()
            try await session.connection.openPromotedPurchase(of: Magazine.silver)
            #expect(await events.next() == .asked(Magazine.silver, price: Self.price))
            #expect(session.allTransactions().isEmpty)
            payments.becomeReady()
            #expect(await events.next() == .bought(Magazine.silver))
            #expect(session.allTransactions().count == 1)
        }
    }

    @Test("a purchase from before the launch waits for the first observer")
    func beforeLaunch() async throws {
        try await withMagazineStore { session in
            try await session.connection.openPromotedPurchase(of: Magazine.silver)
            #expect(session.allTransactions().isEmpty)
            let payments = StorePayments(isReady: true)
            defer { payments.close() }
            var events = payments.events.makeAsyncIterator()
            #expect(await events.next() == .asked(Magazine.silver, price: Self.price))
            #expect(await events.next() == .bought(Magazine.silver))
        }
    }
}
