import Foundation
import OpenStoreKit
import Perennial
import Synchronization
import TestRandomness

/// A device with a content server, for libraries over several runs of an app.
final class LibraryFixture: Sendable {
    let device: Device
    let server = ContentServer()
    let receipt = Mutex(Data("receipt".utf8))

    init() throws {
        self.device = try Device()
    }

    var folder: URL { device.folder.appendingPathComponent("library") }

    /// Opens the library, as a run of the app does.
    func open(
        _ configuration: ContentDownloads.Configuration = .init(),
        willChange: @escaping DownloadFileGuard = { _ in },
        freeBytes: @escaping @Sendable (URL) -> Int64? = { _ in nil },
        dependencies: DeviceDependencies = .test()
    ) throws -> ContentDownloads {
        try ContentDownloads(
            client: server.client(dependencies), folder: folder, configuration: configuration,
            receipt: { self.receipt.withLock { $0 } }, willChange: willChange, freeBytes: freeBytes,
            hasPurchase: { receipt, _ in !receipt.isEmpty })
    }

    /// Adds a file of random bytes to the server, and returns them.
    @discardableResult
    func serve(
        _ id: String, product: String = "p", transaction: String = "1", count: Int = 1000, seed: UInt64 = 7,
        filename: String? = nil
    ) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        server.set {
            $0.files[id] = ContentServer.File(
                bytes: bytes, productID: product, transactionID: transaction, filename: filename)
        }
        return bytes
    }

    /// Returns the paths of all regular files of the library, without the journal.
    func files() -> [String] {
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return all.filter { path in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path, isDirectory: &isFolder)
            return !isFolder.boolValue && path != "downloads.json"
        }.sorted()
    }
}

/// Ends a process before a certain change of its files: no later change happens either.
final class Death: Sendable {
    struct Died: Error {}

    private let left: Mutex<Int>

    /// - Parameter changes: Number of changes before the death.
    init(after changes: Int) {
        self.left = Mutex(changes)
    }

    var isDead: Bool { left.withLock { $0 <= 0 } }

    func check(_ change: DownloadFileChange) throws {
        try left.withLock { left in
            left -= 1
            if left <= 0 {
                left = 0
                throw Died()
            }
        }
    }
}
