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

        package init(lives: [ReceiverLife] = ReceiverLife.all, shuffles: Int = 5, seed: UInt64 = 1) {
            self.lives = lives
            self.shuffles = shuffles
            self.seed = seed
        }
    }

    /// A sequence after which a receiver was wrong.
    package struct Failure: Sendable {
        package enum Problem: Sendable, Equatable {
            /// The receiver says something else than is true.
            case wrongState(expected: ReceiverStatus, found: ReceiverStatus)
            /// The receiver did not take a notification that it may get.
            case refused(notification: Int, reason: String)
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
        package var failure: Failure?

        package init(played: Int = 0, failure: Failure? = nil) {
            self.played = played
            self.failure = failure
        }
    }

    private let receiver: any ReceiverUnderTest
    private let checksStatus: Bool
    private let store: LifeStore

    /// - Parameters:
    ///   - checksStatus: Whether the receiver can be asked what it believes.
    ///   - wallClock: The world's time, at which each life ends.
    package init(
        _ receiver: any ReceiverUnderTest, checksStatus: Bool, bundleID: App.BundleID, kind: StoreEnvironment.Kind,
        signing: Signing, seed: UInt64, wallClock: @escaping @Sendable () -> Instant
    ) async throws {
        self.receiver = receiver
        self.checksStatus = checksStatus
        store = try await LifeStore(
            bundleID: bundleID, kind: kind, signing: signing, seed: seed, wallClock: wallClock)
    }

    /// Plays until the receiver is wrong, and then shortens what showed it. Every life is told once as it was lived before
    /// any is told in another order: who doesn't listen needs nothing more involved.
    ///
    /// - Parameter progress: Hears of each sequence before it is played.
    package func run(_ plan: Plan, progress: (ReceiverLife, DeliveryOrder) -> Void = { _, _ in }) async throws
        -> Outcome
    {
        var played = 0
        func failure(of life: ReceiverLife, _ order: DeliveryOrder) async throws -> Failure? {
            progress(life, order)
            played += 1
            guard let failure = try await play(life, order, number: played) else { return nil }
            return try await shorten(failure, after: played)
        }
        var others: [(life: ReceiverLife, order: DeliveryOrder)] = []
        for life in plan.lives {
            let count = try await store.eventCount(of: life)
            let orders = DeliveryOrder.all(of: count, shuffles: plan.shuffles, seed: plan.seed)
            guard let asLived = orders.first else { continue }
            if let failure = try await failure(of: life, asLived) { return Outcome(played: played, failure: failure) }
            others += orders.dropFirst().map { (life, $0) }
        }
        for (life, order) in others {
            if let failure = try await failure(of: life, order) { return Outcome(played: played, failure: failure) }
        }
        return Outcome(played: played, failure: nil)
    }

    /// Plays a life in an order, under numbers that the receiver has never seen.
    private func play(_ life: ReceiverLife, _ order: DeliveryOrder, number: Int) async throws -> Failure? {
        let events = try await store.live(life, number: number)
        let delivered = order.positions.filter { events.indices.contains($0) }.map { events[$0] }
        func failure(_ problem: Failure.Problem) -> Failure {
            Failure(life: life, order: order, delivered: delivered, problem: problem)
        }
        for (position, event) in delivered.enumerated() {
            if let reason = await receiver.post(event.body) {
                return failure(.refused(notification: position + 1, reason: reason))
            }
        }
        guard checksStatus else { return nil }
        // The purchaser's, and a family member's.
        let newest = Dictionary(grouping: delivered, by: \.originalTransactionID).values.compactMap { events in
            events.max { $0.signed < $1.signed }
        }
        for event in newest.sorted(by: { $0.originalTransactionID < $1.originalTransactionID }) {
            do {
                let found = try await receiver.status(of: event.originalTransactionID)
                guard found.agrees(with: event.status) else {
                    return failure(.wrongState(expected: event.status, found: found))
                }
            } catch {
                return failure(.noStatus(reason: "\(error)"))
            }
        }
        return nil
    }

    /// Leaves out one delivery after the other, as long as the receiver stays wrong. A notification that is left out is one
    /// that never arrived, which can happen as well. The newest one always arrives: what it says is true at the end.
    private func shorten(_ failure: Failure, after number: Int) async throws -> Failure {
        var shortest = failure
        var number = number
        var attempts = 0
        search: while attempts < Self.maximumAttempts {
            let newest = shortest.order.positions.max()
            for order in shortest.order.shortened where order.positions.max() == newest {
                attempts += 1
                number += 1
                if let shorter = try await play(failure.life, order, number: number) {
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
