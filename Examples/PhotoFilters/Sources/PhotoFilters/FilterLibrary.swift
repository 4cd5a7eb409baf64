import Pictures
import StoreKit

/// The filters that the customer has bought, on this device.
///
/// A filter is a non-consumable product whose file comes from the seller's content server. Its purchase is finished when the
/// file is here: if the app ends before, the purchase comes again and the download goes on where it stopped.
public actor FilterLibrary {
    public static let products = ["com.example.photomag.filter.silver", "com.example.photomag.filter.amber"]

    private let downloads: ContentDownloads
    private var listener: Task<Void, Never>?

    /// Opens the library.
    ///
    /// - Parameters:
    ///   - server: The seller's content server.
    ///   - folder: Folder for the filters of this customer.
    /// - Throws: `DeliveryError` if the folder can't be read.
    public init(server: DeliveryClient, folder: URL) throws {
        downloads = try ContentDownloads(client: server, folder: folder) {
            guard let connection = StoreConnection.current else { throw FilterError.noStore }
            return try await connection.refreshReceipt()
        }
    }

    /// Continues what the last run of the app left, and delivers purchases that are made elsewhere. Call it at launch.
    public func start() async {
        await downloads.resume()
        listener = Task { [downloads] in
            for await result in Transaction.updates { try? await Self.deliver(result, to: downloads) }
        }
        // Refunds and new versions since the last run. Without a network, the next start does it.
        _ = try? await downloads.refresh()
    }

    public func stop() {
        listener?.cancel()
    }

    // MARK: Filters

    /// Filters on this device, by product. Works without a network.
    public var filters: [Product.ID: Filter] {
        get async {
            var filters: [Product.ID: Filter] = [:]
            for item in await downloads.items {
                guard let url = item.url, let filter = try? Filter(contentsOf: url) else { continue }
                filters[item.content.productId] = filter
            }
            return filters
        }
    }

    /// The states of the filters' files, now and after each change.
    public nonisolated var updates: ContentUpdates { downloads.updates }

    // MARK: Purchases

    /// Buys a filter and downloads it.
    ///
    /// - Returns: The filter; `nil` if the customer cancelled.
    @MainActor
    public func buy(_ id: Product.ID) async throws -> Filter? {
        guard let product = try await Product.products(for: [id]).first else { throw FilterError.notForSale(id) }
        switch try await product.purchase() {
        case .success(let result):
            try await Self.deliver(result, to: downloads)
            return await filters[id]
        case .userCancelled: return nil
        case .pending: throw FilterError.waitsForApproval
        @unknown default: return nil
        }
    }

    /// Downloads the filters of all purchases of the customer, on a new device for example.
    public func restore() async throws {
        try await AppStore.sync()
        for await result in Transaction.currentEntitlements { try await Self.deliver(result, to: downloads) }
    }

    /// Downloads new versions of the filters, and removes those that were refunded.
    public func refresh() async throws {
        try await downloads.refresh()
    }

    /// Delivers purchases that are not finished. `start()` does it for later ones.
    public func deliverUnfinished() async throws {
        for await result in Transaction.unfinished { try await Self.deliver(result, to: downloads) }
    }

    private static func deliver(_ result: VerificationResult<Transaction>, to downloads: ContentDownloads) async throws
    {
        guard case .verified(let transaction) = result else { throw FilterError.unverified }
        guard products.contains(transaction.productID) else { return await transaction.finish() }
        // A refund removes the file.
        try await downloads.deliver(transaction)
    }
}

/// An error of this app.
public enum FilterError: Error, CustomStringConvertible {
    case noStore
    case notForSale(Product.ID)
    case notBought(String)
    case unverified
    case waitsForApproval

    public var description: String {
        switch self {
        case .noStore: "no store: set PERENNIAL_STORE_URL, PERENNIAL_BUNDLE_ID and PERENNIAL_ACCOUNT"
        case .notForSale(let id): "\(id) isn't for sale"
        case .notBought(let name): "\(name) isn't on this device: buy or restore it"
        case .unverified: "the purchase isn't signed by the store"
        case .waitsForApproval: "the purchase waits for approval; the filter comes with it"
        }
    }
}
