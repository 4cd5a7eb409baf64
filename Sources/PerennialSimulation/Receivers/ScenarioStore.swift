import AppStoreFormats
import BaseEncoding
import Foundation
import Logging
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import Synchronization

/// A notification as the store sent it.
package struct SentNotification: Sendable {
    package var body: [UInt8]
    /// Type and subtype, such as `EXPIRED/VOLUNTARY`.
    package var name: String
    /// Signing date; the place in the scenario for version 1, which isn't signed.
    package var signed: Instant
    /// True if `signed` is a date.
    package var isSigned = true
    /// State in a version 1 notification; `nil` for version 2.
    var carried: CarriedState?
    package var originalTransactionID: String
    /// Status of the subscription from then on.
    package var status: ReceiverStatus
}

/// State of a subscription that version 1 notifications carry. Changes without a notification, such as the reversal of a refund,
/// appear with the next one.
struct CarriedState: Sendable, Equatable {
    var transactionID: String
    var isCancelled: Bool
    var expires: Instant?
    var graceExpires: Instant?
}

/// Result of a scenario.
struct ScenarioRun: Sendable {
    var notifications: [SentNotification]
    var registrations: [ReceiverRegistration]
    /// Final status by original transaction ID, where the newest notification carries it; for version 1, whose notifications have
    /// no status.
    var outcome: [String: ReceiverStatus]
    var end: Instant
}

/// An in-memory store that plays scenarios, each in an environment of its own.
struct ScenarioStore: Sendable {
    static let defaultAppleID: Int64 = 4_100_001
    /// Attempts to end a scenario in the past, since months differ in length.
    private static let attemptsMax = 4
    /// Limit on due work without a notification: billing retry attempts a charge daily for 60 days.
    private static let silentMax = 100
    private static let quiet = Logger(label: "lint") { _ in SwiftLogNoOpLogHandler() }

    private let subject: ReceiverLint.Subject
    private let signing: Signing
    private let registry: StoreRegistry
    private let sender = RecordingSender()
    private let dryRuns = DryRuns()
    private let wallClock: @Sendable () -> Instant

    /// Records notifications in place of sending them.
    private final class RecordingSender: NotificationSender {
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

    /// Measures of a scenario, found by playing it once.
    private struct DryRun: Sendable {
        /// Length in milliseconds.
        var length: Int64
        var notificationCount: Int
    }

    private final class DryRuns: Sendable {
        private let known = Mutex<[ReceiverScenario: DryRun]>([:])
        private let scenarios = Mutex(0)

        /// Returns a new name for an environment.
        func nextName() -> String {
            scenarios.withLock {
                $0 += 1
                return "scenario-\($0)"
            }
        }

        func of(_ scenario: ReceiverScenario) -> DryRun? { known.withLock { $0[scenario] } }
        func remember(_ dryRun: DryRun, of scenario: ReceiverScenario) { known.withLock { $0[scenario] = dryRun } }
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
            StoreDependencies(
                database: database, signing: signing, wallClock: wallClock, randomBytes: bytes.bytes,
                notificationSender: sender, logger: Self.quiet))
        try await registry.prepare()
        try await Apps(database: database, wallClock: wallClock, randomBytes: bytes.bytes)
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

    /// The offer of the offer code.
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

    /// Returns the number of a scenario's notifications.
    func notificationCount(of scenario: ReceiverScenario) async throws -> Int {
        try await dryRun(of: scenario).notificationCount
    }

    /// Plays a scenario that ends now, so that receivers that compare dates with their own clock are right as well.
    func run(_ scenario: ReceiverScenario) async throws -> ScenarioRun {
        let now = wallClock().wholeSeconds
        var start = now + -(try await dryRun(of: scenario).length)
        var run = try await perform(scenario, from: start)
        // The months before now may be longer than those after it, of the dry run.
        for _ in 1..<Self.attemptsMax where run.end > now {
            start = start + (now - run.end)
            run = try await perform(scenario, from: start)
        }
        return run
    }

    private func dryRun(of scenario: ReceiverScenario) async throws -> DryRun {
        if let known = dryRuns.of(scenario) { return known }
        let start = wallClock().wholeSeconds
        let run = try await perform(scenario, from: start)
        let dryRun = DryRun(length: run.end - start, notificationCount: run.notifications.count)
        dryRuns.remember(dryRun, of: scenario)
        return dryRun
    }

    private func perform(_ scenario: ReceiverScenario, from start: Instant) async throws -> ScenarioRun {
        let name = dryRuns.nextName()
        _ = try await registry.makeEnvironment(
            name, kind: subject.kind, clock: .manual, now: start,
            billing: scenario.hasGrace ? BillingSettings(gracePeriodDays: 16) : nil)
        guard let store = try await registry.store(named: name) else {
            throw StoreError(.malformed, name, "the environment was made and is not there")
        }
        try await store.notifications.configure(
            NotificationSettings(url: "http://lint/", version: subject.version), of: bundleID)
        let person = ScenarioCustomer(store: store, bundleID: bundleID, signing: signing)
        for step in scenario.steps {
            switch step {
            case .wait: try await wait(for: person, in: store)
            case .begin: try await begin(for: person, in: store)
            default: try await person.perform(step)
            }
            // A version 1 body has the receipt as of its attempt, so send at once.
            try await store.notifications.sendDue()
            // Separates steps by a second, so that a later signing date is newer.
            _ = try await store.clock.advance(to: try await store.now() + 1_000)
        }
        try await store.notifications.sendDue()
        let bodies = sender.empty()
        let notifications = try bodies.enumerated().map {
            try subject.version == .one ? notificationV1($1, number: $0) : notification($1)
        }
        var outcome: [String: ReceiverStatus] = [:]
        if subject.version == .one { outcome = try await self.outcome(after: notifications, in: store) }
        return ScenarioRun(
            notifications: notifications, registrations: await person.registrations, outcome: outcome,
            end: try await store.now())
    }

