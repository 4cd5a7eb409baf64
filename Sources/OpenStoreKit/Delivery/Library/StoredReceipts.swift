import AppStoreFormats
import Foundation

/// Receipts of purchases that were finished before their content was downloaded.
struct StoredReceipts: Sendable {
    struct Record: Codable, Sendable {
        var purchase: DeliveredPurchase
        var receipt: Data
        /// True once the content is requested.
        var isRequested = false
    }

    private let folder: URL
    private let willChange: DownloadFileGuard
    private var store: FolderStore { FolderStore(folder: folder) }

    init(library: LibraryFiles) {
        self.folder = library.folder.appendingPathComponent("receipts")
        self.willChange = library.willChange
    }

    private func name(_ transactionID: String) -> String { FileNames.component(transactionID) + ".json" }

    /// Returns all records. Leaves out files that can't be read.
    func all() -> [Record] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
            guard let data = try? store.read(name) else { return nil }
            return try? JSONDecoder().decode(Record.self, from: data)
        }
    }

    func record(of transactionID: String) throws -> Record? {
        guard let data = try store.read(name(transactionID)) else { return nil }
        return try? JSONDecoder().decode(Record.self, from: data)
    }

    /// Stores a record durably.
    func write(_ record: Record) throws {
        guard let id = record.purchase.transactionIDs.first else { return }
        try willChange(.storeReceipt)
        try FileNames.createFolder(folder)
        try store.write(try JSONEncoder().encode(record), to: name(id))
    }

    /// Returns true if a receipt has one of the transactions, by itself or as an original. Verifies no signature: the store made the
    /// receipt for this device, and the content server verifies it.
    static func has(_ receipt: Data, _ transactionIDs: [String]) -> Bool {
        if let receipt = VerifyReceiptRequest.Receipt.appReceipt(Array(receipt)) {
            return receipt.purchases.contains { purchase in
                transactionIDs.contains(purchase.transactionID)
                    || transactionIDs.contains(purchase.originalTransactionID)
            }
        }
        guard let receipt = VerifyReceiptRequest.Receipt.transactionReceipt(Array(receipt)) else { return false }
        return transactionIDs.contains(receipt.transactionID)
            || transactionIDs.contains(receipt.originalTransactionID)
    }

    func remove(_ record: Record) {
        guard let id = record.purchase.transactionIDs.first, (try? willChange(.removeReceipt)) != nil else { return }
        try? store.remove(name(id))
    }
}
