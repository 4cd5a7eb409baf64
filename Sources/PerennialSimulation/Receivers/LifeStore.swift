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
    /// When it was signed; for version 1, which isn't, its place in the life.
    package var signed: Instant
    /// Whether `signed` is a date.
    package var isSigned = true
    /// What version 1 carries of the subscription; `nil` for version 2.
    var carried: CarriedState?
    package var originalTransactionID: String
    /// What is true from then on.
    package var status: ReceiverStatus
}

/// What a receiver of version 1 can know of a subscription: a change that nothing tells of, such as a refund that is
/// undone, isn't there until the next notification.
struct CarriedState: Sendable, Equatable {
    var transactionID: String
    var isCancelled: Bool
    var expires: Instant?
    var graceExpires: Instant?
}

/// A life that was lived.
struct LivedLife: Sendable {
    var events: [ToldEvent]
    var registrations: [ReceiverRegistration]
    /// What is true at the end, by original transaction ID, as far as the newest notification carries it: for version 1,
    /// whose notifications don't say it.
    var outcome: [String: ReceiverStatus]
    var end: Instant
}

/// A store of its own in memory, in which lives are lived, each in an environment and by a customer of its own.
struct LifeStore: Sendable {
    static let defaultAppleID: Int64 = 4_100_001
    /// How often a life is lived again that would have ended in the future, since months differ in length.
    private static let attemptsMax = 4
    /// Charges are tried again daily for 60 days, and then it is over.
    private static let silentMax = 100
    private static let quiet = Logger(label: "lint") { _ in SwiftLogNoOpLogHandler() }

    private let subject: ReceiverLint.Subject
    private let signing: Signing
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
        private let lives = Mutex(0)

        /// The name of an environment that there isn't yet.
        func nextName() -> String {
            lives.withLock {
                $0 += 1
                return "life-\($0)"
            }
        }

