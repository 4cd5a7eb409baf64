import TestSupport
import Testing

@testable import PerennialCommand

/// Offer codes from the command line.
struct OfferCodeCommandTests {
    @Test func `offer codes are created, listed and redeemed`() async throws {
        try await RunningStore.run(app: TestCatalog.magazineWithOffers) { store in
            let app = ["--app", "com.example.magazine"]
            #expect(
                try await RunningStore.run(["offer-codes", "list"] + app + store.access).words
                    == "The app has no offer codes")
            let made = try await RunningStore.run(
                [
                    "offer-codes", "create", "radio", "--product", "monthly", "--code", "spring",
                    "--maximum-redemptions", "5",
                ] + app
                    + store.access)
            #expect(made.words == "SPRING")
            let redeemed = try await RunningStore.run(
                ["offer-codes", "redeem", "spring", "--account", "ann"] + app + store.access)
            #expect(redeemed.words.hasPrefix("ann redeemed spring: monthly, "))
            #expect(
                try await RunningStore.run(["offer-codes", "list"] + app + store.access).words == """
                    CODE    PRODUCT  OFFER  REDEEMED  ENDS
                    SPRING  monthly  radio  1 of 5    never
                    """)
            _ = try await RunningStore.run(["offer-codes", "deactivate", "spring"] + app + store.access)
            #expect(
                try await RunningStore.run(["offer-codes", "list"] + app + store.access).words.hasSuffix(
                    "SPRING  monthly  radio  1 of 5    deactivated"))
        }
    }
}
