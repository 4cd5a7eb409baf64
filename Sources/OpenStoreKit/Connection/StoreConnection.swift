import Crypto
import Dispatch
import Foundation
import Perennial
import Synchronization

/// A customer's app on a device, and the store it buys from.
///
/// What an operating system knows by itself on Apple's platforms is said here: which store, which app, whose account,
/// and where the device keeps its files. Queues and requests of one connection share its sign-in. Several connections
/// may live in one process, as long as no two of them have the same folder, app and account.
public final class StoreConnection: Sendable {
    /// The base URL of an environment, such as `https://store.example.com/` or `https://store.example.com/sandbox`.
    public let baseURL: URL
    public let bundleID: String
    /// The customer, as the store knows him: an address.
    public let account: String
    let password: String?
    /// What an app sees as `identifierForVendor`. App receipts are bound to it.
    public let deviceID: UUID
    /// The customer's language, such as `de-DE`: titles and descriptions come in it where the catalog has it.
    public let language: String
    public let applicationVersion: String
    /// Where the device keeps receipts, records and the payment queue's journal.
    public let storageFolder: URL

    let surroundings: Surroundings
    let store: StoreClient
    let receipts: ReceiptFile
    let files: any FileStore
    /// Requests call their delegates back on this queue.
    let requestQueue = DispatchQueue(label: "org.perennial.OpenStoreKit.requests")
    /// Products seen so far, to show in a payment sheet.
    let knownProducts = Mutex<[String: SKProduct]>([:])

    /// Describes a connection; nothing is sent before it is needed.
    ///
    /// - Parameters:
    ///   - password: Left out for an account that has none (test accounts).
    ///   - storageFolder: A folder of this device's own; it is made when it is needed.
    ///   - receiptChecking: Verifies each app receipt before it replaces the stored one.
    public convenience init(
        baseURL: URL, bundleID: String, account: String, password: String? = nil, deviceID: UUID,
        language: String = "en-US", applicationVersion: String = "1.0", storageFolder: URL,
        receiptChecking: (any ReceiptChecking)? = nil
    ) {
        self.init(
            baseURL: baseURL, bundleID: bundleID, account: account, password: password, deviceID: deviceID,
            language: language, applicationVersion: applicationVersion, storageFolder: storageFolder,
            receiptChecking: receiptChecking, transport: AsyncHTTPTransport(), surroundings: .device, files: nil)
    }

    /// With a transport, a clock and files of the caller's.
    package init(
        baseURL: URL, bundleID: String, account: String, password: String? = nil, deviceID: UUID,
        language: String = "en-US", applicationVersion: String = "1.0", storageFolder: URL,
        receiptChecking: (any ReceiptChecking)? = nil, transport: any Transport, surroundings: Surroundings,
        files: (any FileStore)? = nil, retry: RetryPolicy = RetryPolicy()
    ) {
        self.baseURL = baseURL
        self.bundleID = bundleID
        self.account = account
        self.password = password
        self.deviceID = deviceID
        self.language = language
        self.applicationVersion = applicationVersion
        self.storageFolder = storageFolder
        self.surroundings = surroundings
        let folder = storageFolder.appendingPathComponent(
            Self.folderName(baseURL: baseURL, bundleID: bundleID, account: account), isDirectory: true)
        let files = files ?? FolderStore(folder: folder)
        self.files = files
        self.appStoreReceiptURL = folder.appendingPathComponent(ReceiptFile.name)
        self.store = StoreClient(
            baseURL: baseURL,
            registration: DeviceRegistration(
                account: account, password: password, deviceId: deviceID.uuidString, bundleId: bundleID,
                applicationVersion: applicationVersion),
            http: Retrying(transport, surroundings, policy: retry))
        self.receipts = ReceiptFile(
            files: files, checking: receiptChecking, bundleID: bundleID, deviceID: deviceID, store: store)
    }

    /// Where the app receipt is, as `Bundle.main.appStoreReceiptURL`. There is no file before the first purchase,
    /// restore or refresh.
    public let appStoreReceiptURL: URL

    /// Whether the customer may buy, as the store said at the last sign-in; `true` before the first.
    public var canMakePayments: Bool { store.session?.canMakePayments ?? true }

    /// The customer's storefront, as the store said last; `nil` before the first sign-in.
    public var storefront: SKStorefront? { store.storefront.map { SKStorefront($0) } }

    /// Takes the app off this device: free subscriptions end when it was the last one that had it.
    ///
    /// The device's files stay; the next request signs in again.
    /// - Throws: ``SKError``.
    public func uninstall() async throws {
        try await store.uninstall()
    }

    /// Distinguishes what one device may hold side by side: apps, accounts, and the environments of one store. Not the
    /// host or port: a store that moves is still the same store, and a payment under way must find its way to it.
    private static func folderName(baseURL: URL, bundleID: String, account: String) -> String {
        let environment = baseURL.path.split(separator: "/").joined(separator: "/")
        let digest = SHA256.hash(data: Data("\(environment)\u{0}\(bundleID)\u{0}\(account)".utf8))
        return "\(bundleID)-\(Array(digest).prefix(8).hexadecimal)".replacingOccurrences(of: "/", with: "_")
    }

    /// Who owns sealed files: bound to the device, so that they are worth nothing on another.
    var owner: String { "\(bundleID)\u{0}\(account)\u{0}\(deviceID.uuidString)" }
}
