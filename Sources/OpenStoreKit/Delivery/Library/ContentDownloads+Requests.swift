import Foundation

extension ContentDownloads {
    // MARK: The customer's contents

    /// Asks the content server for the contents of the customer's purchases.
    ///
    /// Downloads new versions of contents that are on this device, and removes the content of revoked purchases.
    ///
    /// - Returns: All contents that this device knows.
    /// - Throws: ``DeliveryError``; nothing changes then.
    @discardableResult
    public func refresh() async throws -> [ContentItem] {
        isStarted = true
        do {
            try take(try await grants.renewed(.current))
        } catch {
            throw DeliveryError(wrapping: error)
        }
        enqueueMissing()
        return items
    }

    /// Continues unfinished downloads, also those of the app's earlier runs and failed ones.
    public func resume() {
        isStarted = true
        for (id, transfer) in transfers where transfer.phase == .failed { transfers[id] = nil }
        enqueueMissing()
        processStoredReceipts()
    }

    // MARK: One content

    /// Requests a content. Has no effect if it is on this device.
    ///
    /// - Throws: ``DeliveryError``: `contentNotFound` for a content that no grant has named, see ``refresh()``.
    public func download(_ contentID: String) throws {
        try request([contentID])
    }

    /// Stops a download, also over restarts of the app, until ``resume(_:)``. Keeps the received bytes.
    public func pause(_ contentID: String) throws {
        guard let entry = journal[contentID], entry.isWanted, !entry.isCurrent else { return }
        try change { $0.change(contentID) { $0.isPaused = true } }
        stop(contentID)
        startWaiting()
    }

    /// Continues a download after a pause or a failure.
    public func resume(_ contentID: String) throws {
        guard let entry = journal[contentID], entry.isWanted else { return }
        try request([contentID])
    }

    /// Stops a download and deletes the received bytes. Keeps the previous version of the content.
    public func cancel(_ contentID: String) throws {
        guard let entry = journal[contentID], !entry.isCurrent else { return }
        try change {
            $0.change(contentID) { entry in
                entry.isWanted = entry.installed != nil
                entry.isPaused = entry.isWanted
            }
        }
        stop(contentID)
        cleanUp(contentID, keeping: entry.installed.map { [$0.path] } ?? [])
        startWaiting()
    }

    /// Removes a content's files from this device. It can be downloaded again.
    public func removeFiles(of contentID: String) throws {
        guard journal[contentID] != nil else { return }
        try change {
            $0.change(contentID) { entry in (entry.isWanted, entry.isPaused, entry.installed) = (false, false, nil) }
        }
        stop(contentID)
        cleanUp(contentID, keeping: [])
        startWaiting()
    }

    /// Waits until a content is on this device. Waits while it is paused.
    ///
    /// - Returns: The URL of the file.
    /// - Throws: ``DeliveryError``: the error of a failed download; `cancelled` if the content isn't requested, or the calling
    ///   task is cancelled.
    public func finished(_ contentID: String) async throws -> URL {
        for await _ in changes.stream() {
            guard let entry = journal[contentID] else { break }
            if entry.isCurrent, let url = url(for: contentID) { return url }
            guard entry.isWanted else { break }
            if let transfer = transfers[contentID], transfer.phase == .failed, let error = transfer.error {
                throw error
            }
        }
        throw DeliveryError(.cancelled, reason: "\(contentID) isn't requested any more")
    }

    // MARK: Revoked purchases

    /// Removes the contents of products whose purchases were revoked, as
    /// `paymentQueue(_:didRevokeEntitlementsForProductIdentifiers:)` names them.
    public func removeContent(ofProducts productIDs: [String]) throws {
        try removeContents { productIDs.contains($0.productId) }
    }

    /// Removes the contents that a revoked transaction opened.
    public func removeContent(ofTransaction transactionID: String) throws {
        try removeContents { $0.transactionId == transactionID }
    }

    /// Stops all downloads without changing what is requested; ``resume()`` continues them. Returns when nothing is written any
    /// more.
    public func suspend() async {
        isStarted = false
        waiting = []
        receiptTask?.cancel()
        for id in transfers.keys { stop(id) }
        await idle()
    }

    /// Waits until no task changes the files.
    package func idle() async {
        while true {
            if let task = receiptTask {
                await task.value
                if receiptTask == task { receiptTask = nil }
            } else if let (id, task) = tails.first {
                await task.value
                if tails[id] == task { tails[id] = nil }
            } else {
                return
            }
        }
    }

    // MARK: Parts

    /// Marks contents as requested and starts their downloads.
    func request(_ ids: [String]) throws {
        for id in ids where journal[id] == nil {
            throw DeliveryError(.contentNotFound, reason: "no purchase opens \(id)")
        }
        try change { journal in
            for id in ids { journal.change(id) { ($0.isWanted, $0.isPaused) = (true, false) } }
        }
        isStarted = true
        for id in ids where transfers[id]?.phase == .failed || transfers[id]?.phase == .delayed { stop(id) }
        ids.forEach(enqueue)
        startWaiting()
    }

    /// Removes contents from the journal, then their files.
    func removeContents(where isRemoved: (GrantedContent) -> Bool) throws {
        var removed: [String] = []
        try change { removed = $0.remove(where: isRemoved) }
        for id in removed {
            stop(id)
            cleanUp(id, keeping: [])
        }
        if !removed.isEmpty { startWaiting() }
    }
}
