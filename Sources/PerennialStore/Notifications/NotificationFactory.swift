import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

/// Creates the notifications for entries of an app's journal, in the transaction that appends the entries. So a
/// notification exists if and only if its entry is committed.
struct NotificationFactory {
    /// A journal entry with the data that its notification needs.
    struct Event {
        var entry: JournalEntry
        var position: Int64
        /// The subscription after the change; `nil` if the entry isn't about one.
        var subscription: Subscription?
        var details: NotificationDetails?
    }

    private let outbox: NotificationOutbox
    private let entry: CatalogCache.Entry
    private let settings: NotificationSettings
    private let now: Instant
    private var contents: [(position: Int64, content: NotificationContent)] = []
    private var records: [NotificationRecord] = []
    /// The newest notification of each subscription or purchase that was looked up.
    private var newest: [TransactionID: NotificationsTable.Newest] = [:]

    /// Returns `nil` at once if the app wants no notifications.
    init?(app: Int64, outbox: NotificationOutbox, on connection: any Connection) throws {
        guard let entry = try outbox.catalog.entry(number: app, on: connection),
            let settings = entry.notifications[outbox.environment.id]
        else { return nil }
        self.outbox = outbox
        self.entry = entry
        self.settings = settings
        now = try outbox.clock.now(on: connection)
    }

    /// Creates the notifications of consecutive entries. ``write(on:)`` inserts them, all at once.
    ///
    /// - Parameters:
    ///   - last: The position of the last entry.
    ///   - subscription: The subscription after the change; `nil` if the entries aren't about one.
    ///   - details: The details of the first entry; the others have none.
    mutating func make(
        of entries: [JournalEntry], last: Int64, subscription: Subscription? = nil,
        details: NotificationDetails? = nil, on connection: any Connection
    ) throws {
        // Injected faults are drawn by position.
        let last = settings.faults == nil ? last : try JournalTable.number(of: last, on: connection)
        var sentTypes: Set<String> = []
        for (offset, entry) in entries.enumerated() {
            let event = Event(
                entry: entry, position: last - Int64(entries.count - 1 - offset), subscription: subscription,
                details: offset == 0 ? details : nil)
            // The App Store sends test notifications in version 2 only, also to receivers of version 1.
            if settings.version == .two || entry.kind == .subscription(.tested) {
                try make(of: event, on: connection)
            } else {
                try makeV1(of: event, besides: &sentTypes, on: connection)
            }
        }
    }

    /// Inserts the notifications created so far.
    func write(on connection: any Connection) throws {
        guard !records.isEmpty else { return }
        let (app, environment) = (entry.app.appleID, outbox.environment.id)
        try NotificationContentsTable.insert(contents, app: app, environment, on: connection)
        try NotificationsTable.insert(records, app: app, environment, on: connection)
        outbox.context.notificationSignal.markPending()
    }

    private mutating func make(of event: Event, on connection: any Connection) throws {
        let journalEntry = event.entry
        let isFree = journalEntry.productID.flatMap { entry.products[$0]?.type } == .free
        guard let kind = journalEntry.kind.notification(isFree: isFree) else { return }
        try add(event, part: 0, version: .two, kind.type, kind.subtype, on: connection)
        contents.append((event.position, try content(of: event, transaction(of: journalEntry, on: connection))))
    }

    /// Creates notifications of version 1.
    ///
    /// - Parameter before: The types that earlier entries of the same event have sent: one of each is enough.
    private mutating func makeV1(
        of event: Event, besides before: inout Set<String>, on connection: any Connection
    ) throws {
        let transaction = try transaction(of: event.entry, on: connection)
        let circumstances = try circumstances(of: event.entry, transaction, on: connection)
        let types = NotificationV1.types(event.entry.kind, circumstances).filter { before.insert($0).inserted }
        guard !types.isEmpty else { return }
        for (part, type) in types.enumerated() {
            try add(event, part: Int64(part), version: .one, type, nil, on: connection)
        }
        contents.append((event.position, try content(of: event, transaction)))
    }

    private func transaction(of journalEntry: JournalEntry, on connection: any Connection) throws -> Transaction? {
        try journalEntry.transactionID.flatMap {
            try TransactionsTable.transaction($0, app: entry.app.appleID, outbox.environment.id, on: connection)
        }
    }

    private mutating func add(
        _ event: Event, part: Int64, version: NotificationSettings.Version, _ type: String, _ subtype: String?,
        on connection: any Connection
    ) throws {
        let journalEntry = event.entry
        let key = NotificationRecord.Key(position: event.position, part: part)
        let (signed, due) = try times(of: journalEntry, key, on: connection)
        records.append(
            NotificationRecord(
                key: key, uuid: uuid(of: journalEntry, key), version: version.rawValue, type: type, subtype: subtype,
                account: journalEntry.accountID, originalID: journalEntry.originalID,
                transactionID: journalEntry.transactionID,
                signed: signed, nextAttempt: due))
    }

