import BaseEncoding
import Crypto
import Dispatch
import Foundation
import Perennial
import Synchronization

/// The connection of an app on a device to a store: base URL, app, account and storage folder, which the operating system
/// provides on Apple's platforms.
///
/// Queues and requests of a connection share its sign-in. A process may have several connections with different folders, apps
/// or accounts.
public final class StoreConnection: Sendable {
    /// Base URL of an environment, such as `https://store.example.com/` or `https://store.example.com/sandbox`.
    public let baseURL: URL
    /// Bundle ID of the app.
    public let bundleID: String
    /// The customer's account name, an email address.
    public let account: String
    let password: String?
    /// The app's `identifierForVendor`, to which app receipts are bound.
    public let deviceID: UUID
    /// The customer's language, such as `de-DE`, for titles and descriptions in the catalog.
    public package(set) var language: String {
        get { settings.withLock { $0.language } }
        set { settings.withLock { $0.language = newValue } }
    }
    /// True if purchases wait for a parent's approval, false if not, as a test's session wishes. `nil` outside of sessions, where
    /// a purchase simulates it by itself. In Xcode's environment `simulatesAskToBuyInSandbox` has no effect.
    package var asksToBuy: Bool? {
        get { settings.withLock { $0.asksToBuy } }
        set { settings.withLock { $0.asksToBuy = newValue } }
    }
    /// Returns the store's code for what the customer entered, as a test's session wishes; `nil` outside of sessions.
    package var codeTranslation: (@Sendable (String) async throws -> String)? {
        get { settings.withLock { $0.codeTranslation } }
        set { settings.withLock { $0.codeTranslation = newValue } }
    }
    /// Version of the app, for app receipts and reports.
    public let applicationVersion: String
    /// Kind of this device, for the seller's reports.
    public let deviceFamily: DeviceFamily
    /// Folder for receipts, purchase records and the payment queue's journal.
    public let storageFolder: URL

    /// Root certificates in DER or PEM that signed transactions must lead to.
    package let rootCertificates: [Data]
    package let dependencies: DeviceDependencies
    let store: StoreProtocolClient
    let receipts: ReceiptFile
    package let files: any FileStore
    /// Purchases of the customer, as the store signed them, and the balances of consumables.
    public let vault: PurchaseVault
    /// Products of earlier answers, for payment sheets.
    let knownProducts = KnownProducts()
    /// Asks the customer to confirm payments.
    package let paymentSheet: any PaymentSheet
    /// Asks the customer for an offer code; `nil` without such a sheet.
    package let codeRedemptionSheet: (any CodeRedemptionSheet)?
    /// Asks the customer about price increases; `nil` without such a sheet.
    package let priceConsentSheet: (any PriceConsentSheet)?
    /// Refuses to buy a non-renewing subscription again during its term; `nil` leaves that to the store.
    let nonRenewingTerms: NonRenewingTermRules?
    /// Server of the products' content; `nil` without one.
    public let contentServer: DeliveryClient?
    /// Folder for the files of this app and account, inside of ``storageFolder``.
    package let appFolder: URL
    let parts = ConnectionParts()
    let engines = QueueEngines()
    private let settings: Mutex<Settings>

    /// Settings that a session of tests changes.
    private struct Settings {
        var language: String
        var asksToBuy: Bool?
        var codeTranslation: (@Sendable (String) async throws -> String)?
    }

