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
