import Synchronization

/// The customer's storefront by the store's newest answer, and the observers of its changes.
final class StorefrontWatch: Sendable {
    /// Called with the storefront before and after a change; before is `nil` if it was never known. Returns true to be called again.
    typealias Observer = @Sendable (StoreSession.Storefront?, StoreSession.Storefront) -> Bool

    private struct State {
        var storefront: StoreSession.Storefront?
        /// True if the storefront has changed to one that isn't fetched yet.
        var isOutdated = false
        /// Country that the customer has moved to before any storefront was known.
        var expectedCountry: String?
        /// Number of the newest request, and of the newest one that was answered.
        var requests = 0
        var answered = 0
        var observers: [Observer] = []
    }

    private let state = Mutex(State())

    /// The storefront; `nil` if it isn't known, or has changed since.
    var storefront: StoreSession.Storefront? { state.withLock { $0.isOutdated ? nil : $0.storefront } }

    func observe(_ observer: @escaping Observer) {
        state.withLock { $0.observers.append(observer) }
    }

    /// Forgets the storefront up to the next answer of the store, because the customer has moved.
    ///
    /// - Parameter old: Country before, which counts if no storefront is known.
    /// - Returns: False if nothing has changed.
    func expect(countryCode: String, insteadOf old: String?) -> Bool {
        state.withLock { state in
            if let known = state.storefront {
                guard known.countryCode != countryCode else { return false }
                state.isOutdated = true
            } else {
                guard let old, old != countryCode else { return false }
                state.expectedCountry = countryCode
            }
            return true
        }
    }

    /// Returns the number of a new request.
    func beginRequest() -> Int {
        state.withLock { state in
            state.requests += 1
            return state.requests
        }
    }

    /// Takes an answer, and tells the observers of a change. Ignores an answer to a request before the newest one that was answered.
    func receive(_ storefront: StoreSession.Storefront, of request: Int) {
        let (known, observers) = state.withLock { state -> (StoreSession.Storefront?, [Observer]) in
            guard request > state.answered else { return (nil, []) }
            let known = state.storefront
            let isNews = known.map { $0 != storefront } ?? (state.expectedCountry == storefront.countryCode)
            state.answered = request
            state.storefront = storefront
            state.isOutdated = false
            state.expectedCountry = nil
            guard isNews else { return (known, []) }
            defer { state.observers = [] }
            return (known, state.observers)
        }
        let staying = observers.filter { $0(known, storefront) }
        guard !staying.isEmpty else { return }
        state.withLock { $0.observers = staying + $0.observers }
    }
}
