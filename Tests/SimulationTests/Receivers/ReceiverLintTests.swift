import Perennial
import PerennialSimulation
import PerennialStore
import TestSupport
import Testing

/// Failures that the lint of receivers finds, and correct receivers that it accepts.
struct ReceiverLintTests {
    private static func outcome(
        _ receiver: any ReceiverUnderTest, kind: StoreEnvironment.Kind = .production, shuffles: Int = 2,
        checksStatus: Bool = true, sendsReceipts: Bool = false, appleID: Int64? = nil,
        version: NotificationTerms.Version = .two, keepsGoing: Bool = false,
        scenarios: [ReceiverScenario] = ReceiverScenario.all,
        now: Instant = TestStore.opening
    ) async throws -> ReceiverLint.Outcome {
        let lint = try await ReceiverLint(
            receiver, checksStatus: checksStatus, sendsReceipts: sendsReceipts,
            of: ReceiverLint.Subject(
                bundleID: App.BundleID(rawValue: "com.example.lint"), kind: kind, appleID: appleID, version: version,
                sharedSecret: SampleReceiverV1.sharedSecret),
            signing: try TestSigning.shared, seed: 1, wallClock: { now })
        return try await lint.run(
            ReceiverLint.Plan(scenarios: scenarios, shuffles: shuffles, seed: 3, keepsGoing: keepsGoing))
    }

    /// The scenarios with a refund, for mistakes that show in no other.
    private static let refunds = ReceiverScenario.all.filter { $0.steps.contains(.refund) }

    @Test(arguments: StoreEnvironment.Kind.allCases)
    func `a receiver that is right is found to be right`(kind: StoreEnvironment.Kind) async throws {
        let outcome = try await Self.outcome(SampleReceiver(), kind: kind)
        #expect(outcome.failure == nil, "\(String(describing: outcome.failure))")
        #expect(outcome.played > 50)
    }

    @Test func `a receiver that believes the last arrival fails with two notifications`() async throws {
        let failure = try #require(try await Self.outcome(SampleReceiver(.believesWhatComesLast)).failure)
        #expect(failure.delivered.count == 2)
        let signed = failure.delivered.map(\.signed)
        #expect(signed[0] > signed[1])
        guard case .wrongState(let expected, let found) = failure.problem else {
            Issue.record("\(failure.problem)")
            return
        }
        #expect(expected == failure.delivered[0].status)
        #expect(found == failure.delivered[1].status)
    }

    @Test func `a receiver that gives access for every renewal fails by a late one`() async throws {
        let failure = try #require(try await Self.outcome(SampleReceiver(.renewalsAlwaysEntitle)).failure)
        #expect(failure.delivered.count == 2)
        #expect(failure.delivered.last?.name == "DID_RENEW")
    }

