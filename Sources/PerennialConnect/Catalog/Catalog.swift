import AppStoreFormats
import Perennial

/// All apps of a store with their products, from `.storekit` files and YAML catalogs.
package struct Catalog: Sendable {
    package var apps: [App]
    /// The content of the seller's server.
    package var contents: [App.BundleID: [Content]]
    /// The shared secrets, 32 hexadecimal digits each, of the apps that have one in a file.
    package var sharedSecrets: [App.BundleID: String]
    /// The shares of commission and tax, of the apps that have them in a file.
    package var saleTerms: [App.BundleID: SaleTerms]
    /// The addresses for server notifications, of the apps that have one in a file.
    package var notifications: [App.BundleID: CatalogFile.Notifications]
    /// The subscription groups. Products have their IDs only.
    package var groups: [App.BundleID: [SubscriptionGroup]]
    /// The seller's side of products, of those that have one in a file.
    package var listings: [App.BundleID: [Product.ID: ProductListing]] = [:]
    /// The products whose files name no Apple ID.
    var withoutAppleID: [App.BundleID: Set<Product.ID>] = [:]
    /// The apps whose products come from `.storekit` files alone. An import keeps what such a file can't say.
    package var storeKitApps: Set<App.BundleID> = []
    /// The warnings: everything that was not understood or not applied, with its cure.
    package var warnings: [CatalogWarning]

    package init(
        apps: [App] = [], contents: [App.BundleID: [Content]] = [:], sharedSecrets: [App.BundleID: String] = [:],
        saleTerms: [App.BundleID: SaleTerms] = [:],
        notifications: [App.BundleID: CatalogFile.Notifications] = [:],
        groups: [App.BundleID: [SubscriptionGroup]] = [:], warnings: [CatalogWarning] = []
    ) {
        self.apps = apps
        self.contents = contents
        self.sharedSecrets = sharedSecrets
        self.saleTerms = saleTerms
        self.notifications = notifications
        self.groups = groups
        self.warnings = warnings
    }
}

/// A place in a file of the catalog.
package struct CatalogPlace: Hashable, Sendable, CustomStringConvertible {
    package enum Spot: Hashable, Sendable {
        case file
        /// A path such as `subscriptionGroups[0].subscriptions[2].displayPrice`.
        case path(String)
        case position(line: Int, column: Int)
    }

    package let file: String
    package let spot: Spot

    package var description: String {
        switch spot {
        case .file: file
        case .path(let path): path.isEmpty ? file : "\(file): \(path)"
        case .position(let line, let column): "\(file):\(line):\(column)"
        }
    }
}

/// A warning about a catalog that works.
package struct CatalogWarning: Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case unknownKey, newerFileVersion, typeAssumed
        case settingNotApplied, policyNotApplied, keyPairNotImported
        case offerNotApplied, offersDiffer, billingPlanNotApplied, imageNotApplied, groupMismatch, levelAssumed
        case storefrontUnknown, localeUnknown
        case priceMissing, nameMissing, termUnknown, termWithoutProduct
        case productRule, bundleIDUnused
    }

    package let code: Code
    package let place: CatalogPlace
    /// A message for people: the finding and its effect.
    package let message: String
    /// The line of YAML that cures it; `nil` if none does.
    package let remedy: String?

    package init(_ code: Code, at place: CatalogPlace, _ message: String, remedy: String? = nil) {
        self.code = code
        self.place = place
        self.message = message
        self.remedy = remedy
    }

    package var description: String {
        "\(place): \(message)" + (remedy.map { "; this line in a catalog cures it: \($0)" } ?? "")
    }
}

/// The reason why a catalog is refused.
package struct CatalogError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case unreadable
        case malformedStoreKitFile
        case malformedCatalogFile
        case incompleteProduct
        case typeConflict
        case invalidProduct
        case invalidContent
        case duplicateApp
        case bundleID
    }

    package let code: Code
    package let place: CatalogPlace
    package let reason: String

    package init(_ code: Code, at place: CatalogPlace, _ reason: String) {
        self.code = code
        self.place = place
        self.reason = reason
    }

    package var description: String { "\(place): \(reason)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
