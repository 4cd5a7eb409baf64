extension CatalogProduct: VersionedTexts {
    /// The versions of the texts. A product that was imported, and not edited since, has one with the texts it is sold with.
    package var textVersions: [MetadataVersion] {
        guard listing.versions.isEmpty else { return listing.versions }
        var used: Set<String> = []
        let texts = product.localizations.map { text in
            let connect = AppStoreLocale.connect(text.locale)
            let locale = used.insert(connect).inserted ? connect : text.locale.replacing("_", with: "-")
            return ListingLocalization(
                id: localizationID(version: 1, part: text.locale), locale: locale, name: text.displayName,
                description: text.description.isEmpty ? nil : text.description)
        }
        return [MetadataVersion(number: 1, id: versionID(1), state: product.state.ofVersion, localizations: texts)]
    }

    /// Stores versions. The product is sold with the texts of the approved one, before the first approval with those of
    /// the draft, as Sandbox shows them.
    package mutating func store(_ versions: [MetadataVersion]) {
        listing.versions = versions
        let sold = versions.last { $0.state == .approved } ?? versions[versions.count - 1]
        let forms = Dictionary(product.localizations.map { (AppStoreLocale.connect($0.locale), $0.locale) }) {
            first, _ in first
        }
        product.localizations = sold.localizations.map {
            Product.Localization(
                locale: forms[$0.locale] ?? AppStoreLocale.catalog($0.locale), displayName: $0.name,
                description: $0.description ?? "")
        }
    }

    package func versionID(_ number: Int) -> String {
        CatalogUUID(.version, owner: appleID, version: number).text
    }

    package func localizationID(version: Int, part: String) -> String {
        CatalogUUID(.localization, owner: appleID, version: version, part: part).text
    }

    /// Gives the parts the UUIDs of the product's own number. After an import with another number they are those of the
    /// product that has the number of the file.
    package mutating func identifyParts() {
        let number = appleID
        func own(_ id: String, _ kinds: CatalogUUID.Kind...) -> String {
            guard let uuid = CatalogUUID(id), kinds.contains(uuid.kind) else { return id }
            return uuid.moved(toProduct: number).text
        }
        listing.versions = listing.versions.map { version in
            var version = version
            version.id = own(version.id, .version)
            for index in version.localizations.indices {
                version.localizations[index].id = own(version.localizations[index].id, .localization)
            }
            return version
        }
        if let id = listing.screenshot?.id { listing.screenshot?.id = own(id, .screenshot) }
        for index in listing.images.indices { listing.images[index].id = own(listing.images[index].id, .image) }
        if let id = listing.promotion?.id { listing.promotion?.id = own(id, .other) }
    }

    package static func check(_ text: ListingLocalization) throws {
        try ListingLimits.check(text.name, ListingLimits.displayName, "name")
        try ListingLimits.check(text.description ?? "", ListingLimits.description, "description")
    }

    /// Replaces the texts that customers see, as an import of a file does. Stored versions follow: the approved one, or
    /// the current one before the first approval. Localizations of the same locale keep their IDs.
    package mutating func replaceLocalizations(_ texts: [Product.Localization]) {
        defer { product.localizations = texts }
        guard !listing.versions.isEmpty else { return }
        var versions = listing.versions
        let index = versions.lastIndex { $0.state == .approved } ?? versions.count - 1
        let known = Dictionary(versions[index].localizations.map { ($0.locale, $0.id) }) { first, _ in first }
        versions[index].localizations = texts.map { text in
            let locale = AppStoreLocale.connect(text.locale)
            return ListingLocalization(
                id: known[locale] ?? localizationID(version: versions[index].number, part: text.locale),
                locale: locale, name: text.displayName,
                description: text.description.isEmpty ? nil : text.description)
        }
        listing.versions = versions
    }
}

extension Product.State {
    /// The state of the texts of a product without stored versions.
    var ofVersion: MetadataVersion.State {
        switch self {
        case .readyToSubmit: .prepareForSubmission
        case .waitingForReview: .waitingForReview
        case .inReview: .inReview
        case .developerActionNeeded, .rejected: .rejected
        case .approved, .removedFromSale: .approved
        }
    }
}

extension SubscriptionGroup: VersionedTexts {
    /// The versions of the names. A group that was never named has an empty draft.
    package var textVersions: [GroupVersion] {
        versions.isEmpty ? [GroupVersion(number: 1, id: versionID(1), state: .prepareForSubmission)] : versions
    }

    package mutating func store(_ versions: [GroupVersion]) { self.versions = versions }

    package func versionID(_ number: Int) -> String { uuid(.groupVersion, number, "") }

    package func localizationID(version: Int, part: String) -> String { uuid(.groupLocalization, version, part) }

    /// Returns the UUID of a part. New parts have the owner of those that are stored.
    private func uuid(_ kind: CatalogUUID.Kind, _ version: Int, _ part: String) -> String {
        let own = CatalogUUID(kind, group: id, version: version, part: part)
        guard let stored = versions.first.flatMap({ CatalogUUID($0.id) }) else { return own.text }
        let isNamed = stored.kind == .namedGroupVersion
        return CatalogUUID(isNamed ? kind.ofNamedGroup : kind, owner: stored.owner, version: version, part: part).text
    }

    /// Gives the parts the UUIDs of a key, which the group has in place of its ID if a group of another app has that.
    package mutating func identifyParts(by key: String) {
        let isIdentified = versions.first.flatMap { CatalogUUID($0.id) }?.isPart(ofGroup: key) ?? (key == id)
        guard !isIdentified else { return }
        func moved(_ id: String) -> String { CatalogUUID(id)?.moved(toGroup: key).text ?? id }
        versions = textVersions.map { version in
            GroupVersion(
                number: version.number, id: moved(version.id), state: version.state,
                localizations: version.localizations.map { text in
                    var text = text
                    text.id = moved(text.id)
                    return text
                })
        }
    }

    package static func check(_ text: GroupLocalization) throws {
        try ListingLimits.check(text.name, ListingLimits.groupDisplayName, "name")
        try ListingLimits.check(text.customAppName ?? "", ListingLimits.customAppName, "customAppName")
    }

    /// Changes the name in the seller's lists.
    ///
    /// - Throws: ``CatalogEditError`` `.required` or `.invalid`.
    package mutating func rename(_ name: String) throws {
        try ListingLimits.check(name, ListingLimits.referenceName, "referenceName")
        referenceName = name
    }
}
