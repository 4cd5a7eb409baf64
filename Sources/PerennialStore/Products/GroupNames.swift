import Perennial
import PerennialStorage

/// The names of an app's subscription groups in a customer's language, each read once.
struct GroupNames {
    let app: App
    /// A BCP 47 tag, or a locale's identifier.
    let language: String?
    private var known: [String: String?] = [:]

    init(app: App, language: String?) {
        (self.app, self.language) = (app, language)
    }

    /// Returns the name in the customer's language, else in the app's main language, else the reference name.
    mutating func name(of group: String, on connection: any Connection) throws -> String? {
        if let name = known[group] { return name }
        let name = try read(group, on: connection)
        known[group] = .some(name)
        return name
    }

    private func read(_ id: String, on connection: any Connection) throws -> String? {
        guard let key = try SubscriptionGroupsTable.key(of: id, app: app.appleID, on: connection),
            let record = try SubscriptionGroupsTable.record(key: key, on: connection)
        else { return nil }
        let group = try CatalogDocument.decode(SubscriptionGroup.self, from: record.definition)
        // In environments for tests groups needn't be approved: then the newest texts.
        let version = group.versions.last { $0.state == .approved } ?? group.versions.last
        let texts = (version?.localizations ?? []).map {
            Product.Localization(locale: AppStoreLocale.catalog($0.locale), displayName: $0.name, description: "")
        }
        let text = Product.localization(for: language, default: app.defaultLocale, among: texts)
        return text?.displayName ?? group.referenceName
    }
}
