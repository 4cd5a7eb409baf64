import Perennial
import PerennialStore

/// Sends each scenario's notifications to a receiver in every legal but unpleasant order, and compares the receiver's final status
/// of the subscription with the store's.
package struct ReceiverLint: Sendable {
    /// Limit on the attempts to shorten a failure.
    static let maximumAttempts = 200

    package struct Plan: Sendable {
        package var scenarios: [ReceiverScenario]
        /// Number of random orders of each scenario, besides the fixed ones.
        package var shuffles: Int
        package var seed: UInt64
        /// True if a failure ends its own scenario only.
        package var keepsGoing: Bool

        package init(
            scenarios: [ReceiverScenario] = ReceiverScenario.all, shuffles: Int = 5, seed: UInt64 = 1,
            keepsGoing: Bool = false
        ) {
            self.scenarios = scenarios
            self.shuffles = shuffles
            self.seed = seed
            self.keepsGoing = keepsGoing
        }
    }

    /// App, environment and version of the notifications.
    package struct Subject: Sendable {
        package var bundleID: App.BundleID
        package var kind: StoreEnvironment.Kind
        /// Apple ID of the app, which verifiers of Production compare; a made-up one without it.
        package var appleID: Int64?
        package var version: NotificationTerms.Version
        /// Shared secret in the unsigned bodies of version 1; a made-up one without it.
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

    /// A sequence of notifications after which the receiver was wrong.
    package struct Failure: Sendable {
        package enum Problem: Sendable, Equatable {
            /// The receiver reports another status than the store.
            case wrongState(expected: ReceiverStatus, found: ReceiverStatus)
            /// The receiver refused a notification.
            case refused(notification: Int, reason: String)
            /// The receiver refused the receipt that the app sends first.
            case refusedReceipt(reason: String)
            case noStatus(reason: String)
        }

        package var scenario: ReceiverScenario
        package var order: ArrivalOrder
        /// Notifications in the order of their arrival.
        package var delivered: [SentNotification]
        package var problem: Problem
    }

    package struct Outcome: Sendable {
        /// Number of sequences played, without those that shortened a failure.
        package var played: Int
        /// The first failure, or one of each scenario if the plan keeps going.
        package var failures: [Failure]
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
    private let store: ScenarioStore

    /// - Parameters:
    ///   - checksStatus: True if the receiver reports its status of a subscription.
    ///   - sendsReceipts: True if the receiver gets each customer's receipt before the notifications.
    ///   - wallClock: Returns the real time, at which each scenario ends.
    package init(
        _ receiver: any ReceiverUnderTest, checksStatus: Bool, sendsReceipts: Bool = false, of subject: Subject,
        signing: Signing, seed: UInt64, wallClock: @escaping @Sendable () -> Instant
    ) async throws {
        self.receiver = receiver
        self.checksStatus = checksStatus
        self.sendsReceipts = sendsReceipts
        version = subject.version
        store = try await ScenarioStore(subject, signing: signing, seed: seed, wallClock: wallClock)
    }

    /// Plays all sequences up to the first failure, and shortens it. A plan that keeps going plays the other scenarios as well.
    ///
    /// All scenarios are played in order before any other order, since a receiver that ignores notifications fails at once.
    ///
    /// - Parameter progress: Called before each sequence.
    package func run(_ plan: Plan, progress: (ReceiverScenario, ArrivalOrder) -> Void = { _, _ in }) async throws
        -> Outcome
    {
        var outcome = Outcome()
        var failed: Set<ReceiverScenario> = []
        func shouldContinue(after scenario: ReceiverScenario, _ order: ArrivalOrder) async throws -> Bool {
            guard !failed.contains(scenario) else { return true }
            progress(scenario, order)
            outcome.played += 1
            guard let failure = try await run(scenario, order) else { return true }
            outcome.failures.append(try await shorten(failure))
            failed.insert(scenario)
            return plan.keepsGoing
        }
        var others: [(scenario: ReceiverScenario, order: ArrivalOrder)] = []
        for scenario in plan.scenarios {
            let count = try await store.notificationCount(of: scenario)
            let orders =
                version == .one
                ? ArrivalOrder.withoutDates(of: count)
                : ArrivalOrder.all(of: count, shuffles: plan.shuffles, seed: plan.seed)
            guard let inOrder = orders.first else { continue }
            guard try await shouldContinue(after: scenario, inOrder) else { return outcome }
            others += orders.dropFirst().map { (scenario, $0) }
        }
        for (scenario, order) in others {
            guard try await shouldContinue(after: scenario, order) else { return outcome }
        }
        return outcome
    }

    /// Plays a scenario in an order, under transaction IDs that are new to the receiver.
    private func run(_ scenario: ReceiverScenario, _ order: ArrivalOrder) async throws -> Failure? {
        let run = try await store.run(scenario)
        let notifications = run.notifications
        let delivered = order.positions.filter { notifications.indices.contains($0) }.map { notifications[$0] }
        func failure(_ problem: Failure.Problem) -> Failure {
            Failure(scenario: scenario, order: order, delivered: delivered, problem: problem)
        }
        for registration in sendsReceipts ? run.registrations : [] {
            if let reason = await receiver.register(registration) { return failure(.refusedReceipt(reason: reason)) }
        }
        for (position, notification) in delivered.enumerated() {
            if let reason = await receiver.post(notification.body) {
                return failure(.refused(notification: position + 1, reason: reason))
            }
        }
        guard checksStatus else { return nil }
        for (id, expected) in expectedStatuses(after: delivered, of: run).sorted(by: { $0.key < $1.key }) {
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

    /// Returns the expected status by original transaction ID, the purchaser's and a family member's: that of the newest
    /// notification that arrived. In version 1 it is the final status, if the newest notification arrived.
    private func expectedStatuses(after delivered: [SentNotification], of run: ScenarioRun) -> [String: ReceiverStatus]
    {
        func newest(_ notifications: [SentNotification]) -> [String: SentNotification] {
            Dictionary(grouping: notifications, by: \.originalTransactionID).compactMapValues { notifications in
                notifications.max { $0.signed < $1.signed }
            }
        }
        let arrived = newest(delivered)
        guard version == .one else { return arrived.mapValues(\.status) }
        let last = newest(run.notifications)
        return run.outcome.filter { arrived[$0.key] != nil && arrived[$0.key]?.signed == last[$0.key]?.signed }
    }

    /// Leaves out one notification after the other, as if it was lost, as long as the receiver stays wrong. The newest one always
    /// arrives, since it has the final status.
    private func shorten(_ failure: Failure) async throws -> Failure {
        var shortest = failure
        var attempts = 0
        search: while attempts < Self.maximumAttempts {
            let newest = shortest.order.positions.max()
            for order in shortest.order.shortened where order.positions.max() == newest {
                attempts += 1
                if let shorter = try await run(failure.scenario, order) {
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