    /// Returns the state at the time of the event, however late the notification is sent.
    private func content(of event: Event, _ transaction: Transaction?) throws -> NotificationContent {
        let (app, environment, at) = (entry.app, outbox.environment, event.entry.at)
        var content = NotificationContent(details: try event.details?.json)
        if let transaction {
            let payload = SignedTransactionContents.payload(transaction, app, environment: environment, signed: at)
            content.transactionInfo = String(decoding: payload.encoded(), as: UTF8.self)
        }
        if let subscription = event.subscription {
            let payload = SignedRenewalContents.payload(subscription, app, environment: environment, signed: at)
            content.renewalInfo = String(decoding: payload.encoded(), as: UTF8.self)
            content.status = subscription.status(at: at).rawValue
        }
        return content
    }

    private func circumstances(
        of journalEntry: JournalEntry, _ transaction: Transaction?, on connection: any Connection
    ) throws -> NotificationV1.Circumstances {
        var isOtherProduct = false
        if journalEntry.kind == .subscription(.resubscribed), let transaction {
            let key = outbox.customerKey(of: journalEntry.accountID, in: entry.app)
            let before = try TransactionsTable.all(of: key, on: connection)
                .prefix { $0.id != transaction.id }.last { $0.originalID == transaction.originalID }
            isOtherProduct = before.map { $0.productID != transaction.productID } ?? false
        }
        return NotificationV1.Circumstances(
            environment: outbox.environment.kind, ownership: transaction?.ownership ?? .purchased,
            isOtherProduct: isOtherProduct)
    }
}

extension NotificationFactory {
    /// Returns the signing date and the time of the first attempt.
    ///
    /// Receivers tell stale from fresh notifications by the signed date, so within a subscription each is later than the
    /// one before. The first attempt is due at once unless fault injection delays it. The subscription's next one isn't due
    /// earlier than an unsent one before it, unless fault injection lets them overtake each other. A manual clock may reach the entry's instant only after the
    /// entry is written, so the later of both counts.
    private mutating func times(
        of journalEntry: JournalEntry, _ key: NotificationRecord.Key, on connection: any Connection
    ) throws -> (signed: Instant, due: Instant) {
        let now = max(now, journalEntry.at)
        let delay = settings.faults.map { $0.delay(key.position, key.part) } ?? 0
        var (signed, due) = (now, now + delay)
        guard let id = journalEntry.originalID else { return (signed, due) }
        let before =
            try newest[id]
            ?? NotificationsTable.newest(of: id, app: entry.app.appleID, outbox.environment.id, on: connection)
        let swaps = settings.faults?.swaps == true
        if let before {
            // If they change places, another one's attempt fits between.
            signed = max(signed, before.signed + (swaps ? 2 : 1))
            // The node that wrote the one before may have a clock that is ahead of this one's.
            if settings.faults?.reorders != true, let last = before.due { due = max(due, last) }
        }
        if swaps { due = try swapped(key, of: id, signed: signed, on: connection) }
        newest[id] = .init(signed: signed, due: due)
        return (signed, due)
    }

    /// Returns the time of the first attempt if fault injection swaps notifications. One that is hit waits for the
    /// subscription's next one and is due just after it, but not forever. All these times have passed already, so the order
    /// is the same however many are due together.
    private mutating func swapped(
        _ key: NotificationRecord.Key, of id: TransactionID, signed: Instant, on connection: any Connection
    ) throws -> Instant {
        let due = signed + -.seconds(1)
        var isAwaited = try NotificationsTable.reschedule(
            of: id, to: due + 1, app: entry.app.appleID, outbox.environment.id, on: connection)
        for index in records.indices where records[index].originalID == id {
            guard let other = records[index].nextAttempt, other > due + 1 else { continue }
            records[index].nextAttempt = due + 1
            isAwaited = true
        }
        guard !isAwaited, settings.faults?.waitsForNext(key.position, key.part) == true else { return due }
        return signed + FaultInjection.maximumDelay
    }

    /// Derives a UUID, version 8 of RFC 9562, from the entry. No other environment derives the same.
    private func uuid(of journalEntry: JournalEntry, _ key: NotificationRecord.Key) -> String {
        var input = Array("notification \(journalEntry.kind.rawValue)".utf8)
        for number in [
            entry.app.appleID, key.position, key.part, journalEntry.at.milliseconds,
            journalEntry.transactionID?.rawValue ?? 0,
        ] {
            withUnsafeBytes(of: number.bigEndian) { input.append(contentsOf: $0) }
        }
        var bytes = outbox.cipher.bytes(from: input, count: 16)
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString.lowercased()
    }
}
