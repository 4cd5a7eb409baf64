import Crypto
import Foundation
import Perennial
import PerennialStorage

extension Store {
    /// How many entries of the journal one transaction reads.
    static let notificationReadBatch = 500
    /// How long notifications can be asked for (Get Notification History).
    package static let notificationHistory: Int64 = .days(180)

    /// Reads an app's journal from where it was read last, and makes the notifications that tell of its entries. The place
    /// moves in the same transaction: a crash repeats nothing.
    func readJournalForNotifications(app: Int64) async throws {
        while try await readBatchForNotifications(app: app) {}
    }

    /// The same for the next entries only.
    /// - Returns: Whether there may be more to read.
    func readBatchForNotifications(app: Int64) async throws -> Bool {
        try await database.write { [self] in try readJournal(app: app, on: $0) }
    }

    /// - Returns: Whether there may be more to read.
    private func readJournal(app: Int64, on connection: any Connection) throws -> Bool {
        guard
            let position = try NotificationSettingsTable.lockedPosition(app: app, environment.id, on: connection),
            let record = try NotificationSettingsTable.record(app: app, environment.id, on: connection),
            let entry = try catalog.entry(number: app, on: connection)
        else { return false }
        let entries = try JournalTable.headings(
            after: position, limit: Self.notificationReadBatch, app: app, environment.id, on: connection)
        guard let last = entries.last else { return false }
        let now = try clock.now(on: connection)
        let states = try JournalStatesTable.states(
            after: position, through: last.position, app: app, environment.id, on: connection)
        var maker = NotificationMaker(
            settings: try NotificationSettings(record), entry: entry, now: now, store: self)
        for (position, entry) in entries {
            try maker.make(entry, at: position, states[position] ?? .init(), on: connection)
        }
        try JournalStatesTable.remove(through: last.position, app: app, environment.id, on: connection)
        try NotificationSettingsTable.setPosition(last.position, app: app, environment.id, on: connection)
        try NotificationsTable.purge(before: now + -Self.notificationHistory, app: app, environment.id, on: connection)
        return entries.count == Self.notificationReadBatch
    }
}

/// Makes notifications of an app's journal entries, in their order.
private struct NotificationMaker {
    let settings: NotificationSettings
    let entry: CatalogCache.Entry
    let now: Instant
    let store: Store
    /// When the newest notification of each subscription or purchase was signed.
    private var signed: [TransactionID: Instant] = [:]
    /// When the newest one that is held back is attempted.
    private var lastDue: [TransactionID: Instant] = [:]

    init(settings: NotificationSettings, entry: CatalogCache.Entry, now: Instant, store: Store) {
        self.settings = settings
        self.entry = entry
        self.now = now
        self.store = store
    }

    mutating func make(
        _ noted: JournalEntry, at position: Int64, _ state: JournalStatesTable.State, on connection: any Connection
    ) throws {
        let isFree = noted.productID.flatMap { entry.products[$0]?.type } == .free
        guard let kind = noted.kind.notification(isFree: isFree) else { return }
        // The App Store tests receivers with version 2 only, also those of version 1.
        guard settings.version == .one, noted.kind != .subscription(.tested) else {
            let part = NotificationRecord.Key(position: position, part: 0)
            return try insert(noted, part, version: .two, kind.type, kind.subtype, state, on: connection)
        }
        let types = NotificationV1.types(noted.kind, try circumstances(of: noted, on: connection))
        for (part, type) in types.enumerated() {
            let key = NotificationRecord.Key(position: position, part: Int64(part))
            try insert(noted, key, version: .one, type, nil, state, on: connection)
        }
    }

    private mutating func insert(
        _ noted: JournalEntry, _ key: NotificationRecord.Key, version: NotificationSettings.Version, _ type: String,
        _ subtype: String?, _ state: JournalStatesTable.State, on connection: any Connection
    ) throws {
        let signed = try nextSigned(noted.originalID, on: connection)
        try NotificationsTable.insert(
            NotificationRecord(
                key: key, uuid: uuid(of: noted, key), version: version.rawValue, type: type, subtype: subtype,
                account: noted.accountID, originalID: noted.originalID, transactionID: noted.transactionID,
                signed: signed, state: state, nextAttempt: try due(noted.originalID, key, on: connection)),
            app: entry.app.appleID, store.environment.id, on: connection)
    }

    /// Receivers tell stale from fresh by the signed date: within a subscription each is later than the one before.
    private mutating func nextSigned(_ id: TransactionID?, on connection: any Connection) throws -> Instant {
        guard let id else { return now }
        let last =
            try signed[id]
            ?? NotificationsTable.lastSigned(id, app: entry.app.appleID, store.environment.id, on: connection)
        let next = last.map { max(now, $0 + 1) } ?? now
        signed[id] = next
        return next
    }

    /// When it is first attempted: at once, unless it is to be held back. Then the next one of its subscription comes no
    /// sooner, unless they may overtake each other.
    private mutating func due(
        _ id: TransactionID?, _ key: NotificationRecord.Key, on connection: any Connection
    ) throws -> Instant {
        guard let trouble = settings.trouble, trouble.delay > 0 else { return now }
        let due = now + trouble.heldBack(key.position, key.part)
        guard let id, !trouble.reorders else { return due }
        let last =
            try lastDue[id]
            ?? NotificationsTable.lastDue(id, app: entry.app.appleID, store.environment.id, on: connection)
        let next = last.map { max(due, $0) } ?? due
        lastDue[id] = next
        return next
    }

    /// The same whenever the same entry is read: version 8 of RFC 9562, of a digest that only this environment makes.
    private func uuid(of noted: JournalEntry, _ key: NotificationRecord.Key) -> String {
        var input = Array("notification \(noted.kind.rawValue)".utf8)
        for number in [
            entry.app.appleID, key.position, key.part, noted.at.milliseconds, noted.transactionID?.rawValue ?? 0,
        ] {
            withUnsafeBytes(of: number.bigEndian) { input.append(contentsOf: $0) }
        }
        var bytes = store.seal.bytes(from: input, count: 16)
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString.lowercased()
    }

    private func circumstances(
        of noted: JournalEntry, on connection: any Connection
    ) throws -> NotificationV1.Circumstances {
        let environment = store.environment
        let transaction = try noted.transactionID.flatMap {
            try TransactionsTable.transaction($0, app: entry.app.appleID, environment.id, on: connection)
        }
        var isOtherProduct = false
        if noted.kind == .subscription(.resubscribed), let transaction {
            let key = CustomerKey(environment: environment.id, app: entry.app.appleID, account: noted.accountID)
            let before = try TransactionsTable.all(of: key, on: connection).last {
                $0.originalID == transaction.originalID && $0.id < transaction.id
            }
            isOtherProduct = before.map { $0.productID != transaction.productID } ?? false
        }
        return NotificationV1.Circumstances(
            environment: environment.kind, ownership: transaction?.ownership ?? .purchased,
            isOtherProduct: isOtherProduct)
    }
}