    @Test func `a receiver that refuses a repeat fails with its position`() async throws {
        let failure = try #require(
            try await Self.outcome(SampleReceiver(.refusesDuplicates), checksStatus: false).failure)
        #expect(failure.problem == .refused(notification: 2, reason: "409"))
        #expect(failure.delivered.count == 2 && failure.delivered[0].signed == failure.delivered[1].signed)
    }

    @Test func `a receiver that keeps access after a refund fails with purchase and refund`() async throws {
        let failure = try #require(
            try await Self.outcome(SampleReceiver(.ignoresRefunds), scenarios: Self.refunds).failure)
        // The refund, or the notification with it, that nothing will renew.
        #expect(failure.delivered.count == 2)
        guard case .wrongState(let expected, let found) = failure.problem else {
            Issue.record("\(failure.problem)")
            return
        }
        #expect(expected.status == 5 && expected.isEntitled == false)
        #expect(found.isEntitled == true)
    }

    /// Every notification that changes status, access or product, with the first scenario that ends with it.
    static let telling = [
        ("SUBSCRIBED/RESUBSCRIBE", "is refunded and bought again"), ("DID_RENEW", "renews"),
        ("DID_RENEW/BILLING_RECOVERY", "can't be charged for a while"), ("DID_FAIL_TO_RENEW", "can't be charged"),
        ("DID_FAIL_TO_RENEW/GRACE_PERIOD", "can't be charged, and has a grace period"),
        ("GRACE_PERIOD_EXPIRED", "outlasts its grace period"), ("EXPIRED/VOLUNTARY", "is cancelled and ends"),
        ("EXPIRED/BILLING_RETRY", "can't be charged, ever"), ("EXPIRED/PRICE_INCREASE", "becomes too dear"),
        ("DID_CHANGE_RENEWAL_PREF/UPGRADE", "is upgraded"), ("OFFER_REDEEMED/UPGRADE", "is upgraded by an offer"),
        ("REFUND", "is refunded"), ("REFUND_REVERSED", "is refunded, and the refund undone"),
        ("REVOKE", "is shared, and not any more"),
    ]

    @Test(arguments: telling)
    func `a receiver that ignores a telling notification fails by it`(name: String, scenario: String) async throws {
        let scenarios = ReceiverScenario.all.filter { $0.name == scenario }
        let failure = try #require(
            try await Self.outcome(SampleReceiver(ignoring: name), scenarios: scenarios).failure)
        #expect(failure.delivered.contains { $0.name == name })
        #expect(failure.order.name == "in order" && failure.delivered.count <= 3)
    }

    // MARK: - What a receiver needs

    @Test func `notifications carry the Apple ID that Production verifiers compare`() async throws {
        let scenarios = [ReceiverScenario("renews", [.buy, .wait])]
        let own = SampleReceiver(expectedAppleID: 1_600_000_001)
        #expect(try await Self.outcome(own, appleID: 1_600_000_001, scenarios: scenarios).failure == nil)
        let other = try #require(try await Self.outcome(own, scenarios: scenarios).failure)
        #expect(other.problem == .refused(notification: 1, reason: "another app's number"))
    }

    @Test func `receipts arrive before notifications, a family member's too`() async throws {
        let scenarios = [
            ReceiverScenario("renews", [.buy, .wait]),
            ReceiverScenario("is shared, and refunded", [.buy, .share, .refund]),
        ]
        let with = try await Self.outcome(SampleReceiver(needsReceipt: true), sendsReceipts: true, scenarios: scenarios)
        #expect(with.failures.isEmpty)
        let without = try #require(
            try await Self.outcome(SampleReceiver(needsReceipt: true), scenarios: scenarios).failure)
        #expect(without.problem == .refused(notification: 1, reason: "an unknown customer"))
    }

    @Test func `a receiver that compares dates is right after longer months`()
        async throws
    {
        // A scenario of two months that is rehearsed over 28 and 31 days is run over 31 and 31.
        let now = try #require(Instant(rfc3339: "2026-02-01T10:00:00Z"))
        let scenarios = [
            ReceiverScenario("is cancelled and ends", [.buy, .wait, .turnOff, .wait]),
            ReceiverScenario("can't be charged, ever", [.buy, .declineCard, .wait, .wait]),
        ]
        let outcome = try await Self.outcome(SampleReceiver(now: now.date), shuffles: 0, scenarios: scenarios, now: now)
        #expect(outcome.failure == nil, "\(String(describing: outcome.failure))")
    }

    // MARK: - What it is asked

    @Test func `a wrong end of a period is found`() async throws {
        let failure = try #require(try await Self.outcome(SampleReceiver(.keepsFirstEnd)).failure)
        guard case .wrongState(let expected, let found) = failure.problem else {
            Issue.record("\(failure.problem)")
            return
        }
        #expect(expected.expires != found.expires && expected.status == found.status)
    }

    @Test func `an answer agrees if none of its fields is wrong`() {
        let right = ReceiverStatus(
            status: 4, expires: Instant(seconds: 10), graceExpires: Instant(seconds: 20), environment: "Sandbox")
        for (answer, agrees) in [
            (ReceiverStatus(), true), (ReceiverStatus(expires: Instant(seconds: 10)), true),
            (ReceiverStatus(expires: Instant(seconds: 20)), true),
            (ReceiverStatus(expires: Instant(seconds: 15)), false), (ReceiverStatus(environment: "Sandbox"), true),
            (ReceiverStatus(environment: "Production"), false),
        ] {
            #expect(answer.agrees(with: right) == agrees, "\(answer.words)")
        }
        #expect(ReceiverStatus(expires: Instant(seconds: 15)).agrees(with: ReceiverStatus(status: 5)))
    }

    @Test func `a late renewal of a refunded period is sent`() async throws {
        let failure = try #require(
            try await Self.outcome(SampleReceiver(.renewalsUndoRefunds), scenarios: Self.refunds).failure)
        #expect(failure.delivered.last?.name == "DID_RENEW")
        #expect(failure.delivered.dropLast().contains { $0.name == "REFUND" || $0.status.status == 5 })
        // It was signed before the refund, as all that the store sends of a refunded period.
        let signed = failure.delivered.map(\.signed)
        #expect(signed.last == signed.min())
    }

    @Test func `a plan that keeps going reports each wrong scenario once`() async throws {
        let scenarios = [
            ReceiverScenario("is refunded", [.buy, .refund]), ReceiverScenario("is cancelled", [.buy, .turnOff]),
            ReceiverScenario("is cancelled and refunded", [.buy, .turnOff, .refund]),
        ]
        let receiver = SampleReceiver(.ignoresRefunds)
        let first = try await Self.outcome(receiver, scenarios: scenarios)
        let all = try await Self.outcome(receiver, keepsGoing: true, scenarios: scenarios)
        #expect(first.failures.map(\.scenario.name) == ["is refunded"])
        #expect(all.failures.map(\.scenario.name) == ["is refunded", "is cancelled and refunded"])
        #expect(all.played > first.played)
    }

    // MARK: - Version 1

    @Test(arguments: StoreEnvironment.Kind.allCases)
    func `a receiver of version 1 that is right is found to be right`(kind: StoreEnvironment.Kind) async throws {
        let receiver = SampleReceiverV1(now: TestStore.opening.date)
        let outcome = try await Self.outcome(receiver, kind: kind, version: .one)
        #expect(
            outcome.failure == nil,
            "\(String(describing: outcome.failure?.scenario)) \(String(describing: outcome.failure?.problem))")
        #expect(outcome.played > 40)
    }

    @Test func `a version 1 receiver that ignores cancellations fails by a refund`() async throws {
        let receiver = SampleReceiverV1(now: TestStore.opening.date, ignoresCancellations: true)
        let scenarios = [ReceiverScenario("is refunded", [.buy, .refund])]
        let failure = try #require(try await Self.outcome(receiver, version: .one, scenarios: scenarios).failure)
        guard case .wrongState(let expected, let found) = failure.problem else {
            Issue.record("\(failure.problem)")
            return
        }
        #expect(expected.isEntitled == false && found.isEntitled == true)
    }

    @Test func `orders are complete, distinct and repeatable by seed`() {
        for count in 1...6 {
            let orders = ArrivalOrder.all(of: count, shuffles: 5, seed: 9)
            #expect(orders.allSatisfy { Set($0.positions) == Set(0..<count) })
            #expect(Set(orders.map(\.positions)).count == orders.count)
            #expect(orders == ArrivalOrder.all(of: count, shuffles: 5, seed: 9))
        }
    }
}
