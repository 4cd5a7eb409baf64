import Perennial
import PerennialStorage

/// The rows beside products and groups that follow from what an imported file says about them.
extension CatalogDraft {
    /// Puts the promotions of an app's products among its promoted purchases, by their positions.
    ///
    /// - Throws: ``CatalogEditError`` `.limit`.
    func listImportedPromotions(app: Int64) throws {
        let known = try promotedProducts(app: app)
        let promoted = try products(try productIDs(app: app, renewing: nil)).compactMap { product in
            product.listing.promotion.map { (product: product.appleID, position: $0.position) }
        }
        guard promoted.count <= Self.maximumPromotedPurchases else {
            throw CatalogEditError(
                .limit, at: .relationship("app"),
                "An app has \(Self.maximumPromotedPurchases) promoted purchases at most")
        }
        let places = Dictionary(known.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        let ordered = promoted.sorted { one, other in
            let (place, otherPlace) = (places[one.product] ?? known.count, places[other.product] ?? known.count)
            return (one.position, place, one.product) < (other.position, otherPlace, other.product)
        }.map(\.product)
        if ordered != known { try PromotedPurchasesTable.replace(ordered, app: app, on: connection) }
    }

    /// Submits the products and groups that a file says to be in review. Files have no submissions, and without one a
    /// version could be neither reviewed nor withdrawn.
    ///
    /// - Parameters:
    ///   - products: By product ID; those that the file has changed.
    ///   - groups: By ID; those that the file has changed.
    func submitImported(_ products: [Product.ID], groups: [String], app: Int64) throws {
        var subjects: [(subject: ReviewSubmission.Subject, state: MetadataVersion.State)] = []
        for id in products {
            guard let product = try product(id, app: app) else { continue }
            let version = product.currentVersion
            subjects.append((.product(product.appleID, version: version.id), version.state))
        }
        for id in groups {
            guard let key = try groupKey(id, app: app), let version = try group(key)?.group.currentVersion else {
                continue
            }
            subjects.append((.group(key, version: version.id), version.state))
        }
        let submitted = subjects.filter { [.waitingForReview, .inReview, .accepted].contains($0.state) }
        guard !submitted.isEmpty else { return }
        let open = try ReviewSubmissionsTable.submissions(app: app, on: connection).filter(\.isOpen).flatMap(\.items)
        for (subject, state) in submitted
        where !open.contains(where: { $0.isUnderReview && $0.subject.hasSameOwner(as: subject) }) {
            var submission = try insert(app: app, platform: nil)
            _ = try submission.add(subject)
            _ = try submission.submit(by: actor, at: at)
            if state != .waitingForReview { _ = try submission.start() }
            // The number stays that of the creation.
            try ReviewSubmissionsTable.upsert(submission, number: 0, on: connection)
        }
    }
}
