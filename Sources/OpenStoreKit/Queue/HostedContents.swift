import Foundation
import Synchronization

/// Content of the products of a connection, for `SKPaymentTransaction.downloads`.
final class HostedContents: Sendable {
    private struct Content {
        var version: String
        var size: Int64
    }

    private let client: DeliveryClient?
    private let downloads: HostedContent?
    /// Content by product; `nil` before the first answer.
    private let known = Mutex<[String: Content]?>(nil)

    init(connection: StoreConnection) {
        self.client = connection.contentServer
        self.downloads = connection.contentServer.map { client in
            HostedContent(client: client, folder: connection.appFolder.appendingPathComponent("content")) {
                [receipts = connection.receipts] in try await receipts.refresh()
            }
        }
    }

    /// Fetches the list of the products with content, before transactions are announced. Keeps the earlier one after an error.
    func refresh() async {
        guard let client, let products = try? await client.products().products else { return }
        let contents = products.compactMap { product in
            product.contentVersion.map { (product.productId, Content(version: $0, size: product.contentSize ?? 0)) }
        }
        known.withLock { $0 = Dictionary(contents, uniquingKeysWith: { $1 }) }
    }

    /// Gives a purchased transaction its downloads, once.
    func attach(to transaction: SKPaymentTransaction) {
        guard let downloads else { return }
        transaction.setDownloads { stored in
            guard let content = known.withLock({ $0?[stored.productId] }) else { return [] }
            let transfer = downloads.download(
                productID: stored.productId, transactionID: stored.transactionId, version: content.version,
                size: content.size)
            return [SKDownload(transfer, of: transaction)]
        }
    }

    /// Removes the content of a finished transaction, which the app has moved.
    func discard(_ transactionID: String) {
        downloads?.discard(transactionID: transactionID)
    }
}
