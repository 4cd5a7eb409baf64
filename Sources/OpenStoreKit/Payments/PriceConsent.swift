import Foundation
import HTTPTypes
import Synchronization

extension StoreConnection {
    /// Asks the customer to agree to a higher price of a subscription.
    public protocol PriceConsentSheet: Sendable {
        /// Returns true if the customer agrees; `nil` if there is no answer yet.
        func consents(toPriceOf productIdentifier: String) async -> Bool?
    }
}

/// Messages of the store about price increases, in the answer to `GET store/v1/messages`.
struct PriceConsentMessages: Codable, Sendable {
    struct Message: Codable, Sendable, Hashable {
        var reason: String
        var productId: String?
        var originalTransactionId: String?
    }

    var messages: [Message]

    /// Subscriptions that wait for the customer's consent.
    var waiting: [(productID: String, originalID: String)] {
        messages.compactMap { message in
            guard message.reason == "priceIncreaseConsent", let product = message.productId,
                let original = message.originalTransactionId
            else { return nil }
            return (product, original)
        }
    }
}

extension StoreProtocolClient {
    func priceConsentMessages() async throws -> PriceConsentMessages {
        try await call(.get, "store/v1/messages")
    }

    func answerPriceConsent(of originalID: String, accepted: Bool) async throws {
        struct Answer: Codable, Sendable {
            var accepted: Bool
        }
        let body = try JSONEncoder().encode(Answer(accepted: accepted))
        _ = try await send(.post, "store/v1/subscriptions/\(URL.escaped(originalID))/price-consent", body: body)
    }
}

/// A sheet that isn't always there, as a session's, which a test installs.
package protocol OptionalPriceConsentSheet: StoreConnection.PriceConsentSheet {
    /// True if the sheet would be shown now.
    var hasPriceConsent: Bool { get }
}

/// Shows pending price increases on the connection's sheet: each once by itself, and again when the app asks for it.
final class PriceConsents: Sendable {
    /// The sheet; `nil` for a connection without one, whose app is asked all the same.
    private let sheet: (any StoreConnection.PriceConsentSheet)?
    private let store: StoreProtocolClient
    /// Subscriptions whose increase was shown, or postponed by the delegate, for as long as it waits.
    private let seen = Mutex<Set<String>>([])
    private let showing = AsyncLock()

    init(connection: StoreConnection) {
        self.sheet = connection.priceConsentSheet
        self.store = connection.store
    }

    private var hasSheet: Bool {
        (sheet as? any OptionalPriceConsentSheet)?.hasPriceConsent ?? (sheet != nil)
    }

    /// Shows new price increases if the delegate agrees. Asks the store only if there is a delegate or a sheet.
    func showNew(_ callbacks: QueueCallbacks) async {
        guard hasSheet || callbacks.delegate != nil else { return }
        try? await showing.withLock { [self] in
            let waiting = try await store.priceConsentMessages().waiting
            // A later increase of the same subscription is a new one.
            seen.withLock { $0.formIntersection(waiting.map(\.originalID)) }
            for (productID, originalID) in waiting {
                guard seen.withLock({ $0.insert(originalID).inserted }) else { continue }
                let shows = await callbacks.ask { delegate, queue in delegate.paymentQueueShouldShowPriceConsent(queue)
                }
                if shows != false { try await show(productID, originalID) }
            }
        }
    }

    /// Shows all pending price increases.
    func showAll() async {
        guard hasSheet else { return }
        try? await showing.withLock { [self] in
            for (productID, originalID) in try await store.priceConsentMessages().waiting {
                seen.withLock { _ = $0.insert(originalID) }
                try await show(productID, originalID)
            }
        }
    }

    private func show(_ productID: String, _ originalID: String) async throws {
        guard let accepted = await sheet?.consents(toPriceOf: productID) else { return }
        try await store.answerPriceConsent(of: originalID, accepted: accepted)
    }
}
