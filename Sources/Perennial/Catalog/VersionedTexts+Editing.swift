/// The versions of App Store Connect's resource for a text: the first edits the product, the second a version of it.
package enum TextResourceVersion: Sendable {
    /// Edits the current draft and opens one if there is none. A localization keeps its ID in the new draft.
    case first
    /// Edits a version that must be a draft.
    case second
}

extension VersionedTexts {
    /// Adds a draft with the texts of the last version, which get IDs of their own.
    ///
    /// - Returns: The new version's ID.
    /// - Throws: ``CatalogEditError`` `.state` if there is a draft, or a version in review.
    @discardableResult
    package mutating func createVersion() throws -> String {
        var versions = textVersions
        let last = currentVersion
        guard last.state != .prepareForSubmission else {
            throw CatalogEditError(.state, "Version \(last.number) is a draft already: edit it, or submit it first.")
        }
        try refuseInFlight(last)
        let number = last.number + 1
        var texts = last.localizations
        for index in texts.indices { texts[index].id = localizationID(version: number, part: texts[index].locale) }
        let next = Version(
            number: number, id: versionID(number), state: .prepareForSubmission, localizations: texts)
        versions.append(next)
        store(versions)
        return next.id
    }

    /// Returns the index of the draft. Without one it adds a draft that takes over the last version's localizations with
    /// their IDs, so that clients of the first resource version find their localizations in it.
    ///
    /// - Throws: ``CatalogEditError`` `.stateInvalid` if the last version is in review.
    private func draftIndex(in versions: inout [Version]) throws -> Int {
        let index = versions.count - 1
        if versions[index].state == .prepareForSubmission { return index }
        try refuseInFlight(versions[index])
        let last = versions[index]
        let number = last.number + 1
        versions.append(
            Version(
                number: number, id: versionID(number), state: .prepareForSubmission,
                localizations: last.localizations))
        for text in last.localizations.indices {
            versions[index].localizations[text].id = unusedID(
                for: last.localizations[text].locale, last.number, versions)
        }
        return index + 1
    }

    private func refuseInFlight(_ version: Version) throws {
        guard version.state.isInFlight else { return }
        throw CatalogEditError(
            .stateInvalid,
            "Version \(version.number) is \(version.state.rawValue): its texts can't be edited until it is reviewed or withdrawn."
        )
    }

    private func unusedID(for locale: String, _ version: Int, _ versions: [Version]) -> String {
        let used = Set(versions.flatMap { $0.localizations.map(\.id) })
        var (attempt, id) = (0, localizationID(version: version, part: locale))
        while used.contains(id) {
            attempt += 1
            id = localizationID(version: version, part: "\(locale) \(attempt)")
        }
        return id
    }

    /// Adds a localization to a version, or to the current draft.
    ///
    /// - Parameters:
    ///   - version: The version's ID; `nil` for the current draft, which is opened if there is none.
    ///   - make: Creates the localization with an ID.
    /// - Returns: The localization's ID.
    /// - Throws: ``CatalogEditError`` `.invalid` for a locale or a text, `.duplicate` for a locale that the version has,
    ///   `.stateInvalid` if the version isn't a draft, `.relationshipInvalid` for an unknown version.
    package mutating func addLocalization(
        toVersion version: String? = nil, locale: String, _ make: (_ id: String) -> Version.Text
    ) throws -> String {
        guard AppStoreLocale.isKnown(locale) else {
            throw CatalogEditError(
                .invalid, at: .attribute("locale"), "The locale '\(locale)' is not one of App Store Connect's.")
        }
        var versions = textVersions
        let index: Int
        if let version {
            guard let found = versions.firstIndex(where: { $0.id == version }) else {
                throw CatalogEditError(
                    .relationshipInvalid, at: .relationship("version"), "There is no version with id '\(version)'.")
            }
            try requireDraft(versions[found])
            index = found
        } else {
            index = try draftIndex(in: &versions)
        }
        let key = AppStoreLocale.connect(locale)
        guard !versions[index].localizations.contains(where: { AppStoreLocale.connect($0.locale) == key }) else {
            throw CatalogEditError(
                .duplicate, at: .attribute("locale"), "There is a localization for the locale '\(locale)' already.")
        }
        let text = make(unusedID(for: locale, versions[index].number, versions))
        try Self.check(text)
        versions[index].localizations.append(text)
        store(versions)
        return text.id
    }

    /// Changes a localization.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound`, `.stateInvalid` if its version can't be edited, or `.invalid`.
    package mutating func updateLocalization(
        _ id: String, _ resource: TextResourceVersion, _ change: (inout Version.Text) -> Void
    ) throws {
        try edit(id, resource) { texts, index in
            change(&texts[index])
            try Self.check(texts[index])
        }
    }

    /// Deletes a localization.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound`, or `.stateInvalid` if its version can't be edited, or if it is the last
    ///   of texts that have been approved.
    package mutating func deleteLocalization(_ id: String, _ resource: TextResourceVersion) throws {
        let wasApproved = approvedVersion != nil
        try edit(id, resource) { texts, index in
            if wasApproved, texts.count == 1 {
                throw CatalogEditError(.stateInvalid, "The last localization can't be deleted after an approval.")
            }
            texts.remove(at: index)
        }
    }

    private mutating func edit(
        _ id: String, _ resource: TextResourceVersion, _ change: (inout [Version.Text], Int) throws -> Void
    ) throws {
        guard let found = localization(id) else {
            throw CatalogEditError(.notFound, "There is no localization with id '\(id)'.")
        }
        var versions = textVersions
        switch resource {
        case .second: try requireDraft(found.version)
        case .first where found.version.id != currentVersion.id: try requireDraft(found.version)
        case .first: _ = try draftIndex(in: &versions)
        }
        let last = versions.count - 1
        guard let index = versions[last].localizations.firstIndex(where: { $0.id == id }) else {
            throw CatalogEditError(.notFound, "There is no localization with id '\(id)'.")
        }
        try change(&versions[last].localizations, index)
        store(versions)
    }

    private func requireDraft(_ version: Version) throws {
        guard version.state == .prepareForSubmission else {
            throw CatalogEditError(
                .stateInvalid,
                "Version \(version.number) is \(version.state.rawValue): only one in PREPARE_FOR_SUBMISSION can be edited."
            )
        }
    }
}
