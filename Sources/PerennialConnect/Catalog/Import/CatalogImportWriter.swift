import AppStoreFormats
import BaseEncoding
import Perennial
import PerennialStorage

/// Writes the plan of an import to a draft.
struct CatalogImportWriter {
    let plan: CatalogImportPlan
    /// The app in the files.
    let app: App
    /// Makes the bytes of a new shared secret.
    let secret: () -> [UInt8]

    func write(to draft: CatalogDraft, _ report: inout CatalogImportReport) throws {
        let number: Int64
        if plan.isChanged {
            let built = try build()
            number = try writeApp(built.app, to: draft)
            try writeGroups(built.groups, of: number, to: draft)
            try writeProducts(built, of: number, to: draft)
            try deleteGroups(of: number, from: draft)
            try draft.listImportedPromotions(app: number)
            try draft.submitImported(built.app.products.map(\.id), groups: built.groups.map(\.id), app: number)
            report.notifications[plan.bundleID] = changedReceivers(built.notifications)
        } else {
            guard let known = plan.appleID else { return }
            number = known
        }
        try plan.file.record(app: number, replacing: plan.recorded, on: draft.connection)
    }

    /// Reads the app and the changed groups and products of the plan as a file would be read.
    private func build() throws -> AppBuilder {
        var tree = plan.merged
        tree.products = tree.products.filter { plan.store.products[$0.key] != $0.value }
        tree.groups = tree.groups.filter { plan.store.groups[$0.key] != $0.value }
        let place = CatalogPlace(file: "the merged catalog of \(plan.bundleID)", spot: .file)
        do {
            let file = try CatalogFile(tree.file(appleID: plan.appleID ?? app.appleID))
            var builder = AppBuilder(bundleID: plan.bundleID, place: place)
            for entry in file.apps { try builder.merge(with: entry, file: place.file) }
            builder.app.saleTerms = builder.saleTerms ?? .standard
            try builder.finish()
            return builder
        } catch let error as CatalogFileError {
            throw CatalogError(.malformedCatalogFile, at: place, error.reason)
        }
    }

    /// - Returns: The app's Apple ID.
    private func writeApp(_ built: App, to draft: CatalogDraft) throws -> Int64 {
        let known = try draft.registered(plan.bundleID)
        var app = built
        if known == nil { app.appleID = self.app.appleID }
        app.appleID = try draft.number(for: app, known)
        let secret =
            plan.merged.app["sharedSecret"]?.scalar ?? known?.sharedSecret ?? Hexadecimal.encode(self.secret())
        if known?.sharedSecret != secret {
            try draft.put(app, sharedSecret: secret)
        } else {
            try draft.update(app: app.appleID) { $0.takeCatalogFields(of: app) }
        }
        return app.appleID
    }

    private func writeGroups(_ groups: [SubscriptionGroup], of app: Int64, to draft: CatalogDraft) throws {
        var missing = Set(plan.merged.products.values.compactMap { $0["subscription"]?["group"]?.scalar })
        for group in groups {
            missing.remove(group.id)
            if let key = try draft.groupKey(group.id, app: app) {
                try draft.update(group: key) { ($0.referenceName, $0.versions) = (group.referenceName, group.versions) }
            } else {
                try draft.insert(group, app: app)
            }
        }
        for id in missing.sorted() where try draft.groupKey(id, app: app) == nil {
            try draft.insert(SubscriptionGroup(id: id, referenceName: id), app: app)
        }
    }

    private func writeProducts(_ built: AppBuilder, of app: Int64, to draft: CatalogDraft) throws {
        if plan.merged.products.count > plan.store.products.count {
            try ListingLimits.check(productCount: plan.merged.products.count)
        }
        for product in built.app.products {
            var new = CatalogProduct(product, listing: built.listings[product.id] ?? ProductListing())
            let known = try draft.number(of: product.id, app: app)
            // The product may have another number here than in the file, whose parts' UUIDs name the file's.
            new.product.appleID = try known?.id ?? draft.freeNumber(product.appleID, app: app)
            new.identifyParts()
            if let known, known.isDeleted {
                try draft.revive(new, app: app)
            } else if let known {
                try draft.update(known.id) { $0.takeCatalogFields(of: new.product, new.listing) }
            } else {
                try draft.insert(new, app: app)
            }
        }
        for id in plan.store.productIDs where plan.merged.products[id] == nil {
            if let number = plan.store.appleIDs[id] { try draft.delete(number) }
        }
    }

    /// Deletes the groups that the files don't have any more, and gives those with products their default names.
    private func deleteGroups(of app: Int64, from draft: CatalogDraft) throws {
        for id in plan.store.groups.keys.sorted() where plan.merged.groups[id] == nil {
            guard let key = try draft.groupKey(id, app: app) else { continue }
            if try draft.productIDs(group: key).isEmpty {
                try draft.delete(group: key)
            } else {
                try draft.update(group: key) { ($0.referenceName, $0.versions) = (id, []) }
            }
        }
    }

    private func changedReceivers(_ receivers: CatalogFile.Notifications?) -> CatalogFile.Notifications? {
        guard var changed = receivers else { return nil }
        let (before, after) = (plan.store.app["notifications"], plan.merged.app["notifications"])
        if before?["production"] == after?["production"] { changed.production = nil }
        if before?["sandbox"] == after?["sandbox"] { changed.sandbox = nil }
        return changed.production == nil && changed.sandbox == nil ? nil : changed
    }
}

extension App {
    /// Takes over what a catalog file says about an app.
    fileprivate mutating func takeCatalogFields(of other: App) {
        (name, version, isNewsstand) = (other.name, other.version, other.isNewsstand)
        (defaultStorefront, defaultLocale) = (other.defaultStorefront, other.defaultLocale)
        (nonRenewing, saleTerms, billing) = (other.nonRenewing, other.saleTerms, other.billing)
        (price, reporting) = (other.price, other.reporting)
        (availability, listing) = (other.availability, other.listing)
    }
}

extension CatalogProduct {
    /// Takes over what a catalog file says about a product.
    fileprivate mutating func takeCatalogFields(of other: Product, _ listing: ProductListing) {
        var (other, listing) = (other, listing)
        other.appleID = product.appleID
        if other.localizations != product.localizations, listing.versions == self.listing.versions {
            listing.takeTexts(of: other.localizations)
        }
        (product, self.listing) = (other, listing)
    }
}

extension ProductListing {
    /// Gives the approved version, or the newest one if none is approved, the texts of a file.
    fileprivate mutating func takeTexts(of localizations: [Product.Localization]) {
        let approved = versions.lastIndex { $0.state == .approved }
        guard let index = approved ?? versions.indices.last else { return }
        let version = versions[index]
        versions[index].localizations = localizations.map { text in
            let locale = text.locale.replacing("_", with: "-")
            let known = version.localizations.first { $0.locale == locale }
            return ListingLocalization(
                id: known?.id ?? DerivedUUID.make("\(version.id) \(locale)"), locale: locale, name: text.displayName,
                description: text.description.isEmpty ? nil : text.description)
        }
    }
}
