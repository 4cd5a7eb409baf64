import Foundation
import OpenStoreKit
import OpenStoreKitTest
import Testing

@Suite("Simulated errors of APIs that sell nothing")
struct SimulatedErrorsByAPITests {
    /// Returns the transactions in the store, with all that a failed call could have changed.
    private static func purchases(of session: SKTestSession) -> [String] {
        session.allTransactions().map {
            "\($0.identifier) \($0.productIdentifier) \($0.state) \($0.autoRenewingEnabled) \(String(describing: $0.cancelDate))"
        }
    }

    /// Lets an API fail in one of two sessions that have sold the same: it throws until the error is taken back, the store stays as it was,
    /// and the other session's answers.
    private func failUntilTakenBack<API: FailableStoreKitAPI, Thrown: Error>(
        _ failure: API.Failure, _ api: API, as thrown: Thrown.Type,
        by call: (SKTestSession, StoreKitPurchases) async throws -> Void, check: (Thrown) -> Bool
    ) async throws {
        let (session, other) = (try Fixtures.session(), try Fixtures.session())
        let (mine, theirs) = (try await StoreKitPurchases(in: session), try await StoreKitPurchases(in: other))
        let before = Self.purchases(of: session)
        try #require(before.count == 2)
        try await session.setSimulatedError(failure, forAPI: api)
        #expect(await session.simulatedError(forAPI: api) == failure)
        #expect(await other.simulatedError(forAPI: api) == nil)
        for _ in 0..<2 {
            let error = await #expect(throws: Thrown.self) {
                try await session.withSession { try await call(session, mine) }
            }
            #expect(error.map(check) == true, "\(String(describing: error))")
        }
        #expect(Self.purchases(of: session) == before)
        try await other.withSession { try await call(other, theirs) }
        try await session.setSimulatedError(nil, forAPI: api)
        #expect(await session.simulatedError(forAPI: api) == nil)
        // For the first time, as the store sees it.
        try await session.withSession { try await call(session, mine) }
    }

    private static func isTimeout(_ error: StoreKitError) -> Bool {
        if case .networkError(let cause) = error { cause.code == .timedOut } else { false }
    }

    @Test("Synchronizing with the store")
    func appStoreSync() async throws {
        try await failUntilTakenBack(.generic(.userCancelled), .appStoreSync, as: StoreKitError.self) { _, _ in
            try await AppStore.sync()
        } check: { error in
            if case .userCancelled = error { true } else { false }
        }
    }

    @Test("Statuses of a product, a group and a transaction")
    func subscriptionStatus() async throws {
        let failure = StoreKitError.networkError(URLError(.timedOut))
        let calls: [@Sendable (StoreKitPurchases) async throws -> Int?] = [
            { try await $0.product.subscription?.status.count },
            { _ in try await Product.SubscriptionInfo.status(for: Fixtures.group).count },
            { try await Product.SubscriptionInfo.status(transactionID: $0.subscription.id) == nil ? 0 : 1 },
        ]
        for call in calls {
            try await failUntilTakenBack(.generic(failure), .subscriptionStatus, as: StoreKitError.self) { _, bought in
                let count = try await call(bought)
                #expect(count == 1)
            } check: {
                Self.isTimeout($0)
            }
        }
    }

    @Test("The app transaction, from the device and from the store")
    func appTransaction() async throws {
        let failure = StoreKitError.networkError(URLError(.timedOut))
        for isRefresh in [false, true] {
            try await failUntilTakenBack(.generic(failure), .appTransaction, as: StoreKitError.self) { session, _ in
                let result = try await isRefresh ? AppTransaction.refresh() : AppTransaction.shared
                let transaction = try result.payloadValue
                #expect(transaction.bundleID == session.bundleIdentifier)
            } check: {
                Self.isTimeout($0)
            }
        }
        try await Fixtures.withSession { session in
            try await session.setSimulatedError(.generic(failure), forAPI: .appTransaction)
            for await transaction in AppTransaction.all { Issue.record("\(transaction)") }
        }
    }

    /// Returns the simulated failures of everything signed that an app can read: statuses by three calls, each with transaction and
    /// renewal info, transactions by three sequences, and the app transaction by both calls.
    private static func failures(_ bought: StoreKitPurchases) async throws -> [Failure?] {
        var statuses = try await bought.product.subscription?.status ?? []
        statuses += try await Product.SubscriptionInfo.status(for: Fixtures.group)
        if let status = try await Product.SubscriptionInfo.status(transactionID: bought.subscription.id) {
            statuses.append(status)
        }
        var results = statuses.map(\.transaction)
        let latest = await Transaction.latest(for: Fixtures.silver)
        results += [latest].compactMap(\.self)
        for sequence in [Transaction.all, Transaction.currentEntitlements, Transaction.unfinished] {
            for await result in sequence { results.append(result) }
        }
        return results.map(Self.failure) + statuses.map { failure($0.renewalInfo) }
            + [failure(try await AppTransaction.shared), failure(try await AppTransaction.refresh())]
    }

    private typealias Failure = VerificationResult<Any>.VerificationError

    private static func failure<Signed>(_ result: VerificationResult<Signed>) -> Failure? {
        guard case .unverified(_, let error) = result else { return nil }
        return switch error {
        case .revokedCertificate: .revokedCertificate
        case .invalidCertificateChain: .invalidCertificateChain
        case .invalidDeviceVerification: .invalidDeviceVerification
        case .invalidEncoding: .invalidEncoding
        case .invalidSignature: .invalidSignature
        case .missingRequiredProperties: .missingRequiredProperties
        }
    }

    @Test("Everything signed is unverified, with its values")
    func verification() async throws {
        try await Fixtures.withSession { session in
            let bought = try await StoreKitPurchases(in: session)
            let valid = try await Self.failures(bought)
            // Three statuses, the latest transaction, two in each sequence, three renewal infos, the app transaction twice.
            #expect(valid == Array(repeating: nil, count: 15))
            for failure in [Failure.invalidSignature, .revokedCertificate] {
                try await session.setSimulatedError(.verification(failure), forAPI: .verification)
                #expect(try await Self.failures(bought) == Array(repeating: failure, count: valid.count))
                let status = try #require(try await Product.SubscriptionInfo.status(for: Fixtures.group).first)
                #expect(status.renewalInfo.unsafePayloadValue.currentProductID == Fixtures.monthly)
                #expect(throws: (any Error).self) { try status.transaction.payloadValue }
            }
            try await session.setSimulatedError(nil, forAPI: .verification)
            #expect(try await Self.failures(bought) == valid)
        }
    }

    @Test("A payment of StoreKit 1 without a network has the network's error underneath")
    func payment() async throws {
        try await Fixtures.withSession { session in
            try await withQueue(of: session, finishes: true) { queue, observer in
                try await session.setSimulatedError(
                    .generic(.networkError(URLError(.notConnectedToInternet))), forAPI: .purchase)
                await queue.buy(Fixtures.silver)
                let failed = try #require(await observer.next())
                #expect(failed.state == .failed && failed.error?.domain == SKErrorDomain)
                let cause = failed.error?.userInfo[NSUnderlyingErrorKey] as? URLError
                #expect(cause?.code == .notConnectedToInternet)
                #expect(session.allTransactions().isEmpty)
                try await session.setSimulatedError(nil, forAPI: .purchase)
                await queue.buy(Fixtures.silver)
                #expect(await observer.next()?.state == .purchased)
            }
        }
    }

    @Test("Refund requests, which the store then doesn't have", arguments: [true, false])
    func refundRequest(isDuplicate: Bool) async throws {
        typealias Refusal = OpenStoreKit.Transaction.RefundRequestError
        let refusal: Refusal = isDuplicate ? .duplicateRequest : .failed
        try await failUntilTakenBack(.refundRequest(refusal), .refundRequest, as: Refusal.self) { session, bought in
            let status = try await session.connection.requestRefund(for: bought.filter.id)
            #expect(status == .success)
        } check: {
            $0 == refusal
        }
    }

    @Test("A refund request that doesn't reach the store")
    func refundRequestWithoutNetwork() async throws {
        let failure = StoreKitError.networkError(URLError(.timedOut))
        try await failUntilTakenBack(.generic(failure), .refundRequest, as: StoreKitError.self) { session, bought in
            let status = try await session.connection.requestRefund(for: bought.filter.id)
            #expect(status == .success)
        } check: {
            Self.isTimeout($0)
        }
    }
}

/// A filter and a subscription that a session has sold.
private struct StoreKitPurchases: Sendable {
    let product: Product
    let filter: OpenStoreKit.Transaction
    let subscription: OpenStoreKit.Transaction

    init(in session: SKTestSession) async throws {
        filter = try await session.buyProduct(identifier: Fixtures.silver)
        subscription = try await session.buyProduct(identifier: Fixtures.monthly)
        product = try await session.withSession {
            try #require(try await Product.products(for: [Fixtures.monthly]).first)
        }
    }
}
