import Foundation
import Perennial

/// The grants for the customer's purchases: each fetched once at a time, and kept until it expires.
actor ContentGrants {
    /// Origin of a grant.
    enum Source: Hashable, Sendable {
        /// The customer's present purchases.
        case current
        /// The stored receipt of a transaction.
        case stored(transactionID: String)
    }

    /// Milliseconds before its end at which a grant is renewed.
    private static let margin: Int64 = 60_000

    private let fetch: @Sendable (Source) async throws -> DeliveryGrant
    private let now: @Sendable () -> Instant
    private var grants: [Source: DeliveryGrant] = [:]
    private var fetches: [Source: Task<DeliveryGrant, any Error>] = [:]

    init(now: @escaping @Sendable () -> Instant, fetch: @escaping @Sendable (Source) async throws -> DeliveryGrant) {
        self.now = now
        self.fetch = fetch
    }

    /// Returns a grant that is in force.
    ///
    /// - Parameter token: A token that the server refused, or whose grant is outdated; that grant is fetched again.
    func grant(_ source: Source, insteadOf token: String? = nil) async throws -> DeliveryGrant {
        if let grant = grants[source], grant.token != token, Instant(grant.expires) - now() > Self.margin {
            return grant
        }
        return try await renewed(source)
    }

    /// Fetches a grant, or waits for the fetch that is in flight.
    func renewed(_ source: Source) async throws -> DeliveryGrant {
        if let task = fetches[source] { return try await task.value }
        let task = Task { [fetch] in try await fetch(source) }
        fetches[source] = task
        defer { fetches[source] = nil }
        let grant = try await task.value
        grants[source] = grant
        return grant
    }
}