    /// Makes a connection. Sends nothing yet.
    ///
    /// - Parameters:
    ///   - baseURL: Base URL of an environment of the store.
    ///   - bundleID: Bundle ID of the app.
    ///   - account: The customer's account name.
    ///   - password: Password of the account; `nil` for a test account without one.
    ///   - deviceID: The app's `identifierForVendor`.
    ///   - language: The customer's language, such as `de-DE`.
    ///   - applicationVersion: Version of the app, for app receipts and reports.
    ///   - deviceFamily: Kind of this device, for the seller's reports.
    ///   - storageFolder: A folder of this device, made when it is needed.
    ///   - rootCertificates: Root certificates in DER or PEM that signed transactions must lead to, shipped with the app. If one of them
    ///     isn't a certificate, all signed data is unverified. Without any, the store's root is pinned at the first contact.
    ///   - receiptChecking: Verifies each app receipt before it replaces the stored one; `nil` for no verification.
    ///   - paymentSheet: Asks the customer; the default confirms every payment.
    ///   - codeRedemptionSheet: Asks the customer for an offer code.
    ///   - priceConsentSheet: Asks the customer about price increases.
    ///   - nonRenewingTerms: Refuses to buy a non-renewing subscription again during its term; `nil` leaves that to the store.
    ///   - contentServer: Server of the products' content, for `SKPaymentTransaction.downloads`.
    public convenience init(
        baseURL: URL, bundleID: String, account: String, password: String? = nil, deviceID: UUID,
        language: String = "en-US", applicationVersion: String = "1.0", deviceFamily: DeviceFamily = .current,
        storageFolder: URL, rootCertificates: [Data] = [], receiptChecking: (any ReceiptChecking)? = nil,
        paymentSheet: any PaymentSheet = ImmediatePaymentSheet(),
        codeRedemptionSheet: (any CodeRedemptionSheet)? = nil, priceConsentSheet: (any PriceConsentSheet)? = nil,
        nonRenewingTerms: NonRenewingTermRules? = nil, contentServer: DeliveryClient? = nil
    ) {
        self.init(
            baseURL: baseURL, bundleID: bundleID, account: account, password: password, deviceID: deviceID,
            language: language, applicationVersion: applicationVersion, deviceFamily: deviceFamily,
            storageFolder: storageFolder, rootCertificates: rootCertificates, receiptChecking: receiptChecking,
            paymentSheet: paymentSheet,
            codeRedemptionSheet: codeRedemptionSheet, priceConsentSheet: priceConsentSheet,
            nonRenewingTerms: nonRenewingTerms, contentServer: contentServer, transport: NetworkTransport.make(),
            dependencies: .device, files: nil, protection: .system(for: storageFolder))
    }

    /// Makes a connection with another transport, clock and files, for tests.
    package init(
        baseURL: URL, bundleID: String, account: String, password: String? = nil, deviceID: UUID,
        language: String = "en-US", applicationVersion: String = "1.0", deviceFamily: DeviceFamily = .current,
        storageFolder: URL, rootCertificates: [Data] = [], receiptChecking: (any ReceiptChecking)? = nil,
        paymentSheet: any PaymentSheet = ImmediatePaymentSheet(),
        codeRedemptionSheet: (any CodeRedemptionSheet)? = nil, priceConsentSheet: (any PriceConsentSheet)? = nil,
        nonRenewingTerms: NonRenewingTermRules? = nil, contentServer: DeliveryClient? = nil, transport: any Transport,
        dependencies: DeviceDependencies,
        files: (any FileStore)? = nil, protection: PurchaseVault.Protection = .files, retry: RetryPolicy = RetryPolicy()
    ) {
        self.baseURL = baseURL
        self.bundleID = bundleID
        self.account = account
        self.password = password
        self.deviceID = deviceID
        self.settings = Mutex(Settings(language: language))
        self.applicationVersion = applicationVersion
        self.deviceFamily = deviceFamily
        self.storageFolder = storageFolder
        self.dependencies = dependencies
        self.rootCertificates = rootCertificates
        self.paymentSheet = paymentSheet
        self.codeRedemptionSheet = codeRedemptionSheet
        self.priceConsentSheet = priceConsentSheet
        self.nonRenewingTerms = nonRenewingTerms
        self.contentServer = contentServer
        let folder = storageFolder.appendingPathComponent(
            Self.folderName(baseURL: baseURL, bundleID: bundleID, account: account), isDirectory: true)
        self.appFolder = folder
        let files = files ?? FolderStore(folder: folder)
        self.files = files
        self.receiptURL = folder.appendingPathComponent(ReceiptFile.name)
        self.store = StoreProtocolClient(
            baseURL: baseURL,
            registration: DeviceRegistration(
                account: account, password: password, deviceId: deviceID.uuidString, bundleId: bundleID,
                applicationVersion: applicationVersion, deviceFamily: deviceFamily.rawValue),
            http: RequestRetrier(transport, dependencies, policy: retry))
        self.vault = PurchaseVault(
            owner: "\(bundleID)\u{0}\(account)\u{0}\(deviceID.uuidString)\u{0}\(baseURL.path)", account: account,
            bundleID: bundleID, environment: baseURL.path, password: password, files: files, dependencies: dependencies,
            protection: protection, nonRenewingTerms: nonRenewingTerms)
        self.receipts = ReceiptFile(
            files: files, checking: receiptChecking, bundleID: bundleID, deviceID: deviceID, store: store,
            dependencies: dependencies)
        store.storefrontWatch.observe { [weak self] old, new in
            guard let self else { return false }
            DispatchQueue.main.async {
                if old?.countryCode != new.countryCode {
                    NotificationCenter.default.post(name: .SKStorefrontCountryCodeDidChange, object: self)
                }
                if old?.identifier != new.identifier {
                    NotificationCenter.default.post(name: .SKStorefrontIdentifierDidChange, object: self)
                }
            }
            return true
        }
        vault.setSignatureCheck { [weak self] jws in
            guard let self else { return false }
            return verification.failure(of: jws, isOfAnyDevice: true) == nil
        }
    }

