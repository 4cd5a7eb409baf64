import Foundation
import FoundationNetworking
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("Win-back offers in a session", .timeLimit(.minutes(1)))
struct WinBackOfferTests {
    private func run(_ body: (SKTestSession) async throws -> Void) async throws {
        try await Fixtures.withSession(of: Fixtures.offers, body)
    }

    private func monthly() async throws -> Product {
        try #require(try await Product.products(for: [Fixtures.monthly]).first)
    }

    private func offer(_ id: String) async throws -> Product.SubscriptionOffer {
        try #require(try await monthly().subscription?.winBackOffers.first { $0.id == id })
    }

    private func eligible() async throws -> [String]? {
        let statuses = try await Product.SubscriptionInfo.status(for: Fixtures.offerGroup)
        return try statuses.first?.renewalInfo.payloadValue.eligibleWinBackOfferIDs
    }

    private func lapse(_ session: SKTestSession) async throws {
        try await session.buyProduct(identifier: Fixtures.monthly)
        try session.expireSubscription(productIdentifier: Fixtures.monthly)
    }

    @Test("A product lists its offers for everybody, and sells them to whom they are for")
    func listed() async throws {
        try await run { session in
            let product = try await monthly()
            #expect(product.subscription?.winBackOffers.map(\.id) == ["back", "never", "silent"])
            let back = try await offer("back")
            await #expect(throws: Product.PurchaseError.ineligibleForOffer) {
                _ = try await product.purchase(options: [.winBackOffer(back)])
            }
            try await session.buyProduct(identifier: Fixtures.monthly)
            #expect(try await eligible() == [])
            #expect(try await monthly().subscription?.winBackOffers.count == 3)
        }
    }

    @Test("The file says who is eligible: all former subscribers, or none")
    func eligibility() async throws {
        try await run { session in
            try await lapse(session)
            #expect(try await eligible() == ["back", "silent"])
            let never = try await offer("never")
            await #expect(throws: Product.PurchaseError.ineligibleForOffer) {
                _ = try await monthly().purchase(options: [.winBackOffer(never)])
            }
            let back = try await offer("back")
            guard case .success(.verified(let bought)) = try await monthly().purchase(options: [.winBackOffer(back)])
            else { return #expect(Bool(false)) }
            #expect(bought.offer?.id == "back" && bought.offer?.type == .winBack)
            #expect(bought.price == Decimal(string: "0.99"))
        }
    }

    @Test("A purchase of the session follows the file, too")
    func bought() async throws {
        try await run { session in
            try await lapse(session)
            let (back, never) = (try await offer("back"), try await offer("never"))
            let error = await #expect(throws: SKTestError.self) {
                try await session.buyProduct(identifier: Fixtures.monthly, options: [.winBackOffer(never)])
            }
            #expect(error?.code == .invalidAction)
            let bought = try await session.buyProduct(identifier: Fixtures.monthly, options: [.winBackOffer(back)])
            #expect(bought.offer?.type == .winBack)
        }
    }

    /// Waits for the status that has an offer, as a listener hears of it.
    private func invitation(
        _ updates: inout Product.SubscriptionInfo.Status.Statuses.AsyncIterator
    ) async throws -> [String] {
        while let status = await updates.next() {
            let offers = try status.renewalInfo.payloadValue.eligibleWinBackOfferIDs
            if !offers.isEmpty { return offers }
        }
        return []
    }

    @Test("A customer becomes eligible by time alone: status, listeners and messages know")
    func time() async throws {
        try await runWithLaterOffer { session in
            var updates = Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
            var messages = Message.messages.makeAsyncIterator()
            let bought = try await session.buyProduct(identifier: Fixtures.monthly)
            try session.disableAutoRenewForTransaction(identifier: UInt(bought.id))
            try session.clock.advance(by: DateComponents(month: 1, day: 1))
            #expect(try await eligible() == [])
            // The renewal info of the expiry is a month old by then, and no event comes.
            try session.clock.advance(by: DateComponents(month: 1))
            #expect(try await eligible() == ["later"])
            #expect(try await invitation(&updates) == ["later"])
            #expect(await messages.next()?.reason == .winBackOffer)
        }
    }

    @Test("Compressed time makes a customer eligible by itself")
    func compressed() async throws {
        try await runWithLaterOffer { session in
            var messages = Message.messages.makeAsyncIterator()
            session.timeRate = .oneRenewalEveryTwoSeconds
            let bought = try await session.buyProduct(identifier: Fixtures.monthly)
            try session.disableAutoRenewForTransaction(identifier: UInt(bought.id))
            #expect(await messages.next()?.reason == .winBackOffer)
            #expect(try await eligible() == ["later"])
        }
    }

    /// Runs a test with an offer by the store's rules alone, after a month paid and a month away: those of the file are for no customer.
    private func runWithLaterOffer(_ body: (SKTestSession) async throws -> Void) async throws {
        let place = try TemporaryFolder()
        let text = try String(contentsOf: Fixtures.offers, encoding: .utf8)
            // Sessions of equal files have one catalog.
            .replacing("7D31F0A5", with: String(UUID().uuidString.prefix(8)))
            .replacing(#""isEligible" : true, "#, with: #""isEligible" : false, "#)
            .replacing(#""offerID" : "silent""#, with: #""isEligible" : false, "offerID" : "silent""#)
        try await Fixtures.withSession(of: place.write(text, to: "Offers.storekit")) { session in
            try await Self.createLaterOffer(in: session)
            try await body(session)
        }
    }

    /// Creates an offer, as an operator does.
    private static func createLaterOffer(in session: SKTestSession) async throws {
        let path = "control/v1/apps/\(session.bundleIdentifier)/catalog/products/\(Fixtures.monthly)/offers"
        var request = URLRequest(url: try await session.startServer().appendingPathComponent(path))
        request.httpMethod = "POST"
        request.httpBody = Data(
            #"""
            {"kind": "winBack", "offerId": "later", "paymentMode": "freeTrial", "period": "P1M",
             "winBack": {"paidMonths": 1, "monthsSinceEnd": 1}}
            """#.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer \(session.controlToken)", forHTTPHeaderField: "Authorization")
        let (body, response) = try await URLSession.shared.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 201, "\(String(decoding: body, as: UTF8.self))")
    }

    @Test("Parts of the file that aren't applied are named, with their place")
    func warnings() async throws {
        try await run { session in
            let warnings = session.configurationWarnings
            #expect(warnings.count == 1)
            #expect(warnings.first?.contains("Offers.storekit") == true)
            #expect(warnings.first?.contains("billingPlans[0]") == true)
        }
        #expect(try Fixtures.session().configurationWarnings == [])
    }

    @Test("A message invites a former subscriber")
    func message() async throws {
        try await run { session in
            var messages = Message.messages.makeAsyncIterator()
            try await lapse(session)
            #expect(await messages.next()?.reason == .winBackOffer)
        }
    }

    @Test("An offer chosen outside of the app is in the intent, and is sold")
    func intent() async throws {
        try await run { session in
            try await lapse(session)
            try await withQueue(of: session) { queue, _ in
                var intents = PurchaseIntent.intents.makeAsyncIterator()
                try await session.connection.openPromotedPurchase(of: Fixtures.monthly, offer: "back")
                await queue.settle()
                // A payment of StoreKit 1 would be at the full price.
                #expect(session.allTransactions().count == 1)
                let intent = try #require(await intents.next())
                let offer = try #require(intent.offer)
                #expect(offer.type == .winBack)
                guard
                    case .success(.verified(let bought)) = try await intent.product.purchase(
                        options: [.winBackOffer(offer)])
                else { return #expect(Bool(false)) }
                #expect(bought.offer?.id == "back")
                for (product, offer, code) in [
                    (Fixtures.monthly, "none", SKError.Code.invalidOfferIdentifier),
                    ("unknown", "back", .storeProductNotAvailable),
                ] {
                    let error = await #expect(throws: SKError.self) {
                        try await session.connection.openPromotedPurchase(of: product, offer: offer)
                    }
                    #expect(error?.code == code)
                }
            }
        }
    }
}
