import Foundation
import Perennial

/// The content of StoreKit 1's transactions: one folder a transaction, in the form of Apple's hosted content.
///
/// The folder has the files in `Contents/`, and `ContentInfo.plist` with the product's ID and the content's version. It appears
/// when all files are complete.
///
/// Source: Apple, StoreKit documentation, "SKDownload".
package final class HostedContent: Sendable {
    private let client: DeliveryClient
    private let folder: URL
    private let receipt: @Sendable () async throws -> Data

    /// - Parameters:
    ///   - client: Client of the content server.
    ///   - folder: Folder for the contents.
    ///   - receipt: Returns the app receipt with the transactions.
    package init(client: DeliveryClient, folder: URL, receipt: @escaping @Sendable () async throws -> Data) {
        self.client = client
        self.folder = folder
        self.receipt = receipt
    }

    /// Makes a download without starting it.
    ///
    /// - Parameters:
    ///   - productID: ID of the product.
    ///   - transactionID: ID of the transaction; of a restored one, that of its original.
    ///   - version: Version of the content.
    ///   - size: Size of the content in bytes; 0 if it is unknown.
    package func download(
        productID: String, transactionID: String, version: String, size: Int64
    ) -> ContentDownload {
        let destination = destination(of: transactionID)
        let job = HostedContentJob(
            purchase: DeliveredPurchase(transactionIDs: [transactionID], productID: productID), version: version,
            destination: destination, client: client, receipt: receipt)
        return ContentDownload(
            contentIdentifier: productID, version: version, size: size, destination: destination, job: job,
            now: client.dependencies.now)
    }

    /// Deletes the content of a transaction that is finished.
    package func discard(transactionID: String) {
        let destination = destination(of: transactionID)
        try? FileManager.default.removeItem(at: destination)
        try? FileManager.default.removeItem(at: HostedContentJob.workingFolder(of: destination))
    }

    private func destination(of transactionID: String) -> URL {
        folder.appendingPathComponent(FileNames.component(transactionID))
    }
}

/// The download of all files of a product into one folder.
struct HostedContentJob: DownloadJob {
    let purchase: DeliveredPurchase
    let version: String
    let destination: URL
    let client: DeliveryClient
    let receipt: @Sendable () async throws -> Data

    private static let informationName = "ContentInfo.plist"
    private static let productKey = "IAPProductIdentifier"

    static func workingFolder(of destination: URL) -> URL {
        destination.appendingPathExtension("unfinished")
    }

    private var working: URL { Self.workingFolder(of: destination) }
    private var contents: URL { working.appendingPathComponent("Contents") }

    var received: Int64 {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: contents.path)) ?? []
        return names.filter { !DownloadFiles.isNote($0) }.reduce(0) {
            $0.clampedAdding(size(of: contents.appendingPathComponent($1)))
        }
    }

    private func size(of file: URL) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    func run(progress: @escaping @Sendable (_ received: Int64, _ size: Int64) -> Void) async throws {
        // The folder is renamed as the last step.
        if FileManager.default.fileExists(atPath: destination.path) {
            guard isOfAnotherProduct else { return }
            // Of a purchase that had this transaction's ID in a store that was emptied.
            try FileManager.default.removeItem(at: destination)
        }
        let grant = try await client.grant(for: try await receipt())
        let files = purchase.contents(among: grant.content)
        guard !files.isEmpty else {
            throw DeliveryError(.contentNotFound, reason: "the content server has nothing for \(purchase.productID)")
        }
        try FileNames.createFolder(contents)
        let names = Self.names(of: files)
        removeAll(except: names)
        let whole = files.reduce(0 as Int64) { $0.clampedAdding($1.size) }
        var done: Int64 = 0
        for (file, name) in zip(files, names) {
            let place = DownloadFiles(destination: contents.appendingPathComponent(name))
            if !isComplete(file, place) {
                let before = done
                try await client.session(for: file, grant: grant, files: place).run { received, _ in
                    progress(before.clampedAdding(received), whole)
                }
            }
            done = done.clampedAdding(file.size)
            progress(done, whole)
        }
        try writeInformation()
        try OutputFile.move(working.path, to: destination.path)
    }

    func discard() {
        try? FileManager.default.removeItem(at: working)
    }

    /// True if the folder at the destination says that it is of another product.
    private var isOfAnotherProduct: Bool {
        guard let data = try? Data(contentsOf: destination.appendingPathComponent(Self.informationName)),
            let information = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: String]
        else { return false }
        return information[Self.productKey] != purchase.productID
    }

    /// Removes the files of an earlier grant, and parts by the names of earlier versions of this library.
    private func removeAll(except names: [String]) {
        let kept = Set(names.flatMap { [$0, DownloadFiles.partName(of: $0), DownloadFiles.noteName(of: $0)] })
        for name in (try? FileManager.default.contentsOfDirectory(atPath: contents.path)) ?? []
        where !kept.contains(name) {
            try? FileManager.default.removeItem(at: contents.appendingPathComponent(name))
        }
    }

    private func isComplete(_ file: GrantedContent, _ place: DownloadFiles) -> Bool {
        guard size(of: place.destination) == file.size else { return false }
        return (try? DownloadFiles.digest(ofFile: place.destination.path)) == file.sha256.lowercased()
    }

    /// Returns a name for each file; files with one name have their content's ID before it, several times if another file has that name.
    static func names(of files: [GrantedContent]) -> [String] {
        let names = files.map { $0.filename ?? $0.contentId }
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        var taken = Set(names.filter { counts[$0] == 1 })
        return zip(files, names).map { file, name in
            guard counts[name] != 1 else { return FileNames.component(name) }
            var unique = name
            repeat { unique = "\(file.contentId)-\(unique)" } while !taken.insert(unique).inserted
            return FileNames.component(unique)
        }
    }

    private func writeInformation() throws {
        let information = ["ContentVersion": version, Self.productKey: purchase.productID]
        let data = try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
        try FolderStore(folder: working).write(data, to: Self.informationName)
    }
}
