import Perennial
import PerennialStorage

/// The batches of offer codes, and submissions that wait for a review: rows that belong to the catalog's resources.
extension CatalogReader {
    /// Returns a batch of codes; `nil` if there is none with that number.
    package func codeBatch(_ number: Int64) throws -> OfferCodeBatchesTable.Record? {
        try OfferCodeBatchesTable.batch(number, on: connection)
    }

    /// Returns the batches of an offer, oldest first.
    ///
    /// - Parameter product: The Apple ID of the offer's product.
    package func codeBatches(ofOffer offer: String, product: Int64) throws -> [OfferCodeBatchesTable.Record] {
        try OfferCodeBatchesTable.batches(ofOffer: offer, product: product, on: connection)
    }

    /// Returns a page of an offer's batches of an environment, newest first.
    ///
    /// - Parameter number: Of the last batch of the page before; `nil` for the first page.
    /// - Returns: The batches, and the number before which the next page begins; `nil` on the last.
    package func codeBatches(
        ofOffer offer: String, product: Int64, in environment: StoreEnvironment.ID, before number: Int64?, limit: Int
    ) throws -> (batches: [OfferCodeBatchesTable.Record], next: Int64?) {
        let found = try OfferCodeBatchesTable.newest(
            ofOffer: offer, product: product, before: number ?? .max, limit: limit + 1, environment, on: connection)
        let shown = Array(found.prefix(limit))
        return (shown, found.count > limit ? shown.last?.id : nil)
    }

    /// Returns the codes of a batch in alphabetical order.
    package func codes(ofBatch number: Int64) throws -> [String] {
        try OfferCodeBatchesTable.codes(of: number, on: connection)
    }

    /// Returns the first code of a batch; `nil` if it has none.
    package func firstCode(ofBatch number: Int64) throws -> String? {
        try OfferCodeBatchesTable.firstCode(of: number, on: connection)
    }

    /// Returns the submissions whose review hasn't ended, oldest first.
    package func openSubmissions(limit: Int) throws -> [ReviewSubmission] {
        try ReviewSubmissionsTable.open(limit: limit, on: connection)
    }

    /// Returns an app's submissions after a number whose review hasn't ended, oldest first.
    ///
    /// A page reads no more than `maximumRead` submissions of all apps: if few of them are the app's, it is shorter than its
    /// limit and has a number from which to go on.
    ///
    /// - Returns: The submissions, and the number after which the next page begins; `nil` on the last.
    package func openSubmissions(
        app: Int64, after number: Int64, limit: Int, maximumRead: Int = 2_000
    ) throws -> (submissions: [ReviewSubmission], next: Int64?) {
        let places = try ReviewSubmissionsTable.openPlaces(after: number, limit: maximumRead, on: connection)
        let own = places.filter { $0.app == app }.map(\.number)
        let found = try own.prefix(limit).compactMap {
            try ReviewSubmissionsTable.submission(number: $0, app: app, on: connection)
        }
        let isRead = places.count < maximumRead
        return (found, own.count > limit ? own[limit - 1] : isRead ? nil : places.last?.number)
    }
}

extension CatalogDraft {
    /// Deactivates the codes of a batch for good.
    package func deactivateCodeBatch(_ number: Int64) throws {
        try OfferCodeBatchesTable.deactivate(number, by: actor.description, on: connection)
    }

    /// Deactivates the batch that a code was made with, for good.
    ///
    /// - Parameter code: One of a batch's codes, in capitals.
    /// - Throws: ``CatalogEditError`` `.notFound`.
    package func deactivateCodes(with code: String, app: Int64, in environment: StoreEnvironment.ID) throws {
        let found = try OfferCodesTable.lock(code, app: app, environment, on: connection)
        guard let batch = found?.batch else {
            throw CatalogEditError(.notFound, "The app has no batch with the code '\(code)' in this environment.")
        }
        try deactivateCodeBatch(batch)
    }
}
