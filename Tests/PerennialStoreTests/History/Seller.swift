import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport

/// The seller's server of a test's magazine, with its API key.
struct Seller: Sendable {
    /// A page with decoded transactions.
    struct Page {
        var ids: [TransactionID]
        var revision: String
        var hasMore: Bool
    }

    let shop: TestStore
    let key: TestServerAPIKey
    let caller: ServerAPICaller
    private let verifier: JWSVerifier

    init(of shop: TestStore) async throws {
        self.shop = shop
        key = try await TestServerAPIKey(of: shop)
        caller = try await shop.registry.apiKeyAuthenticator.caller(of: try key.token(at: shop.clock.now))
        verifier = try TestSigning.verifier
    }

    func history(
        of id: TransactionID, after revision: String? = nil,
        change: (inout TransactionsTable.HistoryFilter) -> Void = { _ in }
    ) async throws -> Page {
        var filter = TransactionsTable.HistoryFilter()
        change(&filter)
        let history = try await shop.store.history.transactionHistory(
            ofCustomerOf: id, filter, after: revision, for: caller)
        return Page(
            ids: try history.signedTransactions.map { json in
                guard let id = TransactionID(try payload(json).transactionId) else {
                    throw TestStore.Missing(what: "number")
                }
                return id
            }, revision: history.revision, hasMore: history.hasMore)
    }

    /// Calls Get Transaction Info.
    func text(of id: TransactionID) async throws -> [UInt8] {
        try await shop.store.history.signedTransaction(id, for: caller)
    }

    /// Decodes a signed transaction from its JSON string.
    func payload(_ json: [UInt8]) throws -> TransactionPayload {
        try verifier.verify(String(decoding: json.dropFirst().dropLast(), as: UTF8.self), as: TransactionPayload.self)
    }

    func renewalInfo(_ json: [UInt8]) throws -> RenewalInfoPayload {
        try verifier.verify(String(decoding: json.dropFirst().dropLast(), as: UTF8.self), as: RenewalInfoPayload.self)
    }
}
