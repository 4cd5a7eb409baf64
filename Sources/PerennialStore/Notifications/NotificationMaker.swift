import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

/// Makes the notifications that tell of entries of an app's journal, in the transaction that writes the entries: what is
/// committed is told, and nothing else.
struct NotificationMaker {
    /// What of a notification's entry and subscription it tells.
    struct Event {
        var entry: JournalEntry
        var position: Int64
        /// After the change; `nil` where the entry is about something else.
        var subscription: Subscription?
        var details: NotificationDetails?
    }

    private let store: Store
    private let entry: CatalogCache.Entry
    private let settings: NotificationSettings
    private let now: Instant
    private var contents: [(position: Int64, content: NotificationContent)] = []
    private var records: [NotificationRecord] = []
    /// The newest of each subscription or purchase, once it was looked up.
    private var newest: [TransactionID: NotificationsTable.Newest] = [:]

    /// - Returns: `nil` where the app wants no notifications, which costs nothing.
    init?(app: Int64, store: Store, on connection: any Connection) throws {
        guard let entry = try store.catalog.entry(number: app, on: connection),
            let settings = entry.notifications[store.environment.id]
        else { return nil }
        self.store = store
        self.entry = entry
        self.settings = settings
        now = try store.clock.now(on: connection)
    }

    /// Notifications are written by ``write(on:)``, all at once.
    ///
    /// - Parameters:
    ///   - last: The position of the last entry.
    ///   - subscription: After the change; `nil` where the entries are about something else.
    ///   - details: What goes with the first entry; the others follow from it.
    mutating func make(
        of entries: [JournalEntry], last: Int64, subscription: Subscription? = nil,
        details: NotificationDetails? = nil, on connection: any Connection
    ) throws {
        var told: Set<String> = []
        for (offset, entry) in entries.enumerated() {
            let event = Event(
                entry: entry, position: last - Int64(entries.count - 1 - offset), subscription: subscription,
                details: offset == 0 ? details : nil)
            // The App Store tests receivers with version 2 only, also those of version 1.
            if settings.version == .two || entry.kind == .subscription(.tested) {
                try make(of: event, on: connection)
            } else {
                try makeV1(of: event, besides: &told, on: connection)
            }
        }
    }

    /// Writes what was made.
    func write(on connection: any Connection) throws {
        guard !records.isEmpty else { return }
        let (app, environment) = (entry.app.appleID, store.environment.id)
        try NotificationContentsTable.insert(contents, app: app, environment, on: connection)
        try NotificationsTable.insert(records, app: app, environment, on: connection)
        store.notificationSignal.note()
    }

    private mutating func make(of event: Event, on connection: any Connection) throws {
        let told = event.entry
        let isFree = told.productID.flatMap { entry.products[$0]?.type } == .free
        guard let kind = told.kind.notification(isFree: isFree) else { return }
        try add(event, part: 0, version: .two, kind.type, kind.subtype, on: connection)
        contents.append((event.position, try content(of: event, transaction(of: told, on: connection))))
    }

    /// - Parameter before: The types by which the entries before have told of the same event: one of each is enough.
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

    private func transaction(of told: JournalEntry, on connection: any Connection) throws -> Transaction? {
        try told.transactionID.flatMap {
            try TransactionsTable.transaction($0, app: entry.app.appleID, store.environment.id, on: connection)
        }
    }

    private mutating func add(
        _ event: Event, part: Int64, version: NotificationSettings.Version, _ type: String, _ subtype: String?,
        on connection: any Connection
    ) throws {
        let told = event.entry
        let key = NotificationRecord.Key(position: event.position, part: part)
        let (signed, due) = try times(of: told, key, on: connection)
        records.append(
            NotificationRecord(
                key: key, uuid: uuid(of: told, key), version: version.rawValue, type: type, subtype: subtype,
                account: told.accountID, originalID: told.originalID, transactionID: told.transactionID,
                signed: signed, nextAttempt: due))
    }

    /// How things stand, for however late it is told.
    private func content(of event: Event, _ transaction: Transaction?) throws -> NotificationContent {
        let (app, environment, at) = (entry.app, store.environment, event.entry.at)
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
        of told: JournalEntry, _ transaction: Transaction?, on connection: any Connection
    ) throws -> NotificationV1.Circumstances {
        var isOtherProduct = false
        if told.kind == .subscription(.resubscribed), let transaction {
            let key = CustomerKey(
                environment: store.environment.id, app: entry.app.appleID, account: told.accountID)
            let before = try TransactionsTable.all(of: key, on: connection)
                .prefix { $0.id != transaction.id }.last { $0.originalID == transaction.originalID }
            isOtherProduct = before.map { $0.productID != transaction.productID } ?? false
        }
        return NotificationV1.Circumstances(
            environment: store.environment.kind, ownership: transaction?.ownership ?? .purchased,
            isOtherProduct: isOtherProduct)
    }
}

