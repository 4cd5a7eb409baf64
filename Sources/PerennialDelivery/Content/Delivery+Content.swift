import BaseEncoding
import Foundation
import Perennial
import PerennialStorage

/// An open content file for the bearer of a grant.
package struct AuthorizedContent: Sendable {
    package let content: Content
    package let file: ContentFile
    package let entitlement: Entitlement
    package let customer: String?
    let scope: DeliveryScope
}

/// A delivery under way.
package struct DeliveryInProgress: Sendable {
    package let id: String
    let scope: DeliveryScope
}

extension Delivery {
    /// Bytes of a delivery's random ID.
    private static let deliveryNameSize = 16

    /// Opens a content for the bearer of a grant.
    ///
    /// - Throws: ``DeliveryError`` with `unauthorized`, `contentNotFound` or `notGranted`.
    package func authorize(_ id: Content.ID, grant text: String?) async throws -> AuthorizedContent {
        let denied = DeliveryError(
            .unauthorized, "grant", "content needs a grant, and this one is missing, unknown or expired")
        guard let text, let token = BearerToken(text), let scope = token.scope else { throw denied }
        let (digest, now) = (token.digest, clock())
        let record = try await database.read { connection in
            try DeliveryGrantsTable.grant(digest: digest, scope, at: now, on: connection)
        }
        guard let record else { throw denied }
        guard let content = try await entry(scope.bundleID).content(id) else {
            throw DeliveryError(.contentNotFound, id.rawValue, "there is no such content")
        }
        guard let item = try GrantedItem.items(in: record.contents).first(where: { $0.content == id.rawValue }) else {
            throw DeliveryError(.notGranted, id.rawValue, "the grant doesn't open this content")
        }
        let purchased = DeliveryScope(
            environment: StoreEnvironment.Kind(rawValue: item.environment) ?? scope.environment,
            bundleID: scope.bundleID)
        guard environments.contains(purchased.environment) else { throw denied }
        try await check(item, purchased)
        return AuthorizedContent(
            content: content, file: try await open(content), entitlement: item.entitlement, customer: record.customer,
            scope: purchased)
    }

    /// Checks that the purchase wasn't refunded or revoked since the grant.
    private func check(_ item: GrantedItem, _ scope: DeliveryScope) async throws {
        let purchase = item.purchase
        let known = try await knownRefunds(
            of: [purchase.transactionID] + [purchase.repeated].compactMap(\.self), scope)
        guard purchase.applyingKnownRefunds(known).cancellationDate != nil else { return }
        throw DeliveryError(.notGranted, item.content, "its purchase was refunded or revoked: ask for another grant")
    }

    private func open(_ content: Content) async throws -> ContentFile {
        do {
            return try await library.open(content.file)
        } catch let error as ContentLibraryError {
            reportMissing(content, error)
            throw DeliveryError(.contentNotFound, content.id.rawValue, "its file is not there")
        }
    }

    /// Records the start of a delivery.
    package func beginDelivery(of authorized: AuthorizedContent, bytes: Range<Int64>) async throws -> DeliveryInProgress
    {
        let name = Hexadecimal.encode(randomBytes(Self.deliveryNameSize))
        let record = DeliveriesTable.Record(
            scope: authorized.scope, id: name, contentID: authorized.content.id, version: authorized.content.version,
            entitlement: authorized.entitlement, customer: authorized.customer, firstByte: bytes.lowerBound,
            byteCount: bytes.upperBound - bytes.lowerBound, began: clock())
        try await database.write { [deliveryLog] connection in
            try deliveryLog.prune(authorized.scope, at: record.began, on: connection)
            try DeliveriesTable.begin(record, on: connection)
        }
        return DeliveryInProgress(id: name, scope: authorized.scope)
    }

    /// Records the end of a delivery.
    package func endDelivery(_ delivery: DeliveryInProgress, bytesSent: Int64, isComplete: Bool) async throws {
        let now = clock()
        try await database.write { connection in
            try DeliveriesTable.end(
                delivery.id, bytesSent: bytesSent, isComplete: isComplete, at: now, delivery.scope, on: connection)
        }
    }

    /// Returns the deliveries of an app from an instant on, by their start.
    package func deliveries(
        _ scope: DeliveryScope, from: Instant, limit: Int = 1_000
    ) async throws -> [DeliveriesTable.Record] {
        try await database.read { connection in
            try DeliveriesTable.deliveries(scope, from: from, limit: limit, on: connection)
        }
    }
}
