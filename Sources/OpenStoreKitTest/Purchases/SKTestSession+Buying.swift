import Foundation
import OpenStoreKit
import Perennial

extension SKTestSession {
    /// Buys a product, as if outside of the app: `Transaction.updates` and the payment queue get it.
    ///
    /// - Throws: ``SKTestError`` `.invalidProductIdentifier`; `.invalidAction` if the purchase waits for approval, is interrupted or
    ///   refused.
    @discardableResult
    public func buyProduct(
        identifier: OpenStoreKit.Product.ID, options: Set<OpenStoreKit.Product.PurchaseOption> = []
    ) async throws -> OpenStoreKit.Transaction {
        let core = core
        let purchase = TestPurchase(productID: identifier, options: options)
        let sold = try await throwingTestErrors { try await core.buy(purchase) }
        core.schedule.expectNewWork()
        await core.connection.synchronize()
        let id = UInt64(sold.id.rawValue)
        guard let signed = core.connection.vault.contents.transaction(id)?.jws else {
            throw SKTestError(.serviceUnavailable, "\(id): the client did not get the transaction")
        }
        return try await throwingTestErrors {
            try OpenStoreKit.Transaction.verified(signed: signed, on: core.connection).unsafePayloadValue
        }
    }
}
