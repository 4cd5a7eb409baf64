import HTTPTypes
import Hummingbird
import Perennial
import PerennialConnect
import PerennialStore

extension HTTPField.Name {
    /// The user at the command line, whom the catalog's journal names.
    package static let perennialUser = Self("Perennial-User")!
}

extension Request {
    private static let maximumUserLength = 64

    /// The author of a change that a bearer of the control token makes.
    var catalogActor: CatalogActor {
        let user = String((headers[.perennialUser] ?? "").filter { !$0.isNewline }.prefix(Self.maximumUserLength))
        return user.isEmpty ? .control : .commandLine(user)
    }
}

extension CatalogReader {
    /// Returns an app by its bundle ID, without its products.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func found(_ bundleID: App.BundleID) throws -> App {
        guard let app = try apps().first(where: { $0.bundleID == bundleID }) else {
            throw StoreError(.appNotFound, bundleID.rawValue, "this store has no app with that bundle ID")
        }
        return app
    }

    /// Returns a product of an app.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`, ``CatalogEditError`` `.notFound`.
    package func found(_ product: Product.ID, of bundleID: App.BundleID) throws -> CatalogProduct {
        guard let found = try self.product(product, app: try found(bundleID).appleID) else {
            throw CatalogEditError(.notFound, "The app has no product '\(product)'.")
        }
        return found
    }

    /// Finds a subscription group by its ID or its reference name.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`, ``CatalogEditError`` `.notFound`.
    package func found(group name: String, of bundleID: App.BundleID) throws -> FoundGroup {
        let app = try found(bundleID).appleID
        if let key = try groupKey(name, app: app), let found = try group(key) {
            return FoundGroup(key: key, group: found.group)
        }
        for key in try groupIDs(app: app) {
            if let found = try group(key)?.group, found.referenceName == name || key == name {
                return FoundGroup(key: key, group: found)
            }
        }
        throw CatalogEditError(.notFound, at: .relationship("group"), "The app has no subscription group '\(name)'.")
    }
}

extension QueryParameter {
    /// The revision that the sender of a deletion has read.
    static let revision = QueryParameter("revision", CatalogFields.revision, type: "integer")
}

extension Call {
    /// Returns the revision in the query; `nil` without one.
    ///
    /// - Throws: ``APIError`` `malformedRequest`.
    func expectedRevision() throws -> Int64? {
        guard let text = query(.revision) else { return nil }
        guard let revision = Int64(text), revision >= 0 else {
            throw APIError(.badRequest, "malformedRequest", "revision is a whole number from 0", field: "revision")
        }
        return revision
    }
}

/// A subscription group with its key: the ID, unless another app has a group with the ID.
package struct FoundGroup: Sendable {
    package let key: String
    package let group: SubscriptionGroup
}

/// Fields of requests about the catalog.
enum CatalogFields {
    static let productID = Constraint.pattern(
        "^[0-9A-Za-z][0-9A-Za-z._-]{0,\(ProductValidation.maximumIdentifierLength - 1)}$")
    static let locale = Constraint.pattern("^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,2}$", "Such as en-US")
    static let name = Constraint.pattern(#"^[^\u0000\u202A-\u202E\u2066-\u2069]{1,75}$"#)

    static let taxCategory = Constraint.pattern(
        #"^[^\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]{0,\#(ListingLimits.taxCategory.upperBound)}$"#,
        "An empty one removes it")
    static let revision = Constraint.range(0...Int64.max).and(
        .described("The revision that was read: a change of a later one is refused"))

    /// A text in a language.
    struct Text: Model, Codable {
        var locale: String
        /// Required for a new locale.
        var name: String?
        var description: String?

        static let constraints: [String: Constraint] = ["locale": CatalogFields.locale, "name": CatalogFields.name]

        init(locale: String, name: String, description: String? = nil) {
            (self.locale, self.name, self.description) = (locale, name, description)
        }
    }

    /// - Throws: ``APIError`` `malformedRequest`.
    static func period(_ text: String, field: String) throws -> Period {
        guard let period = Period(iso8601: text) else {
            throw APIError(
                .badRequest, "malformedRequest", "\(field) is a duration such as P1M or P1Y", field: field)
        }
        return period
    }

    static func storefronts(_ codes: [String]) -> [Storefront] { codes.map(Storefront.init(rawValue:)) }

    /// - Throws: ``APIError`` `malformedRequest`.
    static func day(_ text: String, field: String) throws -> PacificDay {
        guard let day = PacificDay(text) else {
            throw APIError(.badRequest, "malformedRequest", "\(field) is a day such as 2027-01-31", field: field)
        }
        return day
    }
}
