import Foundation
import Perennial
import Synchronization

/// Downloads the content of purchases from the seller's content server, and keeps it on this device.
///
/// Several contents are downloaded at once, up to a limit. Unfinished downloads continue after a broken connection and in the
/// app's next run. A file is available only when it is complete and its SHA-256 is right; a new version replaces the old one in
/// one step. Failed attempts are repeated with increasing delays. The content of revoked purchases is removed.
///
/// ``deliver(_:finishing:finish:)`` finishes a purchase when its content is safe.
///
/// A folder belongs to one customer, and to one object at a time.
public actor ContentDownloads {
    /// Limits and choices of a library.
    public struct Configuration: Sendable {
        /// Maximum number of downloads at a time.
        public var maximumConcurrentDownloads = 3
        /// Maximum number of repeated attempts of a download that makes no progress.
        public var maximumRetries = 8
        /// Delay before the first repeated attempt. Each further one is twice as long.
        public var firstRetryDelay = Duration.seconds(1)
        /// Longest delay before a repeated attempt.
        public var longestRetryDelay = Duration.seconds(300)
        /// True to download every content that the purchases open, without a request for it.
        public var downloadsAutomatically = false

        /// Makes the default configuration.
        public init() {}

        var retry: RetryPolicy {
            RetryPolicy(
                maximumAttempts: maximumRetries + 1, firstDelay: firstRetryDelay, longestDelay: longestRetryDelay)
        }
    }

    /// Folder of the library.
    public nonisolated let folder: URL
    nonisolated let configuration: Configuration
    nonisolated let client: DeliveryClient
    nonisolated let files: LibraryFiles
    nonisolated let receipts: StoredReceipts
    nonisolated let receipt: @Sendable () async throws -> Data
    nonisolated let grants: ContentGrants
    nonisolated let changes = ChangeSignal()
    nonisolated let freeBytes: @Sendable (URL) -> Int64?
    /// Returns true if a receipt has one of some transactions.
    nonisolated let hasPurchase: @Sendable (Data, [String]) -> Bool

    var journal: LibraryJournal
    var transfers: [String: ContentTransfer] = [:]
    /// Contents that wait for a free place, in order.
    var waiting: [String] = []
    /// Last tasks that change a content's files.
    var tails: [String: Task<Void, Never>] = [:]
    /// Runs of all transfers so far.
    var runs = 0
    /// Purchases that were finished before their content is safe.
    var storedReceipts: [StoredReceipts.Record]
    var receiptTask: Task<Void, Never>?
    /// False until ``resume()`` or the first request.
    var isStarted = false

    /// Opens a library, and makes it if there is none. Sends nothing.
    ///
    /// - Parameters:
    ///   - client: Client of the content server.
    ///   - folder: Folder of the library.
    ///   - configuration: Limits and choices.
    ///   - receipt: Returns the app receipt with all purchases of the customer, as `StoreConnection.refreshReceipt()` does: purchases
    ///     of StoreKit 2 leave the file at `appStoreReceiptURL` as it is.
    /// - Throws: ``DeliveryError`` if the folder can't be read.
    public init(
        client: DeliveryClient, folder: URL, configuration: Configuration = Configuration(),
        receipt: @escaping @Sendable () async throws -> Data
    ) throws {
        try self.init(
            client: client, folder: folder, configuration: configuration, receipt: receipt, willChange: { _ in })
    }

    /// Opens a library whose files are watched, for tests.
    ///
    /// - Parameters:
    ///   - willChange: Called before each change of the files.
    ///   - freeBytes: Returns the free bytes of a folder's volume.
    ///   - hasPurchase: Returns true if a receipt has one of some transactions.
    package init(
        client: DeliveryClient, folder: URL, configuration: Configuration = Configuration(),
        receipt: @escaping @Sendable () async throws -> Data, willChange: @escaping DownloadFileGuard,
        freeBytes: @escaping @Sendable (URL) -> Int64? = { VolumeSpace.freeBytes(at: $0) },
        hasPurchase: @escaping @Sendable (Data, [String]) -> Bool = { StoredReceipts.has($0, $1) }
    ) throws {
        let files = LibraryFiles(folder: folder, willChange: willChange)
        let receipts = StoredReceipts(library: files)
        self.folder = folder
        self.configuration = configuration
        self.client = client
        self.files = files
        self.receipts = receipts
        self.receipt = receipt
        self.freeBytes = freeBytes
        self.hasPurchase = hasPurchase
        self.grants = ContentGrants(now: client.dependencies.now) { source in
            switch source {
            case .current: return try await client.grant(for: try await receipt())
            case .stored(let transactionID):
                guard let record = try receipts.record(of: transactionID) else {
                    throw DeliveryError(.notGranted, reason: "the receipt of \(transactionID) is gone")
                }
                return try await client.grant(for: record.receipt)
            }
        }
        do {
            self.journal = try Self.checkedJournal(files)
        } catch {
            throw DeliveryError(wrapping: error)
        }
        self.storedReceipts = receipts.all()
    }

    /// Reads the journal. Forgets files that are gone, and removes those that an interrupted removal left behind.
    private static func checkedJournal(_ files: LibraryFiles) throws -> LibraryJournal {
        guard var journal = try files.journal() else { return LibraryJournal() }
        for entry in journal.entries {
            let id = entry.content.contentId
            if let installed = entry.installed, !files.isPresent(installed) {
                journal.change(id) { $0.installed = nil }
            }
            let kept = [entry.isWanted ? files.path(of: entry.content) : nil, journal[id]?.installed?.path]
            files.removeVersions(of: id, except: kept.compactMap(\.self))
        }
        files.removeUnknown(journal)
        return journal
    }

    // MARK: Contents

    /// All contents that this device knows, in the order in which they became known.
    public var items: [ContentItem] { journal.entries.map(item) }

    /// Returns a content; `nil` for an unknown one.
    public func item(_ contentID: String) -> ContentItem? {
        journal[contentID].map(item)
    }

    /// Returns the URL of a content's file; `nil` if it isn't on this device.
    public func url(for contentID: String) -> URL? {
        journal[contentID]?.installed.map { files.url($0.path) }
    }

    /// The states of all contents, now and after each change.
    public nonisolated var updates: ContentUpdates { ContentUpdates(downloads: self) }

    private func item(_ entry: LibraryJournal.Entry) -> ContentItem {
        let transfer = transfers[entry.content.contentId]
        let progress = transfer?.meter.progress
        return ContentItem(
            content: entry.content, state: state(of: entry), received: progress?.received ?? 0,
            timeRemaining: progress?.timeRemaining, error: entry.isCurrent ? nil : transfer?.error,
            url: entry.installed.map { files.url($0.path) })
    }

    private func state(of entry: LibraryJournal.Entry) -> ContentItem.State {
        if entry.isCurrent { return .downloaded }
        guard entry.isWanted else { return .available }
        if entry.isPaused { return .paused }
        switch transfers[entry.content.contentId]?.phase {
        case nil, .waiting, .delayed: return .waiting
        case .running: return .downloading
        case .failed: return .failed
        }
    }

    // MARK: Journal

    /// Changes the journal on disk, then in memory.
    func change(_ body: (inout LibraryJournal) -> Void) throws {
        var changed = journal
        body(&changed)
        guard changed != journal else { return }
        do {
            try files.write(changed)
        } catch {
            throw DeliveryError(wrapping: error)
        }
        journal = changed
        changes.send()
    }

    /// Takes a grant: new contents, new versions, and revoked purchases.
    func take(_ grant: DeliveryGrant) throws {
        let opened = Set(grant.content.map(\.contentId))
        let revoked = Set(grant.refused.filter { $0.code == "revoked" }.map(\.transactionId))
        try removeContents { revoked.contains($0.transactionId) && !opened.contains($0.contentId) }
        try change { $0.merge(grant.content, wantsNew: configuration.downloadsAutomatically) }
        if isStarted { enqueueMissing() }
    }
}
