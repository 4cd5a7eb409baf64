import Foundation
import OpenStoreKit
import Perennial

extension SKTestSession {
    /// Client of the session's content server, for apps that download what they sell; an addition to StoreKitTest.
    ///
    /// The server delivers what ``setContent(_:of:file:filename:version:published:)`` has set. It verifies receipts with the
    /// session's store.
    public var contentServer: DeliveryClient { core.contentServer }

    /// Sets a file that purchases of products open; an addition to StoreKitTest.
    ///
    /// A file of a subscription is opened by a paid period that has its date of publication, or without a date by a running
    /// period; a file of another product by its purchase. A later call with the same ID is a new version of the file.
    ///
    /// - Parameters:
    ///   - contentIdentifier: ID of the content.
    ///   - productIdentifiers: Products that open it, each of which is enough.
    ///   - file: Bytes of the file.
    ///   - filename: Name of the file on the device; the ID of the content without one.
    ///   - version: Version of the content.
    ///   - published: Date of publication, for content of a subscription.
    /// - Throws: ``SKTestError`` `.invalidAction` for a product that the configuration doesn't have.
    public func setContent(
        _ contentIdentifier: String, of productIdentifiers: [String], file: Data, filename: String? = nil,
        version: String = "1.0", published: Date? = nil
    ) throws {
        let core = core
        let products = try productIdentifiers.map { id in
            guard let product = core.configuration.app.products.first(where: { $0.id.rawValue == id }) else {
                throw SKTestError(.invalidAction, "\(id): the configuration has no such product")
            }
            return product
        }
        let content = Content(
            id: Content.ID(rawValue: contentIdentifier),
            unlockedBy: products.filter { $0.type != .autoRenewable }.map(\.id), version: version,
            file: core.content.makeFileName(), filename: filename ?? contentIdentifier,
            published: published.map { Instant($0) },
            includedIn: products.filter { $0.type == .autoRenewable }.map(\.id))
        try core.content.put(file, content)
    }
}
