import Perennial
import Testing

/// Ask to Buy and interrupted purchases (docs/reference/apple-behaviour.md, "Ask to Buy").
struct PendingPurchaseTests {
    private func request(_ cause: PendingPurchase.Cause = .approval) -> PendingPurchase {
        PendingPurchase(SubscriptionPlan.monthly.productID, by: Account.ID(rawValue: 8), cause, at: Life.start)
    }

    @Test func `an approval makes one purchase`() {
        var pending = request()
        let answers = [
            pending.answer(approved: true, at: Life.start + 1), pending.answer(approved: true, at: Life.start + 2),
        ]
        #expect(answers == [true, false])
        #expect(pending.state == .ended(.approved, at: Life.start + 1))
        #expect(pending.nextDue == nil)
    }

    @Test func `a declined request makes no purchase, also if approved later`() {
        var pending = request()
        let answers = [
            pending.answer(approved: false, at: Life.start + 1), pending.answer(approved: true, at: Life.start + 2),
        ]
        #expect(answers == [false, false])
        #expect(pending.state == .ended(.declined, at: Life.start + 1))
    }

    @Test func `a request lapses after 24 hours`() {
        var pending = request()
        #expect(pending.nextDue == Life.start + .hours(24))
        var late = pending
        let inTime = pending.answer(approved: true, at: Life.start + (.hours(24) - 1))
        #expect(inTime)
        let answer = late.answer(approved: true, at: Life.start + .hours(24))
        #expect(!answer)
        #expect(late.state == .ended(.lapsed, at: Life.start + .hours(24)))
    }

    @Test func `repeating a request restarts its 24 hours`() {
        var pending = request()
        pending.ask(at: Life.start + .hours(20))
        #expect(pending.nextDue == Life.start + .hours(44))
        let answer = pending.answer(approved: true, at: Life.start + .hours(43))
        #expect(answer)
    }

    @Test func `an interrupted purchase never lapses`() {
        var pending = request(.interruption)
        #expect(pending.nextDue == nil)
        let answer = pending.answer(approved: true, at: Life.start + .days(400))
        #expect(answer)
    }
}
