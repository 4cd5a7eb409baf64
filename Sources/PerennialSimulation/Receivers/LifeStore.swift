import AppStoreFormats
import Foundation
import Logging
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import Synchronization

/// A notification as the store made it.
package struct ToldEvent: Sendable {
    package var body: [UInt8]
    /// `DID_RENEW`, `EXPIRED/VOLUNTARY`.
    package var name: String
    package var signed: Instant
    package var originalTransactionID: String
    /// What is true from then on.
    package var status: ReceiverStatus
}

/// A store of its own in memory, in which lives are lived, each in an environment and by a customer of its own.
struct LifeStore: Sendable {
    static let appleID: Int64 = 4_100_001
    /// Charges are tried again daily for 60 days, and then it is over.
    private static let silentMax = 100
    private static let quiet = Logger(label: "lint") { _ in SwiftLogNoOpLogHandler() }

    private let bundleID: App.BundleID
    private let kind: StoreEnvironment.Kind
    private let registry: StoreRegistry
    private let mailbox = Mailbox()
    private let rehearsals = Rehearsals()
    private let wallClock: @Sendable () -> Instant

    /// Keeps what would be sent.
    private final class Mailbox: NotificationSender {
        private let bodies = Mutex<[[UInt8]]>([])

        func post(_ body: [UInt8], to url: String, timeout: Int64) async -> NotificationOutcome {
            bodies.withLock { $0.append(body) }
            return NotificationOutcome(.success)
        }

        var count: Int { bodies.withLock { $0.count } }

        func empty() -> [[UInt8]] {
            bodies.withLock { bodies in
                defer { bodies = [] }
                return bodies
            }
        }
    }

    /// What was found out by living a life once.
    private struct Rehearsal: Sendable {
        /// In milliseconds.
        var length: Int64
        var eventCount: Int
    }

    private final class Rehearsals: Sendable {
        private let known = Mutex<[ReceiverLife: Rehearsal]>([:])

        func of(_ life: ReceiverLife) -> Rehearsal? { known.withLock { $0[life] } }
        func remember(_ rehearsal: Rehearsal, of life: ReceiverLife) { known.withLock { $0[life] = rehearsal } }
        var count: Int { known.withLock { $0.count } }
    }

    init(
        bundleID: App.BundleID, kind: StoreEnvironment.Kind, signing: Signing, seed: UInt64,
        wallClock: @escaping @Sendable () -> Instant
    ) async throws {
        self.bundleID = bundleID
        self.kind = kind
        self.wallClock = wallClock
        let database = try Database(.inMemory)
        try database.migrate()
        let bytes = SeededBytes(seed: seed)
        registry = StoreRegistry(
            database: database, signing: signing, wallClock: wallClock, randomBytes: bytes.bytes,
            notificationSender: mailbox, logger: Self.quiet)
        try await registry.prepare()
        try await Apps(database: database, randomBytes: bytes.bytes).register(Self.app(bundleID), sharedSecret: nil)
    }

    private static func app(_ bundleID: App.BundleID) -> App {
        App(
            bundleID: bundleID, appleID: appleID, name: "Lint",
            products: [
                product("\(bundleID).silver", 4_990, level: 2), product("\(bundleID).gold", 9_990, level: 1, offer),
            ])
    }

    /// What a code grants.
    private static let offer = Offer(
        id: "spring", referenceName: "Spring", paymentMode: .payUpFront, period: Period(3, .month),
        basePrice: Money(milliunits: 4_990, .usd))

    private static func product(_ id: String, _ price: Int64, level: Int, _ offer: Offer? = nil) -> Product {
        var subscription = Product.Subscription(groupID: "lint", level: level, period: .month)
        if let offer { subscription.codeOffers = [offer] }
        return Product(
            id: Product.ID(rawValue: id), appleID: appleID * 10 + Int64(level), type: .autoRenewable,
            referenceName: id, isFamilyShareable: true, state: .approved, isClearedForSale: true,
            localizations: [Product.Localization(locale: "en_US", displayName: id, description: id)], prices: [:],
            basePrice: Money(milliunits: price, .usd),
            subscription: subscription)
    }