extension NotificationMaker {
    /// When it is signed, and when it is first attempted.
    ///
    /// Receivers tell stale from fresh by the signed date: within a subscription each is later than the one before. It is
    /// attempted at once, unless it is to be held back; then the next one of its subscription comes no sooner, unless they
    /// may overtake each other. A manual clock may be moved on to its entry's instant only after it.
    private mutating func times(
        of told: JournalEntry, _ key: NotificationRecord.Key, on connection: any Connection
    ) throws -> (signed: Instant, due: Instant) {
        let now = max(now, told.at)
        let heldBack = settings.trouble.map { $0.heldBack(key.position, key.part) } ?? 0
        var (signed, due) = (now, now + heldBack)
        guard let id = told.originalID else { return (signed, due) }
        let before =
            try newest[id]
            ?? NotificationsTable.newest(of: id, app: entry.app.appleID, store.environment.id, on: connection)
        let swaps = settings.trouble?.swaps == true
        if let before {
            // Where they change places, another one's attempt fits between.
            signed = max(signed, before.signed + (swaps ? 2 : 1))
            if let trouble = settings.trouble, trouble.delay > 0, !trouble.reorders, let last = before.due {
                due = max(due, last)
            }
        }
        if swaps { due = try swapped(key, of: id, signed: signed, on: connection) }
        newest[id] = .init(signed: signed, due: due)
        return (signed, due)
    }

    /// When it is attempted where notifications change places: what is hit waits for the next one of its subscription, though
    /// not for ever, and goes just behind it. The order is that of the instants, which are a little over by now: so it is the
    /// same however many come together.
    private mutating func swapped(
        _ key: NotificationRecord.Key, of id: TransactionID, signed: Instant, on connection: any Connection
    ) throws -> Instant {
        let due = signed + -.seconds(1)
        var isAwaited = try NotificationsTable.hasten(
            of: id, to: due + 1, app: entry.app.appleID, store.environment.id, on: connection)
        for index in records.indices where records[index].originalID == id {
            guard let other = records[index].nextAttempt, other > due + 1 else { continue }
            records[index].nextAttempt = due + 1
            isAwaited = true
        }
        guard !isAwaited, settings.trouble?.waitsForNext(key.position, key.part) == true else { return due }
        return signed + NotificationTrouble.maximumDelay
    }

    /// One that only this environment makes: version 8 of RFC 9562, of a digest of what is told.
    private func uuid(of told: JournalEntry, _ key: NotificationRecord.Key) -> String {
        var input = Array("notification \(told.kind.rawValue)".utf8)
        for number in [
            entry.app.appleID, key.position, key.part, told.at.milliseconds, told.transactionID?.rawValue ?? 0,
        ] {
            withUnsafeBytes(of: number.bigEndian) { input.append(contentsOf: $0) }
        }
        var bytes = store.seal.bytes(from: input, count: 16)
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString.lowercased()
    }
}

extension Store {
    /// Makes the notifications that tell of entries, in the transaction that writes these to the journal.
    ///
    /// - Parameters:
    ///   - last: The position of the last entry.
    ///   - subscription: After the change; `nil` where the entries are about something else.
    ///   - details: What goes with the first entry; the others follow from it.
    func notify(
        of entries: [JournalEntry], last: Int64, app: Int64, subscription: Subscription? = nil,
        details: NotificationDetails? = nil, on connection: any Connection
    ) throws {
        guard var maker = try NotificationMaker(app: app, store: self, on: connection) else { return }
        try maker.make(of: entries, last: last, subscription: subscription, details: details, on: connection)
        try maker.write(on: connection)
    }

    /// Writes to the journal what no purchase or subscription brings about, such as a test, for notifications to tell of it.
    ///
    /// - Returns: The entry's position.
    @discardableResult
    func announce(
        _ entry: JournalEntry, app: Int64, details: NotificationDetails? = nil, on connection: any Connection
    ) throws -> Int64 {
        let position = try JournalTable.append([entry], app: app, environment.id, on: connection)
        try notify(of: [entry], last: position, app: app, details: details, on: connection)
        return position
    }
}
