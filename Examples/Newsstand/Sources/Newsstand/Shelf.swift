import StoreKit

/// The issues of the magazine: those that the customer's subscription has paid for, now or earlier.
///
/// An issue stays with everyone who had a paid period on its day, also after the subscription has ended.
public actor Shelf {
    private let downloads: ContentDownloads

    /// Opens the shelf.
    ///
    /// - Parameters:
    ///   - server: The publisher's content server.
    ///   - folder: Folder for the issues of this customer.
    ///   - downloadsNewIssues: True to download each new issue at once.
    /// - Throws: `DeliveryError` if the folder can't be read.
    public init(server: DeliveryClient, folder: URL, downloadsNewIssues: Bool = false) throws {
        var configuration = ContentDownloads.Configuration()
        configuration.downloadsAutomatically = downloadsNewIssues
        configuration.maximumConcurrentDownloads = 2
        downloads = try ContentDownloads(client: server, folder: folder, configuration: configuration) {
            guard let connection = StoreConnection.current else { throw NewsstandError.noStore }
            return try await connection.refreshReceipt()
        }
    }

    /// Known issues, oldest first. Works without a network.
    public var issues: [ContentItem] {
        get async { await downloads.items.sorted { $0.id < $1.id } }
    }

    /// The states of the issues, now and after each change.
    public nonisolated var updates: ContentUpdates { downloads.updates }

    /// Asks the publisher for the customer's issues: new ones appear, those of a refunded period go.
    public func refresh() async throws {
        try await downloads.refresh()
    }

    /// Continues unfinished downloads of the app's last run.
    public func resume() async {
        await downloads.resume()
    }

    /// Returns an issue, and downloads it first if it isn't here.
    public func open(_ id: String) async throws -> URL {
        if let url = await downloads.url(for: id) { return url }
        guard await downloads.item(id) != nil else { throw NewsstandError.noIssue(id) }
        try await downloads.download(id)
        return try await downloads.finished(id)
    }

    /// Removes an issue's file from this device. It stays on the shelf.
    public func putBack(_ id: String) async throws {
        try await downloads.removeFiles(of: id)
    }

    /// Restores the customer's purchases on a new device, with their issues.
    public func restore() async throws {
        try await AppStore.sync()
        try await refresh()
    }
}
