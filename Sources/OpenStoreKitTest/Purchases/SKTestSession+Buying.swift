import Foundation
import OpenStoreKit
import Perennial

extension SKTestSession {
    /// Buys a product, as if outside of the app: `Transaction.updates` and the payment queue get it.
    ///
    /// An offer with a signature or a JWS is proven as that of `Product.purchase(options:)`.
    ///
    /// - Throws: ``SKTestError`` `.invalidProductIdentifier`; `.invalidAction` if the purchase waits for approval, is interrupted or
    ///   refused, or if its options contradict the product or each other.
    @discardableResult
    public func buyProduct(
        identifier: OpenStoreKit.Product.ID, options: Set<OpenStoreKit.Product.PurchaseOption> = []
    ) async throws -> OpenStoreKit.Transaction {
        let core = core
        let sold = try await throwingTestErrors { try await core.buy(identifier, options: options) }
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
