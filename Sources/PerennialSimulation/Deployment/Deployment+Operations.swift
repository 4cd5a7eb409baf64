import Foundation
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore

extension Deployment {
    /// Makes an action concrete. Returns `nil` if there is nothing it could act on.
    func operation(of action: SimulatedAction) async throws -> Operation? {
        switch action {
        case .buy(let person, let product, let quantity, let offer, let key):
            return try await purchase(
                action,
                PurchaseRequest(productID: product, quantity: quantity, offerID: offer, idempotencyKey: "k\(key)"),
                by: person)
        case .repeatRequest(let person, let pick):
            // Without an idempotency key the same request is another purchase.
            let known = (clients.requests[person] ?? []).filter {
                $0.request.idempotencyKey != nil && ($0.sold != nil || $0.isRefused)
            }
            guard let earlier = known.picked(pick) else { return nil }
            return try await purchase(action, earlier.request, by: person)
        case .ask(let person, let product, let key):
            return try await ask(
                action, PurchaseRequest(productID: product, idempotencyKey: key.map { "k\($0)" }), by: person)
        case .answer(let pick, let approved): return try await answer(action, pick, approved: approved)
        case .finish(let person, let pick): return try await finish(action, person, pick)
        case .restore(let person): return try await restore(action, person)
        case .refund(let person, let pick, let share): return try await refund(action, person, pick, share)
        case .reverseRefund(let person, let pick): return try await reverseRefund(action, person, pick)
        case .setAutoRenew(let person, let pick, let isOn):
            return try await changeSubscription(action, .setAutoRenew(isOn), person, pick)
        case .change(let person, let pick, let product):
            return try await changeSubscription(action, .change(product), person, pick)
        case .expire(let person, let pick): return try await changeSubscription(action, .expire, person, pick)
        case .renew(let person, let pick): return try await changeSubscription(action, .renew, person, pick)
        case .payFor(let person, let pick, let method):
            guard let id = try await subscription(of: person, pick) else { return nil }
            return Operation(action) {
                _ = try await $0.store().subscriptions.setPaymentMethod(method, of: id)
                return .done
            }
        case .pay(let person, let method): return try await account(action, person, method: method)
        case .move(let person, let storefront): return try await account(action, person, storefront: storefront)
        case .restrict(let person, let may): return try await account(action, person, mayPay: may)
        case .signIn(let person, let device): return try await signIn(action, person, device)
        case .uninstall(let person, let device): return try await uninstall(action, person, device)
        case .foundFamily(let person): return try await foundFamily(action, person)
        case .joinFamily(let person, let pick): return try await joinFamily(action, person, pick)
        case .leaveFamily(let person): return try await leaveFamily(action, person)
        case .edit(let edit): return try await self.edit(action, edit)
        case .finance(let step): return try await finance(action, step)
        case .consent(let person, let pick, let accepted):
            return try await changeSubscription(action, .answerPriceIncrease(accepted: accepted), person, pick)
        case .advance(let milliseconds, let works):
            return advance(action, to: try await now() + milliseconds, works: works)
        case .advanceTo(let moment, let pick, let offset, let within):
            guard let time = try await time(of: moment, pick, offset: offset, within: within) else { return nil }
            return advance(action, to: time, works: true)
        case .workOff:
            return Operation(action) {
                try await $0.store().renewals.processDue()
                return .done
            }
        case .restart:
            try restart(1)
            try restart(0)
            return nil
        }
    }

    /// Returns the store's customer for a person. Makes the account when it is first needed.
    func customer(_ person: SimulatedAction.Person) async throws -> Customer {
        if let known = clients.customers[person] { return known }
        let store = try await actingNode.store()
        let name = Self.accountName(person)
        let storefronts = SimulatedCatalog.storefronts
        _ = try await store.accounts.put(
            name, storefront: storefronts[person % storefronts.count], paymentMethod: nil, canMakePayments: nil,
            password: Self.password)
        let customer = try await store.accounts.customer(account: name, bundleID: SimulatedCatalog.bundleID)
        clients.add(customer, person)
        return customer
    }

    static let password = "simulated"

    static func accountName(_ person: SimulatedAction.Person) -> String { "customer\(person)@example.com" }

    static func deviceID(_ person: SimulatedAction.Person, _ device: Int) -> String {
        let digits = String(person * 10 + device, radix: 16)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: max(12 - digits.count, 0)) + digits
    }

    // MARK: - Time

    private func advance(_ action: SimulatedAction, to time: Instant, works: Bool) -> Operation {
        guard setting.clock == .real else {
            return Operation(action) {
                let store = try await $0.store()
                _ = try await store.clock.advance(to: time)
                let now = try await store.now()
                guard now == time else {
                    throw Violation(
                        .clock,
                        "the clock was moved to \(time.rfc3339(fraction: true)), and stands at "
                            + "\(now.rfc3339(fraction: true))")
                }
                return .done
            }
        }
        return Operation(action) { [clock] in
            clock.move(to: time)
            let store = try await $0.store()
            // Another worker than that of renewals.
            try await store.products.performScheduledPrices(until: try await store.now()) { due in
                _ = try await store.renewals.processDue(until: due + -1)
            }
            if works { try await store.renewals.processDue() }
            return .done
        }
    }

    private func time(
        of moment: SimulatedAction.Moment, _ pick: Int, offset: Int64, within: Int64
    ) async throws -> Instant? {
        let now = try await now()
        let environment = try await environment().id
        let column = moment == .due ? ("due", "subscriptions") : ("expires", "transactions")
        let times = try await database.read { connection in
            try connection.query(
                SQL(
                    """
                    SELECT DISTINCT \(column.0) FROM \(column.1)
                    WHERE environment = $1 AND \(column.0) > $2 AND \(column.0) <= $3 ORDER BY \(column.0) LIMIT 8
                    """),
                [
                    .integer(environment.rawValue), .integer(now.milliseconds - min(offset, 0)),
                    .integer(now.milliseconds + within),
                ]
            ) { try $0.instant(0) }
        }
        return times.picked(pick).map { $0 + offset }
    }
}

extension Array {
    /// Returns the element at an index modulo the count.
    func picked(_ pick: Int) -> Element? {
        isEmpty ? nil : self[(pick % count + count) % count]
    }
}
