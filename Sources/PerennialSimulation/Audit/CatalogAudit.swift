import Perennial
import PerennialConnect
import PerennialStore

/// Checks the catalog against the seller's own knowledge of it.
struct CatalogAudit: Sendable {
    /// Days from now whose prices are compared: beyond all that the seller schedules.
    private static let days: [Int64] = [0, 1, 2, 3, 8, 41, 400]
    private static let changesInPage = 1000

    let node: Node
    let seller: SellerModel
    let now: Instant

    /// - Parameter exports: True to check that the catalog can be exported, which takes as long as many steps.
    /// - Throws: ``Violation``.
    func check(exports: Bool) async throws {
        let (products, changes) = try await node.editor.read { reader in
            let ids = try [true, false].flatMap { try reader.productIDs(app: SimulatedCatalog.appleID, renewing: $0) }
            var changes: [CatalogChange] = []
            while true {
                let page = try reader.changes(
                    after: changes.last?.position ?? 0, limit: Self.changesInPage, app: nil)
                changes += page
                if page.count < Self.changesInPage { break }
            }
            return (try ids.compactMap { try reader.product($0) }, changes)
        }
        guard Set(products.map(\.id)) == Set(seller.products.keys) else {
            let difference = Set(products.map(\.id)).symmetricDifference(seller.products.keys).map(\.rawValue).sorted()
            throw Violation(.wrongCatalog, "the catalog has, or hasn't, what the seller made: \(difference)")
        }
        for product in products { try check(product) }
        try check(changes)
        if exports { try await checkExport() }
    }

    /// Checks that the catalog can be exported, and that the export imported again changes nothing.
    private func checkExport() async throws {
        do {
            let documents = try await node.editor.read { try $0.export(SimulatedCatalog.bundleID).map(\.document) }
            for document in documents {
                let catalog = try Catalog(document: Array(document.utf8), name: "export")
                let report = try await importer.preview(catalog)
                guard report.isEmpty else {
                    let apps = report.apps.map { app in
                        (app.isNew ? ["a new app \(app.bundleID)"] : []) + app.changes.map(\.description)
                            + app.conflicts.map(\.description) + app.contradictions.map(\.description)
                    }
                    throw Violation(
                        .wrongCatalog, "an export imported again would change \(apps.flatMap(\.self)): \(document)")
                }
            }
        } catch let error as CatalogError {
            throw Violation(.wrongCatalog, "the export can't be read: \(error)")
        }
    }

    private var importer: CatalogImporter { CatalogImporter(editor: node.editor, randomBytes: { _ in [] }) }

    private func check(_ product: CatalogProduct) throws(Violation) {
        guard let offered = seller.products[product.id] else { return }
        let timeline = PriceTimeline(product.product.priceList, default: SimulatedCatalog.storefronts[0])
        if product.product.isPriced || product.product.type == .free {
            for info in Storefront.all {
                try checkCoverage(timeline.intervals(in: info.storefront), of: product, in: info.storefront)
            }
        }
        for storefront in SimulatedCatalog.storefronts {
            guard product.product.isAvailable(in: storefront) == offered.storefronts.contains(storefront),
                product.product.isClearedForSale == offered.isForSale
            else {
                throw Violation(
                    .wrongCatalog, "\(product.id) is on sale in \(storefront), or isn't, against the seller")
            }
            for day in Self.days where product.product.type != .free {
                let instant = PacificDay(now).adding(day).end
                let (price, expected) = (
                    timeline.price(in: storefront, at: instant), offered.price(in: storefront, at: instant)
                )
                guard price == expected else {
                    throw Violation(
                        .wrongCatalog,
                        "\(product.id) costs \(price.map(\.description) ?? "nothing") in \(storefront) at "
                            + "\(instant.rfc3339()), but the seller has set "
                            + "\(expected.map(\.description) ?? "nothing")")
                }
            }
        }
    }

    /// Checks that a storefront's prices cover all time, each once.
    private func checkCoverage(
        _ intervals: [PriceInterval], of product: CatalogProduct, in storefront: Storefront
    ) throws(Violation) {
        // Where a subscription has no price of its own it isn't sold.
        guard !intervals.isEmpty else { return }
        let starts = intervals.map(\.start)
        guard starts.first == .some(nil), starts.dropFirst().allSatisfy({ $0 != nil }),
            Array(starts.dropFirst()) + [nil] == intervals.map(\.end),
            zip(starts.dropFirst(), starts.dropFirst(2)).allSatisfy({ one, next in
                one.flatMap { one in next.map { one < $0 } } ?? false
            })
        else {
            throw Violation(.wrongCatalog, "the prices of \(product.id) in \(storefront) have a gap or an overlap")
        }
    }

    private func check(_ changes: [CatalogChange]) throws(Violation) {
        guard changes.map(\.position) == (0..<changes.count).map({ Int64($0) + 1 }) else {
            throw Violation(.wrongCatalog, "the catalog's journal has a gap")
        }
        let created = changes.filter { $0.kind == .created && $0.subject == .product }.map(\.name)
        let deleted = changes.filter { $0.kind == .deleted }.map(\.name)
        let known = seller.products.keys.map(\.rawValue) + seller.deleted.map(\.rawValue)
        guard Set(created) == Set(known), created.count == known.count,
            Set(deleted) == Set(seller.deleted.map(\.rawValue))
        else {
            throw Violation(.wrongCatalog, "the catalog's journal has other products than the seller made")
        }
        let own = changes.filter { $0.actor == Deployment.seller }
        guard own.isEmpty || seller.edits > 0 else {
            throw Violation(.wrongCatalog, "the catalog's journal has edits that the seller didn't make")
        }
    }
}
