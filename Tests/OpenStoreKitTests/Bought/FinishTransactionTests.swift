import AppStoreFormats
import Foundation
import OpenStoreKit
import Perennial
import Synchronization
import Testing

@Suite struct FinishTransactionTests {
    private func first(_ fixture: BoughtFixture) async throws -> Transaction {
        try await fixture.run {
            for await result in Transaction.unfinished { return try result.payloadValue }
            throw VerificationFailure.missingRequiredProperties
        }
    }

    @Test func aFinishedTransactionIsFinishedAtTheStore() async throws {
        let fixture = try BoughtFixture()
        fixture.store.put(.sold(1, "coins", .consumable))
        let transaction = try await first(fixture)
        await transaction.finish()
        await transaction.finish()
        #expect(await fixture.products(Transaction.unfinished).isEmpty)
        #expect(fixture.store.count("POST /store/v1/transactions/1/finish") == 1)
        #expect(fixture.store.state.withLock { $0.entries[1]?.isFinished } == true)
    }

    @Test func withoutTheStoreItIsFinishedLater() async throws {
        let fixture = try BoughtFixture()
        fixture.store.put(.sold(1, "coins", .consumable))
        let transaction = try await first(fixture)
        fixture.store.set { $0.isOffline = true }
        await transaction.finish()
        #expect(await fixture.products(Transaction.unfinished).isEmpty)
        // The app ends, and is launched again with a network.
        let relaunched = try BoughtFixture(store: fixture.store, device: fixture.device)
        #expect(await relaunched.products(Transaction.unfinished).isEmpty)
        fixture.store.set { $0.isOffline = false }
        await relaunched.connection.synchronize()
        #expect(fixture.store.count("POST /store/v1/transactions/1/finish") == 1)
        #expect(await relaunched.products(Transaction.unfinished).isEmpty)
    }

    @Test func aNetworkThatIsMuteHoldsNothingUp() async throws {
        let transport = DelayingTransport(try SignedStore(), isRemote: true)
        let fixture = try BoughtFixture(transport: transport)
        fixture.store.put(.sold(1, "coins", .consumable))
        let transaction = try await first(fixture)
        transport.hold("transactions/1/finish")
        await transaction.finish()
        #expect(fixture.connection.vault.contents.finishing.contains(1))
        await transport.arrival(of: "transactions/1/finish")
        #expect(await fixture.products(Transaction.unfinished).isEmpty)
        transport.hold("storefront")
        let storefront = try await fixture.run { await Storefront.current }
        #expect(storefront?.countryCode == "USA")
        transport.release("transactions/1/finish")
        await transport.arrival(of: "storefront")
        transport.release("storefront")
    }

    /// Runs a body while the device's first complete list, of one purchase, is under way.
    private func whileListing(_ body: (BoughtFixture) async throws -> Void) async throws -> PurchaseVault {
        let transport = DelayingTransport(try SignedStore())
        let fixture = try BoughtFixture(transport: transport)
        fixture.store.put(.sold(1, "atlas"))
        transport.hold("changes")
        async let synchronized: Void = fixture.connection.synchronize()
        await transport.arrival(of: "changes")
        try await body(fixture)
        transport.release("changes")
        await synchronized
        return fixture.connection.vault
    }

    @Test func aListThatIsOlderThanAPurchaseTakesNothing() async throws {
        let vault = try await whileListing { fixture in
            let bought = TransactionPayload.sold(2, "filter")
            fixture.store.put(bought)
            _ = try await fixture.sync.record(signed: fixture.store.signed(bought))
        }
        #expect(vault.contents.transactions.map(\.id).sorted() == [1, 2])
    }

    @Test func aListThatIsOlderThanAnImportDoesNotConfirmIt() async throws {
        // Before the store took something back.
        let other = try BoughtFixture()
        other.store.put(.sold(1, "atlas"))
        other.store.put(.sold(2, "filter"))
        await other.connection.synchronize()
        let backup = try other.connection.vault.exportBackup(passphrase: "correct horse", rounds: 1000)
        let vault = try await whileListing { fixture in
            let imported = try fixture.connection.vault.importBackup(backup, passphrase: "correct horse")
            #expect(imported.accepted == 2)
        }
        #expect(vault.contents.transactions.map(\.id) == [1])
    }

    @Test func answersFromBeforeAClearingBringNothingBack() async throws {
        let vault = try await whileListing { fixture in
            fixture.store.clear()
            fixture.connection.forgetPurchases()
        }
        #expect(vault.contents.transactions.isEmpty)
        #expect(vault.contents.revision != nil)
    }

    @Test func aTransactionThatTheStoreForgotIsNotSentForever() async throws {
        let fixture = try BoughtFixture()
        fixture.store.put(.sold(1, "coins", .consumable))
        let transaction = try await first(fixture)
        fixture.store.clear()
        await transaction.finish()
        await fixture.connection.synchronize()
        await fixture.connection.synchronize()
        #expect(fixture.store.count("POST /store/v1/transactions/1/finish") == 1)
    }

    @Test(arguments: [true, false])
    func `a finish for an emptied store doesn't finish what has its ID in the present one`(isLate: Bool) async throws {
        let fixture = try BoughtFixture()
        fixture.store.put(.sold(1, "coins", .consumable))
        let transaction = try await first(fixture)
        fixture.store.set { $0.isOffline = true }
        if !isLate { await transaction.finish() }
        fixture.store.clear()
        fixture.store.put(.sold(1, "coins", .consumable, at: SignedStore.start + 60_000))
        // The app is launched again, with a network.
        fixture.store.set { $0.isOffline = false }
        let relaunched = try BoughtFixture(store: fixture.store, device: fixture.device)
        if isLate {
            // Of the vault, before the store was asked.
            let contents = relaunched.connection.vault.contents
            let known = try Transaction.verified(
                signed: try #require(contents.transaction(1)).jws, on: relaunched.connection)
            await known.unsafePayloadValue.finish()
        }
        await relaunched.connection.synchronize()
        #expect(relaunched.store.count("POST /store/v1/transactions/1/finish") == 0)
        #expect(await relaunched.products(Transaction.unfinished) == ["coins"])
    }

    @Test func aRefundIsRequestedOnce() async throws {
        let fixture = try BoughtFixture()
        fixture.store.put(.sold(1, "atlas"))
        #expect(try await fixture.connection.requestRefund(for: 1) == .success)
        await #expect(throws: Transaction.RefundRequestError.duplicateRequest) {
            try await fixture.connection.requestRefund(for: 1)
        }
        fixture.store.set { $0.isOffline = true }
        await #expect(throws: StoreKitError.self) { try await fixture.connection.requestRefund(for: 2) }
        fixture.connection.simulatedErrors.set(Transaction.RefundRequestError.failed, for: .refundRequest)
        await #expect(throws: Transaction.RefundRequestError.failed) {
            try await fixture.connection.requestRefund(for: 3)
        }
    }
}
