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
