import Dispatch
import Foundation
import Perennial
import Synchronization

/// The purchases of a customer on this device: what the store signed, the app's balances, and records of finished purchases.
///
/// The file is encrypted and authenticated with AES-GCM. Its key is in the keychain, on Linux in the Secret Service, and where there
/// is none in a file with mode 0600 outside of the app's folder. A file that was changed, truncated, copied from another device or account, or replaced by an
/// older one is refused, kept beside the new one as `vault.refused`, and rebuilt from the store's signed transactions.
///
/// An attacker who can read the key can make a file that is accepted. Transactions are safe from that too, because each is verified
/// by its own signature before it grants anything; balances are not, and belong on a server if their value calls for it.
///
/// Several processes may use a folder: each change is made under a lock, from what the last of them has written. A process sees the changes
/// of others with its own next one, and with the store's next answer.
public final class PurchaseVault: Sendable {
    /// Condition of the vault.
    public enum Condition: Sendable, Equatable {
        /// The file is intact, or there is none yet.
        case intact
        /// The file was refused. The vault fills with the next answer of the store.
        case refused
        /// The file was refused, and rebuilt from the store's answers.
        case rebuilt
        /// The file can't be read now. The vault is empty and work waits until it can be.
        case unreadable
    }

    static let fileName = "vault"
    /// Name of a refused file, which is kept as evidence.
    static let refusedName = "vault.refused"

    struct Storage {
        var state = VaultState()
        var isLoaded = false
        var condition = Condition.unreadable
        var refusal: FileError?
        /// The file; `nil` if the device's key can't be made.
        var log: SealedLog?
        /// A complete list of the store that is under way.
        var listing: VaultListing?
        /// Time of the store's last answer in the file, which may be older than in memory.
        var writtenConfirmation: StoreConfirmation?
        /// False during a change without the lock of the file.
        var mayWrite = true
        /// Changes that are in memory only.
        var unsaved = UnsavedChanges()
        /// Changes of other processes that no listener of this one knows.
        var news = VaultDelta()
    }

    let owner: String
    let identity: BackupIdentity
    let dependencies: DeviceDependencies
    private let files: any FileStore
    private let protection: Protection
    private let key: DeviceKeyLoader
    private let storage = Mutex(Storage())
    /// The last state, so that readers don't wait for a write; `nil` before the file was read.
    private let published = Mutex<VaultState?>(nil)
    private let anchors = AnchorWriter()
    /// The store's time at its last reading; `nil` before the first.
    let timeMark = Mutex<StoreTimeMark?>(nil)
    /// Terms of non-renewing subscriptions; `nil` if the app decides about all of them.
    let nonRenewingTerms: NonRenewingTermRules?
    let signatureCheck = Mutex<(@Sendable (String) -> Bool)?>(nil)

    /// Makes a vault. Reads nothing yet.
    ///
    /// - Parameters:
    ///   - owner: App, account and device. The files of another owner are refused.
    ///   - account: The customer's account name, for backups.
    ///   - bundleID: Bundle ID of the app, for backups.
    ///   - environment: Path of the store's environment, for backups.
    ///   - password: Password of the account, for backups; `nil` without one.
    ///   - files: The files of app and account.
    ///   - dependencies: Clock and randomness.
    ///   - protection: Place of the key.
    ///   - nonRenewingTerms: Terms of non-renewing subscriptions, with which their entitlements end; `nil` leaves that to the app.
    package init(
        owner: String, account: String = "", bundleID: String = "", environment: String = "", password: String? = nil,
        files: any FileStore, dependencies: DeviceDependencies, protection: Protection = .files,
        nonRenewingTerms: NonRenewingTermRules? = nil
    ) {
        self.owner = owner
        self.identity = BackupIdentity(
            account: account, bundleID: bundleID, environment: environment, password: password)
        self.files = files
        self.dependencies = dependencies
        self.protection = protection
        self.key = DeviceKeyLoader(in: files, owner: owner, protection: protection, dependencies)
        self.nonRenewingTerms = nonRenewingTerms
    }

    /// Sets the check of signatures in imported backups: verifies a JWS in compact form without a network.
    package func setSignatureCheck(_ check: @escaping @Sendable (String) -> Bool) {
        signatureCheck.withLock { $0 = check }
    }

    /// Waits for the key and reads the vault: call it at launch, before the first use.
    ///
    /// A storage of secrets may have to ask the customer to unlock it. This waits for that without blocking a thread. All else of the
    /// vault waits a fifth of a second at most, and finds an empty vault until the key is there (``Condition/unreadable``).
    ///
    /// - Returns: False if the vault can't be read now.
    @discardableResult
    public func open() async -> Bool {
        await prepare()
        return load()
    }

