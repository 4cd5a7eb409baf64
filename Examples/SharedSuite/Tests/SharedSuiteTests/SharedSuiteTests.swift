import Foundation
import Paywall
import StoreKit
import StoreKitTest
import Testing

/// One suite for Xcode's StoreKitTest and for this one.
///
/// Serialized: in Xcode all sessions of a process are one store. Here each has its own.
@Suite(.serialized)
struct SharedSuiteTests {
    let session: SKTestSession
    let paywall = Paywall()

    init() throws {
        session = try SKTestSession(configurationFileNamed: "Paywall")
        session.resetToDefaultState()
        session.clearTransactions()
        session.disableDialogs = true
    }

    @Test func `products have the prices of the storefront`() async throws {
        let products = try await paywall.products()
        #expect(products.map(\.id) == [Paywall.exports, Paywall.monthly, Paywall.lifetime])
        #expect(products.map { "\($0.price)" } == ["0.99", "4.99", "19.99"])
        #expect(products.last?.displayPrice == "$19.99")
        #expect(products[1].subscription?.subscriptionPeriod == .monthly)
        #expect(try await Product.products(for: ["com.example.paywall.unknown"]).isEmpty)
    }

    @Test func `a purchase for ever is an entitlement`() async throws {
        #expect(await paywall.isPro == false)
        #expect(try await paywall.buy(Paywall.lifetime) == .bought)
        #expect(await paywall.isPro)
        let result = try #require(await Transaction.latest(for: Paywall.lifetime))
        let transaction = try result.payloadValue
        #expect(transaction.environment == .xcode)
        #expect(transaction.originalID == transaction.id)
        #expect(transaction.ownershipType == .purchased)
        #expect(!result.jwsRepresentation.isEmpty)
    }

    @Test func `a subscription begins with its trial, which comes once`() async throws {
        #expect(try await paywall.hasTrial())
        #expect(try await paywall.buy(Paywall.monthly) == .bought)
        #expect(await paywall.isPro)
        #expect(try await paywall.hasTrial() == false)
        let transaction = try #require(await Transaction.latest(for: Paywall.monthly)).payloadValue
        #expect(transaction.offer?.type == .introductory)
        try session.expireSubscription(productIdentifier: Paywall.monthly)
        #expect(await paywall.isPro == false)
    }

    @Test func `a renewal continues the subscription`() async throws {
        #expect(try await paywall.buy(Paywall.monthly) == .bought)
        let first = try #require(await Transaction.latest(for: Paywall.monthly)).payloadValue
        try session.forceRenewalOfSubscription(productIdentifier: Paywall.monthly)
        let second = try #require(await Transaction.latest(for: Paywall.monthly)).payloadValue
        #expect(second.id != first.id)
        #expect(second.originalID == first.id)
        #expect(await paywall.isPro)
    }

    @Test func `consumables are delivered once`() async throws {
        #expect(try await paywall.buy(Paywall.exports) == .bought)
        #expect(await paywall.exportsLeft == 10)
        try await paywall.deliverUnfinished()
        #expect(await paywall.exportsLeft == 10)
        #expect(await paywall.isPro == false)
        #expect(session.allTransactions().map(\.productIdentifier) == [Paywall.exports])
    }

    @Test func `a transaction has the token of the account`() async throws {
        let token = UUID()
        #expect(try await paywall.buy(Paywall.lifetime, token: token) == .bought)
        let transaction = try #require(await Transaction.latest(for: Paywall.lifetime)).payloadValue
        #expect(transaction.appAccountToken == token)
    }

    @Test func `a purchase outside of the app is delivered at launch`() async throws {
        try await session.buyProduct(identifier: Paywall.exports)
        #expect(await paywall.exportsLeft == 0)
        try await paywall.deliverUnfinished()
        #expect(await paywall.exportsLeft == 10)
    }

    @Test func `a refund ends the entitlement`() async throws {
        #expect(try await paywall.buy(Paywall.lifetime) == .bought)
        let transaction = try #require(session.allTransactions().first)
        try session.refundTransaction(identifier: transaction.identifier)
        #expect(await paywall.isPro == false)
    }

    @Test func `a purchase waits for approval`() async throws {
        session.askToBuyEnabled = true
        #expect(try await paywall.buy(Paywall.lifetime) == .waitsForApproval)
        #expect(await paywall.isPro == false)
        let pending = try #require(session.allTransactions().first)
        #expect(pending.pendingAskToBuyConfirmation)
        try session.approveAskToBuyTransaction(identifier: pending.identifier)
        try await paywall.deliverUnfinished()
        #expect(await paywall.isPro)
    }

    @Test func `a network that is away is an error, and nothing is bought`() async throws {
        try await session.setSimulatedError(
            .generic(.networkError(URLError(.notConnectedToInternet))), forAPI: .purchase)
        await #expect(throws: StoreKitError.self) { try await paywall.buy(Paywall.lifetime) }
        #expect(session.allTransactions().isEmpty)
        try await session.setSimulatedError(nil, forAPI: .purchase)
        #expect(try await paywall.buy(Paywall.lifetime) == .bought)
    }
}