    private func outcome(after notifications: [SentNotification], in store: Store) async throws -> [String:
        ReceiverStatus]
    {
        var outcome: [String: ReceiverStatus] = [:]
        let now = try await store.now()
        for (id, sent) in Dictionary(grouping: notifications, by: \.originalTransactionID) {
            guard let number = TransactionID(id) else { continue }
            let snapshot = try await store.subscriptions.snapshot(of: number)
            let state = CarriedState(
                transactionID: snapshot.transaction.id.description,
                isCancelled: snapshot.transaction.revocation != nil, expires: snapshot.transaction.expiresDate,
                graceExpires: snapshot.subscription.renewalInfo.gracePeriodExpires)
            guard sent.last?.carried == state else { continue }
            let status = snapshot.subscription.status(at: now)
            let isRevoked = snapshot.transaction.revocation != nil
            outcome[id] = ReceiverStatus(
                status: status.rawValue, isEntitled: status == .active || status == .gracePeriod,
                productID: snapshot.transaction.productID.rawValue,
                expires: isRevoked ? nil : snapshot.transaction.expiresDate,
                graceExpires: snapshot.subscription.renewalInfo.gracePeriodExpires,
                environment: subject.kind.rawValue)
        }
        return outcome
    }

    private func begin(for person: ScenarioCustomer, in store: Store) async throws {
        guard let id = await person.subscription else { return }
        let begin = try await store.subscriptions.snapshot(of: id).transaction.purchaseDate
        _ = try await store.clock.advance(to: max(begin, try await store.now()))
    }

    /// Advances from one due time to the next up to a notification, since much due work sends none, such as another attempt at a
    /// charge.
    private func wait(for person: ScenarioCustomer, in store: Store) async throws {
        guard let id = await person.subscription else { return }
        try await store.notifications.sendDue()
        let sent = sender.count
        let before = try await store.subscriptions.snapshot(of: id).subscription.status(at: try await store.now())
        for _ in 0..<Self.silentMax where sender.count == sent {
            let subscription = try await store.subscriptions.snapshot(of: id).subscription
            // Version 1 has no notification of an end.
            if subject.version == .one, subscription.status(at: try await store.now()) != before { return }
            guard let due = subscription.nextDue else { return }
            _ = try await store.clock.advance(to: max(due, try await store.now()))
            try await store.notifications.sendDue()
        }
    }

    /// Reads a notification of the store's own, without verifying its signature.
    private func notification(_ body: [UInt8]) throws -> SentNotification {
        let posted = try JSONDecoder().decode(NotificationBody.self, from: Data(body))
        let payload: NotificationPayload = try Self.payload(posted.signedPayload)
        let transaction: TransactionPayload = try Self.payload(payload.data?.signedTransactionInfo ?? "")
        let status = payload.data?.status.map(Int64.init)
        let renewal: RenewalInfoPayload? = try payload.data?.signedRenewalInfo.map(Self.payload)
        let name = [payload.notificationType.rawValue, payload.subtype?.rawValue].compactMap { $0 }
        return SentNotification(
            body: body, name: name.joined(separator: "/"), signed: Instant(payload.signedDate),
            originalTransactionID: transaction.originalTransactionId,
            status: ReceiverStatus(
                status: status, isEntitled: status == 1 || status == 4, productID: transaction.productId,
                expires: transaction.revocationDate == nil ? transaction.expiresDate.map(Instant.init) : nil,
                graceExpires: renewal?.gracePeriodExpiresDate.map(Instant.init),
                environment: payload.data?.environment.rawValue))
    }

    /// Reads a version 1 notification: event and subscription, with the state in its receipt.
    private func notificationV1(_ body: [UInt8], number: Int) throws -> SentNotification {
        let posted = try JSONDecoder().decode(LintedNotificationV1.self, from: Data(body))
        return SentNotification(
            body: body, name: posted.notificationType, signed: Instant(milliseconds: Int64(number)), isSigned: false,
            carried: posted.carried, originalTransactionID: "\(posted.originalTransactionID)",
            status: ReceiverStatus())
    }

    private static func payload<Payload: Decodable>(_ jws: String) throws -> Payload {
        let parts = jws.split(separator: ".")
        guard parts.count == 3, let bytes = Base64.decode(String(parts[1]), as: .url) else {
            throw StoreError(.malformed, "payload", "the signed payload has not three parts")
        }
        return try JSONDecoder().decode(Payload.self, from: Data(bytes))
    }
}
