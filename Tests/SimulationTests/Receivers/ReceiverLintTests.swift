import Perennial
import PerennialSimulation
import PerennialStore
import TestSupport
import Testing

/// What the lint of receivers finds, and what it doesn't.
struct ReceiverLintTests {
    private static func outcome(
        _ receiver: any ReceiverUnderTest, kind: StoreEnvironment.Kind = .production, shuffles: Int = 2,
        checksStatus: Bool = true, sendsReceipts: Bool = false, appleID: Int64? = nil,
        version: NotificationTerms.Version = .two, keepsGoing: Bool = false, lives: [ReceiverLife] = ReceiverLife.all,
        now: Instant = TestStore.opening
    ) async throws -> ReceiverLint.Outcome {
        let lint = try await ReceiverLint(
            receiver, checksStatus: checksStatus, sendsReceipts: sendsReceipts,
            of: ReceiverLint.Subject(
                bundleID: App.BundleID(rawValue: "com.example.lint"), kind: kind, appleID: appleID, version: version,
                sharedSecret: SampleReceiverV1.sharedSecret),
            signing: try TestSigning.shared, seed: 1, wallClock: { now })
        return try await lint.run(
            ReceiverLint.Plan(lives: lives, shuffles: shuffles, seed: 3, keepsGoing: keepsGoing))
    }

    @Test(arguments: StoreEnvironment.Kind.allCases)
    func `a receiver that is right is found to be right`(kind: StoreEnvironment.Kind) async throws {
        let outcome = try await Self.outcome(SampleReceiver(), kind: kind)
        #expect(outcome.failure == nil, "\(String(describing: outcome.failure))")
        #expect(outcome.played > 50)
    }

    @Test func `who believes what comes last is shown the two notifications that prove it`() async throws {
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

    @Test func `who gives access for every renewal is caught by a late one`() async throws {
        let failure = try #require(try await Self.outcome(SampleReceiver(.renewalsAlwaysEntitle)).failure)
        #expect(failure.delivered.count == 2)
        #expect(failure.delivered.last?.name == "DID_RENEW")
    }

    @Test func `who refuses what came twice is told which`() async throws {
        let failure = try #require(
            try await Self.outcome(SampleReceiver(.refusesDuplicates), checksStatus: false).failure)
        #expect(failure.problem == .refused(notification: 2, reason: "409"))
        #expect(failure.delivered.count == 2 && failure.delivered[0].signed == failure.delivered[1].signed)
    }

    @Test func `who leaves access after a refund is shown the purchase and the refund`() async throws {
        let failure = try #require(try await Self.outcome(SampleReceiver(.ignoresRefunds)).failure)
        // The refund, or what is told with it: that nothing will renew.
        #expect(failure.delivered.count == 2)
        guard case .wrongState(let expected, let found) = failure.problem else {
            Issue.record("\(failure.problem)")
            return
        }
        #expect(expected.status == 5 && expected.isEntitled == false)
        #expect(found.isEntitled == true)
    }

    /// Every notification by which another thing becomes true: status, access or product.
    static let telling = [
        "SUBSCRIBED/RESUBSCRIBE", "DID_RENEW", "DID_RENEW/BILLING_RECOVERY", "DID_FAIL_TO_RENEW",
        "DID_FAIL_TO_RENEW/GRACE_PERIOD", "GRACE_PERIOD_EXPIRED", "EXPIRED/VOLUNTARY", "EXPIRED/BILLING_RETRY",
        "EXPIRED/PRICE_INCREASE", "DID_CHANGE_RENEWAL_PREF/UPGRADE", "OFFER_REDEEMED/UPGRADE", "REFUND",
        "REFUND_REVERSED", "REVOKE",
    ]

    @Test(arguments: telling)
    func `who ignores a notification by which something changes is shown it`(name: String) async throws {
        let failure = try #require(try await Self.outcome(SampleReceiver(ignoring: name)).failure)
        #expect(failure.delivered.contains { $0.name == name })
        #expect(failure.order.name == "in order" && failure.delivered.count <= 3)
    }

    // MARK: - What a receiver needs

    @Test func `a verifier of Production gets the number of its app`() async throws {
        let lives = [ReceiverLife("renews", [.buy, .wait])]
        let own = SampleReceiver(expectedAppleID: 1_600_000_001)
        #expect(try await Self.outcome(own, appleID: 1_600_000_001, lives: lives).failure == nil)
        let other = try #require(try await Self.outcome(own, lives: lives).failure)
        #expect(other.problem == .refused(notification: 1, reason: "another app's number"))
    }

