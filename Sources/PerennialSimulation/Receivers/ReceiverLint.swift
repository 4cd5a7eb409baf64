import Perennial
import PerennialStore

/// Plays every legal but nasty ordering of a subscription's life against a receiver, and looks where it ends.
package struct ReceiverLint: Sendable {
    /// A limit on how often a failure is played again to shorten it.
    static let maximumAttempts = 200

    package struct Plan: Sendable {
        package var lives: [ReceiverLife]
        /// Random orders of each life, besides those that are always played.
        package var shuffles: Int
        package var seed: UInt64
        /// Whether a failure ends its own life only, and the others are played all the same.
        package var keepsGoing: Bool

        package init(
            lives: [ReceiverLife] = ReceiverLife.all, shuffles: Int = 5, seed: UInt64 = 1, keepsGoing: Bool = false
        ) {
            self.lives = lives
            self.shuffles = shuffles
            self.seed = seed
            self.keepsGoing = keepsGoing
        }
    }

    /// What the notifications are about, and how they are made.
    package struct Subject: Sendable {
        package var bundleID: App.BundleID
        package var kind: StoreEnvironment.Kind
        /// The app's number, which a verifier of Production compares; a made-up one where left out.
        package var appleID: Int64?
        package var version: NotificationTerms.Version
        /// In the bodies of version 1, which aren't signed; a made-up one where left out.
        package var sharedSecret: String?

        package init(
            bundleID: App.BundleID, kind: StoreEnvironment.Kind, appleID: Int64? = nil,
            version: NotificationTerms.Version = .two, sharedSecret: String? = nil
        ) {
            self.bundleID = bundleID
            self.kind = kind
            self.appleID = appleID
            self.version = version
            self.sharedSecret = sharedSecret
        }
    }

    /// A sequence after which a receiver was wrong.
    package struct Failure: Sendable {
        package enum Problem: Sendable, Equatable {
            /// The receiver says something else than is true.
            case wrongState(expected: ReceiverStatus, found: ReceiverStatus)
            /// The receiver did not take a notification that it may get.
            case refused(notification: Int, reason: String)
            /// The receiver did not take the receipt that the app sends it first.
            case refusedReceipt(reason: String)
            case noStatus(reason: String)
        }

        package var life: ReceiverLife
        package var order: DeliveryOrder
        /// What was delivered, in this order.
        package var delivered: [ToldEvent]
        package var problem: Problem
    }

    package struct Outcome: Sendable {
        /// How many sequences were played, without those that shortened a failure.
        package var played: Int
        /// One, or one of each life where it kept going.
        package var failures: [Failure]
        /// The first.
        package var failure: Failure? { failures.first }

        package init(played: Int = 0, failures: [Failure] = []) {
            self.played = played
            self.failures = failures
        }
    }

    private let receiver: any ReceiverUnderTest
    private let checksStatus: Bool
    private let sendsReceipts: Bool
    private let version: NotificationTerms.Version
    private let store: LifeStore

    /// - Parameters:
    ///   - checksStatus: Whether the receiver can be asked what it believes.
    ///   - sendsReceipts: Whether the receiver gets each customer's receipt before anything is told.
    ///   - wallClock: The world's time, at which each life ends.
    package init(
        _ receiver: any ReceiverUnderTest, checksStatus: Bool, sendsReceipts: Bool = false, of subject: Subject,
        signing: Signing, seed: UInt64, wallClock: @escaping @Sendable () -> Instant
    ) async throws {
        self.receiver = receiver
        self.checksStatus = checksStatus
        self.sendsReceipts = sendsReceipts
        version = subject.version
        store = try await LifeStore(subject, signing: signing, seed: seed, wallClock: wallClock)
    }

    /// Plays until the receiver is wrong, and then shortens what showed it; a plan that keeps going plays the other lives
    /// all the same. Every life is told once as it was lived before any is told in another order: who doesn't listen
    /// needs nothing more involved.
    ///
    /// - Parameter progress: Hears of each sequence before it is played.
    package func run(_ plan: Plan, progress: (ReceiverLife, DeliveryOrder) -> Void = { _, _ in }) async throws
        -> Outcome
    {
        var outcome = Outcome()
        // Lives of which nothing more has to be known.
        var failed: Set<ReceiverLife> = []
        func mayGoOn(after life: ReceiverLife, _ order: DeliveryOrder) async throws -> Bool {
            guard !failed.contains(life) else { return true }
            progress(life, order)
            outcome.played += 1
            guard let failure = try await play(life, order) else { return true }
            outcome.failures.append(try await shorten(failure))
            failed.insert(life)
            return plan.keepsGoing
        }
        var others: [(life: ReceiverLife, order: DeliveryOrder)] = []
        for life in plan.lives {
            let count = try await store.eventCount(of: life)
            let orders =
                version == .one
                ? DeliveryOrder.withoutDates(of: count)
                : DeliveryOrder.all(of: count, shuffles: plan.shuffles, seed: plan.seed)
            guard let asLived = orders.first else { continue }
            guard try await mayGoOn(after: life, asLived) else { return outcome }
            others += orders.dropFirst().map { (life, $0) }
        }
        for (life, order) in others {
            guard try await mayGoOn(after: life, order) else { return outcome }
        }
        return outcome
    }

    /// Plays a life in an order, under numbers that the receiver has never seen.
    private func play(_ life: ReceiverLife, _ order: DeliveryOrder) async throws -> Failure? {
        let lived = try await store.live(life)
        let events = lived.events
        let delivered = order.positions.filter { events.indices.contains($0) }.map { events[$0] }
        func failure(_ problem: Failure.Problem) -> Failure {
            Failure(life: life, order: order, delivered: delivered, problem: problem)
        }
        for registration in sendsReceipts ? lived.registrations : [] {
            if let reason = await receiver.register(registration) { return failure(.refusedReceipt(reason: reason)) }
        }
        for (position, event) in delivered.enumerated() {
            if let reason = await receiver.post(event.body) {
                return failure(.refused(notification: position + 1, reason: reason))
            }
        }
        guard checksStatus else { return nil }
        for (id, expected) in truth(after: delivered, of: lived).sorted(by: { $0.key < $1.key }) {
            do {
                let found = try await receiver.status(of: id)
                guard found.agrees(with: expected) else {
                    return failure(.wrongState(expected: expected, found: found))
                }
            } catch {
                return failure(.noStatus(reason: "\(error)"))
            }
        }
        return nil
    }

    /// What is true by original transaction ID, the purchaser's and a family member's: as the newest notification that
    /// arrived says it, or, in version 1, as it is at the end where the newest has arrived.
    private func truth(after delivered: [ToldEvent], of lived: LivedLife) -> [String: ReceiverStatus] {
        func newest(_ events: [ToldEvent]) -> [String: ToldEvent] {
            Dictionary(grouping: events, by: \.originalTransactionID).compactMapValues { events in
                events.max { $0.signed < $1.signed }
            }
        }
        let arrived = newest(delivered)
        guard version == .one else { return arrived.mapValues(\.status) }
        let last = newest(lived.events)
        return lived.outcome.filter { arrived[$0.key] != nil && arrived[$0.key]?.signed == last[$0.key]?.signed }
    }

    /// Leaves out one delivery after the other, as long as the receiver stays wrong. A notification that is left out is one
    /// that never arrived, which can happen as well. The newest one always arrives: what it says is true at the end.
    private func shorten(_ failure: Failure) async throws -> Failure {
        var shortest = failure
        var attempts = 0
        search: while attempts < Self.maximumAttempts {
            let newest = shortest.order.positions.max()
            for order in shortest.order.shortened where order.positions.max() == newest {
                attempts += 1
                if let shorter = try await play(failure.life, order) {
                    shortest = shorter
                    continue search
                }
                guard attempts < Self.maximumAttempts else { break search }
            }
            break
        }
        return shortest
    }
}
