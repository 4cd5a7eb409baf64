import Foundation

/// The port to a customer who has an offer code.
public protocol CodeRedemptionSheet: Sendable {
    /// The code; `nil` where the customer cancelled.
    func code() async -> String?
}

extension SKPaymentQueue {
    /// Shows the sheet of the queue, and redeems what the customer enters. What it brings comes to the observers as a
    /// purchase that the app never started. Without a sheet this has no effect.
    ///
    /// StoreKit's sheet tells the customer itself where a code is refused; so does whoever calls
    /// ``redeem(code:)`` in its place.
    public func presentCodeRedemptionSheet() {
        guard let sheet = codeRedemptionSheet else { return }
        Task { [self] in
            guard let code = await sheet.code() else { return }
            try? await redeem(code: code)
        }
    }

    /// Not StoreKit's: redeems an offer code. What it brings comes to the observers; an offer for a subscription that
    /// runs begins with its next renewal.
    ///
    /// - Throws: ``SKError`` with the store's word: `codeNotRedeemable`, `offerNotAvailable`, `paymentDeclined` …
    public func redeem(code: String) async throws {
        do {
            try await connection.store.redeem(
                CodeOrder(code: code, idempotencyKey: connection.surroundings.uniqueName()))
        } catch {
            throw SKError(wrapping: error)
        }
        await synchronize()
    }
}