    /// How much is told of a life.
    func eventCount(of life: ReceiverLife) async throws -> Int { try await rehearsal(of: life).eventCount }

    /// Lives a life whose end is now: what a receiver finds out by comparing dates with its own clock is right as well.
    ///
    /// - Parameter number: Different for every life: an environment has numbers of its own.
    func live(_ life: ReceiverLife, number: Int) async throws -> [ToldEvent] {
        let length = try await rehearsal(of: life).length
        return try await run(life, name: "life-\(number)", from: wallClock().wholeSeconds + -length).events
    }

    private func rehearsal(of life: ReceiverLife) async throws -> Rehearsal {
        if let known = rehearsals.of(life) { return known }
        let start = wallClock().wholeSeconds
        let lived = try await run(life, name: "rehearsal-\(rehearsals.count + 1)", from: start)
        let rehearsal = Rehearsal(length: lived.end - start, eventCount: lived.events.count)
        rehearsals.remember(rehearsal, of: life)
        return rehearsal
    }

    private func run(
        _ life: ReceiverLife, name: String, from start: Instant
    ) async throws -> (events: [ToldEvent], end: Instant) {
        _ = try await registry.makeEnvironment(
            name, kind: kind, clock: .manual, now: start,
            billing: life.hasGrace ? BillingSettings(gracePeriodDays: 16) : nil)
        guard let store = try await registry.store(named: name) else {
            throw StoreError(.malformed, name, "the environment was made and is not there")
        }
        try await store.setNotifications(NotificationSettings(url: "http://lint/"), of: bundleID)
        let person = LintedCustomer(store: store, bundleID: bundleID)
        for step in life.steps {
            if step == .wait { try await wait(for: person, in: store) } else { try await person.take(step) }
            // Nothing happens at the same time as what comes next: what is signed later is newer.
            _ = try await store.advanceClock(to: try await store.now() + 1_000)
        }
        try await store.deliverNotifications()
        let events = try mailbox.empty().map(event)
        return (events, try await store.now())
    }

    /// Much of what falls due is told to nobody: a charge that is tried again, a period that was paid a day before.
    private func wait(for person: LintedCustomer, in store: Store) async throws {
        guard let id = await person.subscription else { return }
        try await store.deliverNotifications()
        let told = mailbox.count
        for _ in 0..<Self.silentMax where mailbox.count == told {
            guard let due = try await store.subscriptionStanding(id).subscription.nextDue else { return }
            _ = try await store.advanceClock(to: max(due, try await store.now()))
            try await store.deliverNotifications()
        }
    }

    /// What a notification says, as whoever signed it knows without looking at the signature.
    private func event(_ body: [UInt8]) throws -> ToldEvent {
        let posted = try JSONDecoder().decode(NotificationBody.self, from: Data(body))
        let payload: NotificationPayload = try Self.payload(posted.signedPayload)
        let transaction: TransactionPayload = try Self.payload(payload.data?.signedTransactionInfo ?? "")
        let status = payload.data?.status.map(Int64.init)
        let name = [payload.notificationType.rawValue, payload.subtype?.rawValue].compactMap { $0 }
        return ToldEvent(
            body: body, name: name.joined(separator: "/"), signed: Instant(payload.signedDate),
            originalTransactionID: transaction.originalTransactionId,
            status: ReceiverStatus(
                status: status, isEntitled: status == 1 || status == 4, productID: transaction.productId))
    }

    private static func payload<Payload: Decodable>(_ jws: String) throws -> Payload {
        let parts = jws.split(separator: ".")
        guard parts.count == 3, let bytes = Base64.decode(String(parts[1]), as: .url) else {
            throw StoreError(.malformed, "payload", "what the store signed is not three parts")
        }
        return try JSONDecoder().decode(Payload.self, from: Data(bytes))
    }
}
