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
    public let language: String
    /// Version of the app, for app receipts and reports.
    public let applicationVersion: String
    /// Kind of this device, for the seller's reports.
    public let deviceFamily: DeviceFamily
    /// Folder for receipts, purchase records and the payment queue's journal.
    public let storageFolder: URL

    let dependencies: DeviceDependencies
    let store: StoreProtocolClient
    let receipts: ReceiptFile
    let files: any FileStore
    /// Queue on which requests call their delegates.
    let requestQueue = DispatchQueue(label: "org.perennial.OpenStoreKit.requests")
    /// Products of earlier answers, for payment sheets.
    let knownProducts = Mutex<[String: SKProduct]>([:])

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
    ///   - receiptChecking: Verifies each app receipt before it replaces the stored one; `nil` for no verification.
    public convenience init(
        baseURL: URL, bundleID: String, account: String, password: String? = nil, deviceID: UUID,
        language: String = "en-US", applicationVersion: String = "1.0", deviceFamily: DeviceFamily = .current,
        storageFolder: URL, receiptChecking: (any ReceiptChecking)? = nil
    ) {
        self.init(
            baseURL: baseURL, bundleID: bundleID, account: account, password: password, deviceID: deviceID,
            language: language, applicationVersion: applicationVersion, deviceFamily: deviceFamily,
            storageFolder: storageFolder, receiptChecking: receiptChecking, transport: AsyncHTTPTransport(),
            dependencies: .device, files: nil)
    }

    /// Makes a connection with another transport, clock and files, for tests.
    package init(
        baseURL: URL, bundleID: String, account: String, password: String? = nil, deviceID: UUID,
        language: String = "en-US", applicationVersion: String = "1.0", deviceFamily: DeviceFamily = .current,
        storageFolder: URL, receiptChecking: (any ReceiptChecking)? = nil, transport: any Transport,
        dependencies: DeviceDependencies,
        files: (any FileStore)? = nil, retry: RetryPolicy = RetryPolicy()
    ) {
        self.baseURL = baseURL
        self.bundleID = bundleID
        self.account = account
        self.password = password
        self.deviceID = deviceID
        self.language = language
        self.applicationVersion = applicationVersion
        self.deviceFamily = deviceFamily
        self.storageFolder = storageFolder
        self.dependencies = dependencies
        let folder = storageFolder.appendingPathComponent(
            Self.folderName(baseURL: baseURL, bundleID: bundleID, account: account), isDirectory: true)
        let files = files ?? FolderStore(folder: folder)
        self.files = files
        self.appStoreReceiptURL = folder.appendingPathComponent(ReceiptFile.name)
        self.store = StoreProtocolClient(
            baseURL: baseURL,
            registration: DeviceRegistration(
                account: account, password: password, deviceId: deviceID.uuidString, bundleId: bundleID,
                applicationVersion: applicationVersion, deviceFamily: deviceFamily.rawValue),
            http: RequestRetrier(transport, dependencies, policy: retry))
        self.receipts = ReceiptFile(
            files: files, checking: receiptChecking, bundleID: bundleID, deviceID: deviceID, store: store)
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
    /// Source: Apple, StoreKit documentation, "appStoreReceiptURL".
    public let appStoreReceiptURL: URL

    /// True if the customer may buy, as of the last sign-in; also before the first.
    public var canMakePayments: Bool { store.session?.canMakePayments ?? true }

    /// Last known storefront of the customer; `nil` before the first sign-in.
    public var storefront: SKStorefront? { store.storefront.map { SKStorefront($0) } }

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

    /// Owner of authenticated files. Includes the device, so that files of another device are refused.
    var owner: String { "\(bundleID)\u{0}\(account)\u{0}\(deviceID.uuidString)" }
}

/// The storefront of a customer: country and currency.
///
/// Source: Apple, StoreKit documentation, "SKStorefront".
public final class SKStorefront: NSObject, Sendable {
    /// Country code of ISO 3166-1 alpha-3, such as `USA`.
    public let countryCode: String
    /// Apple's identifier of the storefront, such as `143441`.
    public let identifier: String
    /// Currency code of ISO 4217; an addition to StoreKit.
    public let currencyCode: String

    init(_ storefront: StoreSession.Storefront) {
        self.countryCode = storefront.countryCode
        self.identifier = storefront.identifier
        self.currencyCode = storefront.currency
    }
}