    /// Waits for a storage of secrets, without blocking a thread.
    func prepare() async {
        await key.prepare()
    }

    /// Condition of the vault.
    public var condition: Condition {
        _ = load()
        return storage.withLock { $0.condition }
    }

    /// Reason of the last refusal, with the file; `nil` without one.
    public var refusalReason: String? {
        _ = load()
        return storage.withLock { $0.refusal?.description }
    }

    /// The signed data at this time; empty while the file can't be read.
    package var contents: VaultContents { current.contents }

    /// The vault as a request for changes finds it.
    package var base: VaultBase { VaultBase(current) }

    /// The state at this time.
    var current: VaultState {
        if let state = published.withLock({ $0 }) { return state }
        _ = load()
        return published.withLock { $0 } ?? VaultState()
    }

    // MARK: Reading

    /// Reads the file if it wasn't read yet.
    ///
    /// - Returns: False if it can't be read now; true also if it was refused.
    package func load() -> Bool {
        if published.withLock({ $0 != nil }) { return true }
        return storage.withLock { storage in
            guard read(&storage) else { return false }
            publish(storage.state)
            return true
        }
    }

    /// Reads the file if it wasn't read yet.
    ///
    /// - Parameter isChange: True to read the changes of another process under the lock: a refused file isn't kept then.
    private func read(_ storage: inout Storage, isChange: Bool = false) -> Bool {
        guard !storage.isLoaded else { return true }
        let key: DeviceKey?
        do {
            key = protection.keepsState ? try self.key.key() : nil
        } catch {
            return false
        }
        storage.condition = .intact
        if let key {
            var log = SealedLog(name: Self.fileName, files: files, key: key.fileKey)
            switch read(&log, key, isLocked: isChange) {
            case .unreadable:
                storage.condition = .unreadable
                return false
            case .nothing: break
            case .intact(let frames):
                do {
                    for frame in frames { storage.state.apply(try VaultPatch(frame)) }
                } catch {
                    let reason = FileError(.tampered, path: Self.fileName, reason: "of another version: \(error)")
                    refuse(reason, &storage, evidence: !isChange)
                    log.requireSnapshot()
                }
            case .refused(let reason): refuse(reason, &storage, evidence: !isChange)
            }
            if storage.state.needsRebuild { storage.condition = .refused }
            storage.writtenConfirmation = storage.state.contents.confirmation
            anchors.use(key)
            // The process before this one may have ended before it stored the number.
            if storage.refusal == nil, log.number > key.currentAnchor() { anchors.store(log.number) }
            storage.log = log
        }
        storage.isLoaded = true
        return true
    }

    /// Reads the file with the number that it has to reach: what looks wrong without the lock may be half of another process's write, and
    /// is read again with it.
    private func read(_ log: inout SealedLog, _ key: DeviceKey, isLocked: Bool) -> SealedLog.Reading {
        let unread = log
        func read() -> SealedLog.Reading {
            log = unread
            // Before the file, which is written before its number.
            return log.read(anchor: key.currentAnchor(), now: dependencies.now().milliseconds)
        }
        let reading = read()
        guard !isLocked, case .refused = reading else { return reading }
        return (try? unread.withLock { read() }) ?? reading
    }

    /// Returns a further file with the vault's key; `nil` if the key can't be made.
    ///
    /// - Throws: Any error if the key can't be read now.
    func sealedLog(_ name: String) throws -> SealedLog? {
        try key.key().map { SealedLog(name: name, files: files, key: $0.fileKey) }
    }

    /// Waits until the number beside the key in the storage of secrets is written.
    package func drainAnchors() {
        anchors.drain()
    }

    private func refuse(_ reason: FileError, _ storage: inout Storage, evidence: Bool) {
        if evidence { keepEvidence() }
        storage.state = VaultState()
        storage.state.needsRebuild = true
        storage.refusal = reason
    }

    private func keepEvidence() {
        if let file = try? files.read(Self.fileName) { try? files.write(file, to: Self.refusedName) }
    }

    // MARK: Writing

    /// The need of a change for the disk.
    enum Durability {
        /// The change is made only if it was written.
        case required
        /// The change has happened already: it is kept in memory if it can't be written, and written with the next.
        case lenient
        /// The change is made only if it was written, and if no other process makes one now.
        case optional
    }