    @Test func `a receiver that needs the app's receipt gets it first, a family member's too`() async throws {
        let lives = [
            ReceiverLife("renews", [.buy, .wait]), ReceiverLife("is shared, and refunded", [.buy, .share, .refund]),
        ]
        let with = try await Self.outcome(SampleReceiver(needsReceipt: true), sendsReceipts: true, lives: lives)
        #expect(with.failures.isEmpty)
        let without = try #require(try await Self.outcome(SampleReceiver(needsReceipt: true), lives: lives).failure)
        #expect(without.problem == .refused(notification: 1, reason: "an unknown customer"))
    }

    @Test func `a receiver that compares dates with its clock is right when the months before it are longer`()
        async throws
    {
        // A life of two months that is rehearsed over 28 and 31 days is lived over 31 and 31.
        let now = try #require(Instant(rfc3339: "2026-02-01T10:00:00Z"))
        let lives = [
            ReceiverLife("is cancelled and ends", [.buy, .wait, .turnOff, .wait]),
            ReceiverLife("can't be charged, ever", [.buy, .declineCard, .wait, .wait]),
        ]
        let outcome = try await Self.outcome(SampleReceiver(now: now.date), shuffles: 0, lives: lives, now: now)
        #expect(outcome.failure == nil, "\(String(describing: outcome.failure))")
    }

    // MARK: - What it is asked

    @Test func `the end of a period is compared`() async throws {
        let failure = try #require(try await Self.outcome(SampleReceiver(.keepsFirstEnd)).failure)
        guard case .wrongState(let expected, let found) = failure.problem else {
            Issue.record("\(failure.problem)")
            return
        }
        #expect(expected.expires != found.expires && expected.status == found.status)
    }

    @Test func `an answer agrees where all that it says is right`() {
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

    @Test func `a late renewal of a refunded period is played`() async throws {
        let failure = try #require(try await Self.outcome(SampleReceiver(.renewalsUndoRefunds)).failure)
        #expect(failure.delivered.last?.name == "DID_RENEW")
        #expect(failure.delivered.dropLast().contains { $0.name == "REFUND" || $0.status.status == 5 })
        // It was signed before the refund, as all that the store sends of a refunded period.
        let signed = failure.delivered.map(\.signed)
        #expect(signed.last == signed.min())
    }

    @Test func `who keeps going is told of each life that goes wrong, once`() async throws {
        let lives = [
            ReceiverLife("is refunded", [.buy, .refund]), ReceiverLife("is cancelled", [.buy, .turnOff]),
            ReceiverLife("is cancelled and refunded", [.buy, .turnOff, .refund]),
        ]
        let receiver = SampleReceiver(.ignoresRefunds)
        let first = try await Self.outcome(receiver, lives: lives)
        let all = try await Self.outcome(receiver, keepsGoing: true, lives: lives)
        #expect(first.failures.map(\.life.name) == ["is refunded"])
        #expect(all.failures.map(\.life.name) == ["is refunded", "is cancelled and refunded"])
        #expect(all.played > first.played)
    }

    // MARK: - Version 1

    @Test(arguments: StoreEnvironment.Kind.allCases)
    func `a receiver of version 1 that is right is found to be right`(kind: StoreEnvironment.Kind) async throws {
        let receiver = SampleReceiverV1(now: TestStore.opening.date)
        let outcome = try await Self.outcome(receiver, kind: kind, version: .one)
        #expect(
            outcome.failure == nil,
            "\(String(describing: outcome.failure?.life)) \(String(describing: outcome.failure?.problem))")
        #expect(outcome.played > 40)
    }

    @Test func `a receiver of version 1 that ignores cancellations is shown a refund`() async throws {
        let receiver = SampleReceiverV1(now: TestStore.opening.date, ignoresCancellations: true)
        let lives = [ReceiverLife("is refunded", [.buy, .refund])]
        let failure = try #require(try await Self.outcome(receiver, version: .one, lives: lives).failure)
        guard case .wrongState(let expected, let found) = failure.problem else {
            Issue.record("\(failure.problem)")
            return
        }
        #expect(expected.isEntitled == false && found.isEntitled == true)
    }

    @Test func `every order delivers everything, each order once, and the same seed is the same orders`() {
        for count in 1...6 {
            let orders = DeliveryOrder.all(of: count, shuffles: 5, seed: 9)
            #expect(orders.allSatisfy { Set($0.positions) == Set(0..<count) })
            #expect(Set(orders.map(\.positions)).count == orders.count)
            #expect(orders == DeliveryOrder.all(of: count, shuffles: 5, seed: 9))
        }
    }
}