    /// Ends everything that works with this connection: the queues, and the parts.
    package func close() {
        engines.all.forEach { $0.cancel() }
        parts.removeAll()
    }

    /// Kind of a device, by the names of the App Store's reports.
    public enum DeviceFamily: String, Sendable, CaseIterable {
        case iPhone, iPad
        case iPodTouch = "iPod touch"
        /// A Mac, and any other computer.
        case desktop = "Desktop"
        case appleTV = "Apple TV"
        case appleVision = "Apple Vision"
        case appleWatch = "Apple Watch"

        /// Kind of device that this library was built for. On iOS that is iPhone, because iPads can't be told apart at
        /// build time; on systems other than Apple's it is desktop.
        public static var current: DeviceFamily {
            #if os(iOS)
                .iPhone
            #elseif os(tvOS)
                .appleTV
            #elseif os(watchOS)
                .appleWatch
            #elseif os(visionOS)
                .appleVision
            #else
                .desktop
            #endif
        }
    }

    /// URL of the app receipt, as `Bundle.main.appStoreReceiptURL`. The file is made by the first purchase, restore or refresh.
    ///
    /// Before observers of StoreKit 1 get a purchase, the file has it. A purchase of StoreKit 2, a renewal or a refund is in the file a
    /// moment later; in a test's session as soon as the URL is read.
    ///
    /// Source: Apple, StoreKit documentation, "appStoreReceiptURL".
    public var appStoreReceiptURL: URL {
        receipts.renewNow()
        return receiptURL
    }

    /// URL of the app receipt, which is not renewed.
    package let receiptURL: URL

    /// True if the customer may buy, as of the last sign-in; also before the first.
    public var canMakePayments: Bool { store.session?.canMakePayments ?? true }

    /// Last known storefront of the customer; `nil` before the first sign-in.
    public var storefront: SKStorefront? { store.storefront.map { SKStorefront($0) } }

    /// Says that the customer is about to move. The store's next answer may have the new storefront already.
    package func announceStorefront(countryCode: String, insteadOf old: String) {
        _ = store.storefrontWatch.expect(countryCode: countryCode, insteadOf: old)
    }

    /// Forgets the storefront if it has another country, and begins to fetch the new one: a test's session has moved the customer.
    ///
    /// - Parameter old: Country before, if the session knows it.
    package func expectStorefront(countryCode: String, insteadOf old: String? = nil) {
        guard store.storefrontWatch.expect(countryCode: countryCode, insteadOf: old) else { return }
        Task { [store] in try? await store.refreshStorefront() }
    }

    /// Currency code of the customer's storefront, as of ISO 4217; `nil` before the first sign-in.
    package var currencyCode: String? { store.storefront?.currency }

    /// Uninstalls the app from this device. Free subscriptions end with the app's last device.
    ///
    /// Keeps the device's files. The next request signs in again.
    ///
    /// - Throws: ``SKError``.
    public func uninstall() async throws {
        try await store.uninstall()
    }

    /// Returns a folder name for app, account and environment. Leaves out host and port, so that pending payments survive a move of
    /// the store.
    private static func folderName(baseURL: URL, bundleID: String, account: String) -> String {
        let environment = baseURL.path.split(separator: "/").joined(separator: "/")
        let digest = SHA256.hash(data: Data("\(environment)\u{0}\(bundleID)\u{0}\(account)".utf8))
        return "\(bundleID)-\(Hexadecimal.encode(digest.prefix(8)))".replacingOccurrences(of: "/", with: "_")
    }
}