    /// Makes a change: computes a patch, writes it, applies it.
    ///
    /// - Parameter body: Computes the patch from the present state, and a result.
    /// - Throws: ``FileError`` if the file can't be read now, or not written; errors of `body`.
    func change<Outcome: Sendable>(
        _ durability: Durability, _ body: (inout Storage) throws -> (VaultPatch, Outcome)
    ) throws -> Outcome {
        try storage.withLock { storage in
            guard read(&storage) else { throw Self.unreadable }
            return try exclusively(durability, &storage) { storage in
                let (patch, outcome) = try body(&storage)
                guard !patch.isEmpty else {
                    publish(storage.state)
                    return outcome
                }
                try commit(patch, durability, &storage)
                return outcome
            }
        }
    }

    private static let unreadable = FileError(.other, path: fileName, reason: "the file can't be read now")

    /// Runs a change while no other process makes one, from the state that the last of them has written.
    private func exclusively<Outcome: Sendable>(
        _ durability: Durability, _ storage: inout Storage, _ body: (inout Storage) throws -> Outcome
    ) throws -> Outcome {
        guard let log = storage.log else { return try body(&storage) }
        var isLocked = false
        do {
            return try log.withLock(waiting: durability != .optional) {
                isLocked = true
                if log.isOutdated { try takeChanges(&storage) }
                return try body(&storage)
            }
        } catch {
            guard !isLocked, durability == .lenient else { throw error }
            // Kept in memory, as without a disk.
            storage.mayWrite = false
            defer { storage.mayWrite = true }
            return try body(&storage)
        }
    }

    /// Takes the changes of another process from the file. Keeps the state if it is later than the file.
    private func takeChanges(_ storage: inout Storage) throws {
        var fresh = Storage()
        guard let earlier = storage.log, read(&fresh, isChange: true), var log = fresh.log else {
            throw Self.unreadable
        }
        let isTaken = fresh.refusal == nil && log.continues(earlier)
        // An older copy, or a damaged file, in place of which the next write puts what this process has.
        guard isTaken || !log.isCovered(by: earlier) else {
            storage.log?.keepContent()
            return
        }
        log.skipNumbers(of: earlier)
        fresh.log = log
        if isTaken {
            fresh.refusal = storage.refusal
            if fresh.condition == .intact {
                fresh.condition = storage.condition == .refused ? .rebuilt : storage.condition
            }
            fresh.continueListing(of: storage)
            fresh.keepUnsaved(of: storage)
            fresh.news = storage.news
            fresh.news.add(from: storage.state, to: fresh.state)
        } else {
            // The files of other processes are gone: this one knows less, so its content doesn't count, either.
            keepEvidence()
        }
        storage = fresh
        publish(storage.state)
    }

    private func commit(_ patch: VaultPatch, _ durability: Durability, _ storage: inout Storage) throws {
        var state = storage.state
        state.apply(patch)
        do {
            if protection.keepsState { try write(patch, of: state, &storage) }
            storage.unsaved = UnsavedChanges()
        } catch {
            // The log wants a snapshot next, which contains a change that is only in memory.
            guard durability == .lenient else { throw error }
            storage.unsaved.note(patch)
        }
        storage.writtenConfirmation = state.contents.confirmation
        if let listing = storage.listing { state.contents.revision = listing.revision }
        if storage.condition == .refused, !state.needsRebuild { storage.condition = .rebuilt }
        storage.state = state
        publish(state)
    }

    private func write(_ patch: VaultPatch, of state: VaultState, _ storage: inout Storage) throws {
        guard storage.log != nil else {
            throw FileError(.other, path: Self.fileName, reason: "the device's key can't be made")
        }
        guard storage.mayWrite else {
            storage.log?.requireSnapshot()
            throw FileError(.locked, path: Self.fileName, reason: "another process holds the lock")
        }
        let change = try patch.encoded()
        if storage.log?.wantsSnapshot(inPlaceOf: change.count) == true {
            let revision = storage.listing == nil ? state.contents.revision : nil
            try storage.log?.replace(by: state.snapshot(revision: revision).encoded())
        } else {
            try storage.log?.append(change)
        }
        if let number = storage.log?.number { anchors.store(number) }
    }

    private func publish(_ state: VaultState) {
        published.withLock { $0 = state }
    }

    /// Forgets everything, also balances, for a store that was emptied. Stays in memory if it can't be written, and is written with
    /// the next change.
    package func removeAll() {
        storage.withLock { storage in
            guard read(&storage) else { return }
            try? exclusively(.lenient, &storage) { storage in
                storage.state = VaultState()
                storage.listing = nil
                (storage.unsaved, storage.news) = (UnsavedChanges(), VaultDelta())
                storage.condition = .intact
                storage.writtenConfirmation = nil
                timeMark.withLock { $0 = nil }
                publish(storage.state)
                storage.log?.requireSnapshot()
                guard storage.mayWrite else { return }
                try storage.log?.replace(by: VaultPatch().encoded())
                if let number = storage.log?.number { anchors.store(number) }
            }
        }
    }
}
