/// A group of auto-renewable subscriptions, of which a customer has one at a time.
package struct SubscriptionGroup: Hashable, Sendable, Codable {
    /// The group's ID, as in ``Product/Subscription/groupID``.
    package var id: String
    package var referenceName: String
    /// The versions of the reviewable texts, oldest first.
    package var versions: [GroupVersion]
    /// Raised with every change, so that the second of two concurrent edits is refused. 0 before the first write.
    package var revision: Int64

    package init(id: String, referenceName: String, versions: [GroupVersion] = [], revision: Int64 = 0) {
        self.id = id
        self.referenceName = referenceName
        self.versions = versions
        self.revision = revision
    }
}

/// A version of a group's reviewable texts.
package struct GroupVersion: Hashable, Sendable, Codable {
    /// Counted from 1.
    package var number: Int
    /// A UUID in lower case.
    package var id: String
    package var state: MetadataVersion.State
    package var localizations: [GroupLocalization]

    package init(
        number: Int, id: String, state: MetadataVersion.State, localizations: [GroupLocalization] = []
    ) {
        self.number = number
        self.id = id
        self.state = state
        self.localizations = localizations
    }
}

/// The name of a group in a language.
package struct GroupLocalization: Hashable, Sendable, Codable {
    /// A UUID in lower case.
    package var id: String
    /// App Store Connect's code of the language, such as `en-US` or `de-DE`.
    package var locale: String
    package var name: String
    /// The app's name above the group's; `nil` for the app's own.
    package var customAppName: String?

    package init(id: String, locale: String, name: String, customAppName: String? = nil) {
        self.id = id
        self.locale = locale
        self.name = name
        self.customAppName = customAppName
    }
}

extension SubscriptionGroup {
    /// Creates a group with one approved version, whose texts come from a file.
    package init(id: String, referenceName: String, localizations: [Product.Localization]) {
        let version = GroupVersion(
            number: 1, id: CatalogUUID(.groupVersion, group: id, version: 1).text, state: .approved,
            localizations: localizations.map {
                GroupLocalization(
                    id: CatalogUUID(.groupLocalization, group: id, version: 1, part: $0.locale).text,
                    locale: AppStoreLocale.connect($0.locale), name: $0.displayName)
            })
        self.init(id: id, referenceName: referenceName, versions: localizations.isEmpty ? [] : [version])
    }
}
