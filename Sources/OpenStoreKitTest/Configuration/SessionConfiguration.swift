import AppStoreFormats
import Crypto
import Foundation
import Perennial
import PerennialConnect

/// A configuration file as an app of a store, with the settings of its sessions.
struct SessionConfiguration: Sendable {
    let app: App
    let groups: [SubscriptionGroup]
    let settings: Settings
    /// Key of the file with which promotional offers are signed locally.
    let offerKey: OfferKey?
    /// Path of the file, for errors.
    let path: String
    /// Equal for files with the same content.
    let digest: [UInt8]
    /// Parts of the file that the session doesn't apply.
    let warnings: [String]

    var bundleID: App.BundleID { app.bundleID }

    /// Properties of a session that the file sets.
    struct Settings: Sendable {
        var storefront: String
        var locale: Locale
        var timeRate = SKTestSession.TimeRate.realTime
        var asksToBuy = false
        var interruptsPurchases = false
        var failsTransactions = false
        var failsRenewals = false
        var hasGracePeriod = false
        var disablesDialogs = false
        var simulatedErrors = ConfiguredFailures()
    }

    struct OfferKey: Sendable {
        var id: String
        /// PKCS#8 in base64.
        var privateKey: String
    }

    /// Reads a file.
    ///
    /// - Parameter bundleID: Bundle ID of the app; by default that of `PERENNIAL_BUNDLE_ID` or of the main bundle, or one from the
    ///   file's name.
    /// - Throws: ``SKTestError`` with file and place.
    init(contentsOf url: URL, bundleID: String?) throws {
        guard url.isFileURL else {
            throw SKTestError(.invalidURL, "\(url.absoluteString): a configuration file has a URL of the file system")
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw SKTestError(.fileNotFound, "\(url.path): no such file")
        }
        guard !isFolder.boolValue else { throw SKTestError(.invalidURL, "\(url.path): a folder, not a file") }
        do {
            let bytes = [UInt8](try Data(contentsOf: url))
            // The loader says file and place of an error.
            // Xcode tells offers apart by their internal IDs: files in use repeat an offer ID. All are listed, and the first one of
            // the ID is sold.
            let catalog = try CatalogLoader.load(
                storekit: [url.path], catalog: [], bundleID: bundleID ?? Self.processBundleID,
                tolerating: [.duplicateOfferID], appliesWinBackEligibility: true)
            guard let app = catalog.apps.first else {
                throw SKTestError(.invalidURL, "\(url.path): no app in this file")
            }
            let file = try StoreKitFile(parsing: bytes)
            self.app = app
            groups = catalog.groups[app.bundleID] ?? []
            settings = Settings(file.settings, app)
            offerKey = OfferKey(file.subscriptionOffersKeyPair)
            path = url.path
            digest = Array(SHA256.hash(data: bytes))
            warnings = catalog.warnings.map(\.description)
        } catch {
            throw SKTestError(of: error)
        }
    }

    private static var processBundleID: String? {
        if let named = ProcessInfo.processInfo.environment["PERENNIAL_BUNDLE_ID"], !named.isEmpty { return named }
        guard let own = Bundle.main.bundleIdentifier, ProductValidation.isWellFormed(identifier: own) else {
            return nil
        }
        return own
    }
}

extension SessionConfiguration.Settings {
    init(_ settings: StoreKitFile.Settings?, _ app: App) {
        storefront = app.defaultStorefront.rawValue
        locale = Locale(identifier: app.defaultLocale)
        guard let settings else { return }
        timeRate = settings.timeRate.flatMap(SKTestSession.TimeRate.init(rawValue:)) ?? .realTime
        asksToBuy = settings.isAskToBuyEnabled ?? false
        failsTransactions = settings.areFailingTransactionsEnabled ?? false
        failsRenewals = settings.areRenewalBillingIssuesEnabled ?? settings.areBillingIssuesEnabled ?? false
        hasGracePeriod = settings.isBillingGracePeriodEnabled ?? false
        disablesDialogs = settings.areDialogsDisabled ?? false
        simulatedErrors = ConfiguredFailures(settings.storeKitErrors)
    }
}

extension SessionConfiguration.OfferKey {
    init?(_ pair: StoreKitFile.KeyPair?) {
        guard let id = pair?.id, let privateKey = pair?.privateKey else { return nil }
        (self.id, self.privateKey) = (id, privateKey)
    }
}