        func of(_ life: ReceiverLife) -> Rehearsal? { known.withLock { $0[life] } }
        func remember(_ rehearsal: Rehearsal, of life: ReceiverLife) { known.withLock { $0[life] = rehearsal } }
    }

    init(
        _ subject: ReceiverLint.Subject, signing: Signing, seed: UInt64, wallClock: @escaping @Sendable () -> Instant
    ) async throws {
        self.subject = subject
        self.signing = signing
        self.wallClock = wallClock
        let database = try Database(.inMemory)
        try database.migrate()
        let bytes = SeededBytes(seed: seed)
        registry = StoreRegistry(
            database: database, signing: signing, wallClock: wallClock, randomBytes: bytes.bytes,
            notificationSender: mailbox, logger: Self.quiet)
        try await registry.prepare()
        try await Apps(database: database, randomBytes: bytes.bytes)
            .register(Self.app(subject), sharedSecret: subject.sharedSecret)
    }

    private var bundleID: App.BundleID { subject.bundleID }

    private static func app(_ subject: ReceiverLint.Subject) -> App {
        let bundleID = subject.bundleID
        return App(
            bundleID: bundleID, appleID: subject.appleID ?? defaultAppleID, name: "Lint",
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
            id: Product.ID(rawValue: id), appleID: defaultAppleID * 10 + Int64(level), type: .autoRenewable,
            referenceName: id, isFamilyShareable: true, state: .approved, isClearedForSale: true,
            localizations: [Product.Localization(locale: "en_US", displayName: id, description: id)], prices: [:],
            basePrice: Money(milliunits: price, .usd),
            subscription: subscription)
    }

    /// How much is told of a life.
    func eventCount(of life: ReceiverLife) async throws -> Int { try await rehearsal(of: life).eventCount }

    /// Lives a life whose end is now: what a receiver finds out by comparing dates with its own clock is right as well.
    /// Each is lived in an environment of its own, with numbers that no other has.
    func live(_ life: ReceiverLife) async throws -> LivedLife {
        let now = wallClock().wholeSeconds
        var start = now + -(try await rehearsal(of: life).length)
        var lived = try await run(life, from: start)
        // The months before now may be longer than those after it, in which the life was rehearsed.
        for _ in 1..<Self.attemptsMax where lived.end > now {
            start = start + (now - lived.end)
            lived = try await run(life, from: start)
        }
        return lived
    }

    private func rehearsal(of life: ReceiverLife) async throws -> Rehearsal {
        if let known = rehearsals.of(life) { return known }
        let start = wallClock().wholeSeconds
        let lived = try await run(life, from: start)
        let rehearsal = Rehearsal(length: lived.end - start, eventCount: lived.events.count)
        rehearsals.remember(rehearsal, of: life)
        return rehearsal
    }

    private func run(_ life: ReceiverLife, from start: Instant) async throws -> LivedLife {
        let name = rehearsals.nextName()
        _ = try await registry.makeEnvironment(
            name, kind: subject.kind, clock: .manual, now: start,
            billing: life.hasGrace ? BillingSettings(gracePeriodDays: 16) : nil)
        guard let store = try await registry.store(named: name) else {
            throw StoreError(.malformed, name, "the environment was made and is not there")
        }
        try await store.setNotifications(
            NotificationSettings(url: "http://lint/", version: subject.version), of: bundleID)
        let person = LintedCustomer(store: store, bundleID: bundleID, signing: signing)
        for step in life.steps {
            switch step {
            case .wait: try await wait(for: person, in: store)
            case .begin: try await begin(for: person, in: store)
            default: try await person.take(step)
            }
            // A body of version 1 has the receipt of its attempt.
            try await store.deliverNotifications()
            // Nothing happens at the same time as what comes next: what is signed later is newer.
            _ = try await store.advanceClock(to: try await store.now() + 1_000)
        }
        try await store.deliverNotifications()
        let bodies = mailbox.empty()
        let events = try bodies.enumerated().map { try subject.version == .one ? eventV1($1, number: $0) : event($1) }
        var outcome: [String: ReceiverStatus] = [:]
        if subject.version == .one { outcome = try await self.outcome(after: events, in: store) }
        return LivedLife(
            events: events, registrations: await person.registrations, outcome: outcome,
            end: try await store.now())
    }

    private func outcome(after events: [ToldEvent], in store: Store) async throws -> [String: ReceiverStatus] {
        var outcome: [String: ReceiverStatus] = [:]
        let now = try await store.now()
        for (id, told) in Dictionary(grouping: events, by: \.originalTransactionID) {
            guard let number = TransactionID(id) else { continue }
            let standing = try await store.subscriptionStanding(number)
            let state = CarriedState(
                transactionID: standing.transaction.id.description,
                isCancelled: standing.transaction.revocation != nil, expires: standing.transaction.expiresDate,
                graceExpires: standing.subscription.renewalInfo.gracePeriodExpires)
            guard told.last?.carried == state else { continue }
            let status = standing.subscription.status(at: now)
            let isRevoked = standing.transaction.revocation != nil
            outcome[id] = ReceiverStatus(
                status: status.rawValue, isEntitled: status == .active || status == .gracePeriod,
                productID: standing.transaction.productID.rawValue,
                expires: isRevoked ? nil : standing.transaction.expiresDate,
                graceExpires: standing.subscription.renewalInfo.gracePeriodExpires,
                environment: subject.kind.rawValue)
        }
        return outcome
    }

    private func begin(for person: LintedCustomer, in store: Store) async throws {
        guard let id = await person.subscription else { return }
        let begin = try await store.subscriptionStanding(id).transaction.purchaseDate
        _ = try await store.advanceClock(to: max(begin, try await store.now()))
    }

    /// Much of what falls due is told to nobody: a charge that is tried again, a period that was paid a day before.
    private func wait(for person: LintedCustomer, in store: Store) async throws {
        guard let id = await person.subscription else { return }
        try await store.deliverNotifications()
        let told = mailbox.count
        let before = try await store.subscriptionStanding(id).subscription.status(at: try await store.now())
        for _ in 0..<Self.silentMax where mailbox.count == told {
            let subscription = try await store.subscriptionStanding(id).subscription
            // Version 1 tells nothing of an end.
            if subject.version == .one, subscription.status(at: try await store.now()) != before { return }
            guard let due = subscription.nextDue else { return }
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
        let renewal: RenewalInfoPayload? = try payload.data?.signedRenewalInfo.map(Self.payload)
        let name = [payload.notificationType.rawValue, payload.subtype?.rawValue].compactMap { $0 }
        return ToldEvent(
            body: body, name: name.joined(separator: "/"), signed: Instant(payload.signedDate),
            originalTransactionID: transaction.originalTransactionId,
            status: ReceiverStatus(
                status: status, isEntitled: status == 1 || status == 4, productID: transaction.productId,
                expires: transaction.revocationDate == nil ? transaction.expiresDate.map(Instant.init) : nil,
                graceExpires: renewal?.gracePeriodExpiresDate.map(Instant.init),
                environment: payload.data?.environment.rawValue))
    }

    /// Version 1 says what happened and to which subscription; what is true then is in the receipt that it carries.
    private func eventV1(_ body: [UInt8], number: Int) throws -> ToldEvent {
        let posted = try JSONDecoder().decode(PostedV1.self, from: Data(body))
        return ToldEvent(
            body: body, name: posted.notificationType, signed: Instant(milliseconds: Int64(number)), isSigned: false,
            carried: posted.carried, originalTransactionID: "\(posted.originalTransactionID)",
            status: ReceiverStatus())
    }

    private static func payload<Payload: Decodable>(_ jws: String) throws -> Payload {
        let parts = jws.split(separator: ".")
        guard parts.count == 3, let bytes = Base64.decode(String(parts[1]), as: .url) else {
            throw StoreError(.malformed, "payload", "what the store signed is not three parts")
        }
        return try JSONDecoder().decode(Payload.self, from: Data(bytes))
    }
}
