import OpenStoreKit

extension SKTestSession {
    /// Lets an API fail, or work again.
    ///
    /// - Parameter error: Error of each call from now on; `nil` for none.
    public func setSimulatedError<API: FailableStoreKitAPI>(
        _ error: API.Failure?, forAPI api: API
    ) async throws {
        guard let name = (api as? any SimulatedAPI)?.simulatedName else {
            throw SKTestError(.invalidAction, "\(API.self) is no API of StoreKit")
        }
        core.withState { $0.failures[name] = error }
        core.connection.simulatedErrors.set((error as? any SimulatedFailure)?.thrownError, for: name)
        if name == .purchase { core.applyFailures() }
    }

    /// Returns the error of an API that was set; `nil` for none.
    public func simulatedError<API: FailableStoreKitAPI>(forAPI api: API) async -> API.Failure? {
        guard let name = (api as? any SimulatedAPI)?.simulatedName else { return nil }
        return core.withState { $0.failures[name] } as? API.Failure
    }
}

extension SimulatedAPI {
    fileprivate var simulatedName: SimulatedErrors.API { Self.name }
}
