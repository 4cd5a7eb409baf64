import Synchronization

/// Errors that a test's session wants the API to throw, by API.
///
/// Source: Apple, StoreKitTest documentation, "setSimulatedError(_:forAPI:)".
package final class SimulatedErrors: Sendable {
    package enum API: String, Sendable, Hashable, CaseIterable {
        case loadProducts, purchase, verification, appStoreSync, subscriptionStatus, appTransaction
        case manageSubscriptions, refundRequest, offerCodeRedeem
    }

    private let errors = Mutex<[API: any Error]>([:])

    package init() {}

    /// Sets the error of an API; `nil` lets it work again.
    package func set(_ error: (any Error)?, for api: API) {
        errors.withLock { $0[api] = error }
    }

    package func error(for api: API) -> (any Error)? {
        errors.withLock { $0[api] }
    }

    /// Throws the error of an API if there is one.
    package func check(_ api: API) throws {
        if let error = error(for: api) { throw error }
    }

    package func removeAll() {
        errors.withLock { $0 = [:] }
    }
}

extension StoreConnection {
    /// Errors that the API throws instead of asking the store.
    package var simulatedErrors: SimulatedErrors {
        part { _ in SimulatedErrors() }
    }
}
