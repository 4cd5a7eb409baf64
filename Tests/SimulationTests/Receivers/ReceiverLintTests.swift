import Perennial
import PerennialSimulation
import PerennialStore
import TestSupport
import Testing

/// What the lint of receivers finds, and what it doesn't.
struct ReceiverLintTests {
    private static func outcome(
        _ receiver: SampleReceiver, kind: StoreEnvironment.Kind = .production, shuffles: Int = 2,
        checksStatus: Bool = true
    ) async throws -> ReceiverLint.Outcome {
        let lint = try await ReceiverLint(
            receiver, checksStatus: checksStatus, bundleID: App.BundleID(rawValue: "com.example.lint"), kind: kind,
            signing: try TestSigning.shared, seed: 1, wallClock: { TestStore.opening })
        return try await lint.run(ReceiverLint.Plan(shuffles: shuffles, seed: 3))
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

    @Test func `every order delivers everything, each order once, and the same seed is the same orders`() {
        for count in 1...6 {
            let orders = DeliveryOrder.all(of: count, shuffles: 5, seed: 9)
            #expect(orders.allSatisfy { Set($0.positions) == Set(0..<count) })
            #expect(Set(orders.map(\.positions)).count == orders.count)
            #expect(orders == DeliveryOrder.all(of: count, shuffles: 5, seed: 9))
        }
    }
}
