import Foundation

extension ContentDownloads {
    // MARK: The line

    /// Puts all requested contents that are missing into the line.
    func enqueueMissing() {
        for entry in journal.entries where entry.needsDownload { enqueue(entry.content.contentId) }
        startWaiting()
    }

    /// Puts a content into the line, unless it has a transfer.
    func enqueue(_ id: String) {
        guard let entry = journal[id], entry.needsDownload, transfers[id] == nil else { return }
        let received = files.download(of: entry.content).resumable()?.received ?? 0
        transfers[id] = ContentTransfer(
            phase: .waiting, meter: TransferMeter(received: received, size: entry.content.size))
        waiting.append(id)
        changes.send()
    }

    /// Starts as many transfers as there are free places.
    func startWaiting() {
        var free = max(configuration.maximumConcurrentDownloads, 1)
        free -= transfers.values.count { $0.phase == .running }
        while free > 0, !waiting.isEmpty {
            let id = waiting.removeFirst()
            guard transfers[id]?.phase == .waiting else { continue }
            start(id)
            free -= 1
        }
    }

    private func start(_ id: String) {
        runs += 1
        let (run, previous) = (runs, tails[id])
        let task = Task {
            await previous?.value
            await transfer(id, run)
        }
        transfers[id]?.phase = .running
        transfers[id]?.run = run
        transfers[id]?.task = task
        tails[id] = task
        changes.send()
    }

    /// Ends a transfer without a result. Its task writes until its next suspension, see ``tails``.
    func stop(_ id: String) {
        waiting.removeAll { $0 == id }
        transfers.removeValue(forKey: id)?.task?.cancel()
        changes.send()
    }

    /// Removes a content's files, once its last transfer has ended.
    func cleanUp(_ id: String, keeping kept: [String]) {
        let previous = tails[id]
        tails[id] = Task { [files] in
            await previous?.value
            files.removeVersions(of: id, except: kept)
        }
    }

    // MARK: A transfer

    private func transfer(_ id: String, _ run: Int) async {
        guard transfers[id]?.run == run, let meter = transfers[id]?.meter else { return }
        let before = meter.progress.received
        do {
            try await fetch(id, run, meter)
            guard transfers[id]?.run == run else { return }
            transfers[id] = nil
            // A newer version may have become known meanwhile.
            enqueue(id)
            removeFulfilledReceipts()
        } catch {
            guard transfers[id]?.run == run else { return }
            if meter.progress.received > before { transfers[id]?.failures = 0 }
            fail(id, run, DeliveryError(wrapping: error))
        }
        changes.send()
        startWaiting()
    }

    /// Schedules the next attempt, or ends the transfer with its error.
    private func fail(_ id: String, _ run: Int, _ error: DeliveryError) {
        let failures = (transfers[id]?.failures ?? 0) + 1
        transfers[id]?.error = error
        transfers[id]?.failures = failures
        guard error.isTemporary, failures <= configuration.maximumRetries else {
            transfers[id]?.phase = .failed
            return
        }
        let delay = configuration.retry.delay(afterFailures: failures)
        let previous = tails[id]
        let task = Task { [client] in
            await previous?.value
            guard (try? await client.dependencies.sleep(delay)) != nil else { return }
            retry(id, run)
        }
        transfers[id]?.phase = .delayed
        transfers[id]?.task = task
        tails[id] = task
    }

    private func retry(_ id: String, _ run: Int) {
        guard transfers[id]?.run == run, transfers[id]?.phase == .delayed else { return }
        transfers[id]?.phase = .waiting
        waiting.append(id)
        startWaiting()
    }

    /// Downloads and installs a content, with a new grant if the present one is outdated.
    private func fetch(_ id: String, _ run: Int, _ meter: TransferMeter) async throws {
        var refusedToken: String?
        var mismatch: (sha256: String, error: DeliveryError)?
        for isLast in [false, false, true] {
            if try await adopt(id, run) { return }
            let (grant, content) = try await granted(id, insteadOf: refusedToken)
            guard transfers[id]?.run == run else { throw CancellationError() }
            // The same file again would have the same wrong digest.
            if let mismatch, mismatch.sha256 == content.sha256 { throw mismatch.error }
            if content != journal[id]?.content {
                try change { $0.merge([content], wantsNew: false) }
                if try await adopt(id, run) { return }
            }
            do {
                try await download(content, grant, meter)
                let file = LibraryJournal.InstalledFile(
                    sha256: content.sha256.lowercased(), size: content.size, path: files.path(of: content))
                return try install(file, id, run)
            } catch let error as DeliveryError where error.isOfGrant && !isLast {
                refusedToken = grant.token
                if error.code == .digestMismatch { mismatch = (content.sha256, error) }
            }
        }
    }

    /// Returns the content with a grant that opens it.
    private func granted(_ id: String, insteadOf token: String?) async throws -> (DeliveryGrant, GrantedContent) {
        var lastError = DeliveryError(.notGranted, reason: "no purchase opens \(id)")
        for source in sources(for: id) {
            do {
                let grant = try await grants.grant(source, insteadOf: token)
                if let content = grant.content.first(where: { $0.contentId == id }) { return (grant, content) }
                // A grant from before the purchase doesn't have it.
                let renewed = try await grants.grant(source, insteadOf: grant.token)
                if let content = renewed.content.first(where: { $0.contentId == id }) { return (renewed, content) }
            } catch {
                lastError = DeliveryError(wrapping: error)
            }
        }
        throw lastError
    }

    /// Returns the grants that may open a content: of its purchase's stored receipt first, since a later receipt may lack it.
    private func sources(for id: String) -> [ContentGrants.Source] {
        guard let content = journal[id]?.content else { return [.current] }
        let stored = storedReceipts.filter { !$0.purchase.contents(among: [content]).isEmpty }
        return stored.compactMap { $0.purchase.transactionIDs.first }.map { .stored(transactionID: $0) } + [.current]
    }

    private nonisolated func download(
        _ content: GrantedContent, _ grant: DeliveryGrant, _ meter: TransferMeter
    ) async throws {
        try files.prepare(content)
        var session = client.session(for: content, grant: grant, files: files.download(of: content))
        session.freeBytes = freeBytes
        session.acceptsNewerFile = false
        try await session.run { [changes, client] received, size in
            meter.update(received: received, size: size, at: client.dependencies.now())
            changes.send()
        }
    }

    /// Installs a complete file that an earlier run of the app left.
    ///
    /// - Returns: False without such a file.
    private func adopt(_ id: String, _ run: Int) async throws -> Bool {
        guard let entry = journal[id] else { throw CancellationError() }
        if entry.isCurrent { return true }
        guard let file = await complete(entry.content) else { return false }
        try install(file, id, run)
        return true
    }

    private nonisolated func complete(_ content: GrantedContent) async -> LibraryJournal.InstalledFile? {
        files.complete(content)
    }

    /// Records a complete file, then removes earlier versions.
    private func install(_ file: LibraryJournal.InstalledFile, _ id: String, _ run: Int) throws {
        // Of a transfer that was stopped, the files are removed.
        guard transfers[id]?.run == run else { throw CancellationError() }
        try change { $0.change(id) { $0.installed = file } }
        files.removeVersions(of: id, except: [file.path])
    }
}

extension DeliveryError {
    /// True if a later attempt may succeed without a change on this device.
    var isTemporary: Bool {
        [.noConnection, .storeUnavailable, Code(rawValue: "unavailable"), .malformedAnswer].contains(code)
    }

    /// True if another grant may help.
    var isOfGrant: Bool { [.unauthorized, .contentChanged, .digestMismatch].contains(code) }
}
