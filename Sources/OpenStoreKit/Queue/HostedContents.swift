import Foundation
import Synchronization

/// Content of the products of a connection, for `SKPaymentTransaction.downloads`.
final class HostedContents: Sendable {
    private struct Content {
        var version: String
        var size: Int64
    }

    /// Longest wait of a products request for a content server that doesn't answer.
    private static let listLimit = Duration.seconds(3)

    private let client: DeliveryClient?
    private let downloads: HostedContent?
    /// Content by product; `nil` before the first answer of the content server.
    private let known = Mutex<[String: Content]?>(nil)
    /// Downloads by transaction.
    private let transfers = Mutex<[String: [WeakReference<ContentDownload>]]>([:])

    init(connection: StoreConnection) {
        self.client = connection.contentServer
        self.downloads = connection.contentServer.map { client in
            HostedContent(client: client, folder: connection.appFolder.appendingPathComponent("content")) {
                [receipts = connection.receipts] in try await receipts.refresh()
            }
        }
    }

    /// True if transactions have to wait for the list of the products with content.
    var isExpected: Bool { client != nil }

    /// True while there is a content server without an answer.
    var isUnknown: Bool { client != nil && known.withLock { $0 == nil } }

    /// Fetches the list of the products with content, before transactions are announced. Keeps the earlier one after an error.
    func refresh() async {
        guard let client, let products = try? await client.products().products else { return }
        let contents = products.compactMap { product in
            product.contentVersion.map { (product.productId, Content(version: $0, size: product.contentSize ?? 0)) }
        }
        known.withLock { $0 = Dictionary(contents, uniquingKeysWith: { $1 }) }
    }

    /// Fetches the list if it is unknown. Waits for the content server up to ``listLimit``, since products are for sale without it.
    func refreshOnce() async {
        guard let client, isUnknown else { return }
        await client.dependencies.withLimit(Self.listLimit) { await self.refresh() }
    }

    /// Gives a purchased transaction its downloads, once. Does nothing for a product without content, and while the list is unknown:
    /// the next call about the transaction tries again.
    func attach(to transaction: SKPaymentTransaction) {
        guard let downloads else { return }
        transaction.setDownloads { stored in
            guard let content = known.withLock({ $0?[stored.productId] }) else { return nil }
            let transfer = downloads.download(
                productID: stored.productId, transactionID: stored.transactionId, version: content.version,
                size: content.size)
            transfers.withLock { $0[stored.transactionId, default: []].append(WeakReference(object: transfer)) }
            return [SKDownload(transfer, of: transaction)]
        }
    }

    /// True if the entry's product has content by the last known list.
    func hasContent(for entry: QueueEntry) -> Bool {
        guard let productID = entry.stage.transaction?.productId else { return false }
        return known.withLock { $0?[productID] != nil }
    }

    /// Version and size in bytes of a product's content; `nil` for one without, and while the list is unknown.
    func content(of productID: String) -> (version: String, size: Int64)? {
        known.withLock { $0?[productID] }.map { ($0.version, $0.size) }
    }

    /// Cancels the downloads of a finished transaction, and removes its content, which the app has moved.
    func discard(_ transactionID: String) {
        guard let downloads else { return }
        let transfers = transfers.withLock { $0.removeValue(forKey: transactionID) ?? [] }.compactMap(\.object)
        transfers.forEach { $0.cancel() }
        downloads.discard(transactionID: transactionID)
        guard !transfers.isEmpty else { return }
        // A download that was cancelled in its last step has left its files.
        Task {
            for transfer in transfers { await transfer.idle() }
            downloads.discard(transactionID: transactionID)
        }
    }
}

extension StoreConnection {
    /// Content of the products, as the content server lists it.
    var hostedContents: HostedContents {
        part { HostedContents(connection: $0) }
    }
}
