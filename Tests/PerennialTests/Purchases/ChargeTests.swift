import Perennial
import Testing

/// The rule about declined charges.
struct ChargeTests {
    struct Case: Sendable {
        var milliunits: Int64
        var method: Account.PaymentMethod?
        var renewalsFail = false
        var isDeclined: Bool
    }

    static let cases = [
        Case(milliunits: 4_990, method: .valid, isDeclined: false),
        Case(milliunits: 4_990, method: .declined, isDeclined: true),
        Case(milliunits: 4_990, method: nil, isDeclined: true),
        Case(milliunits: 4_990, method: .valid, renewalsFail: true, isDeclined: true),
        Case(milliunits: 0, method: .declined, isDeclined: false),
        Case(milliunits: 0, method: nil, renewalsFail: true, isDeclined: false),
    ]

    @Test(arguments: cases)
    func `a charge is declined for its method or setting unless it is free`(_ row: Case) {
        let price = Money(milliunits: row.milliunits, .usd)
        #expect(Charge.isDeclined(price, by: row.method, renewalsFail: row.renewalsFail) == row.isDeclined)
    }

    @Test(arguments: cases.filter { !$0.renewalsFail })
    func `a charge that a customer asks for is refused if it is declined`(_ row: Case) {
        let (price, product) = (Money(milliunits: row.milliunits, .usd), Product.ID(rawValue: "com.example.coins"))
        var refusal: PurchaseRefusal?
        do { try Charge.expectPayment(of: price, by: row.method, for: product) } catch { refusal = error }
        #expect(refusal?.code == (row.isDeclined ? .paymentDeclined : nil))
        #expect(refusal?.productID == (row.isDeclined ? product : nil))
    }

    @Test(arguments: cases)
    func `a renewal's charge becomes the event of its result`(_ row: Case) throws {
        var plan = SubscriptionPlan.monthly
        plan.price = Money(milliunits: row.milliunits, .usd)
        let life = try Life(plan)
        let due = try #require(life.subscription.nextDue)
        guard case .charge(let charge) = life.subscription.dueWork(at: due, in: life.context) else {
            Issue.record("no renewal is due")
            return
        }
        let account = row.method.map { BillingAccount(paymentMethod: $0, renewalRate: nil) }
        let event = charge.event(chargedTo: account, BillingSettings(renewalsFail: row.renewalsFail))
        #expect(event == (row.isDeclined ? .chargeDeclined(period: 2) : .charged(period: 2)))
    }
}
