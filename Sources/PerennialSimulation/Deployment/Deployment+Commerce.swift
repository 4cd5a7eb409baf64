import Perennial
import PerennialStorage
import PerennialStore

extension Deployment {
    func purchase(
        _ action: SimulatedAction, _ request: PurchaseRequest, by person: SimulatedAction.Person
    ) async throws -> Operation {
        let customer = try await customer(person)
        let before = clients.requests[person]?.first { $0.request == request }
        clients.recordRequest(request, by: person)
        return Operation(action, request) { node in
            let sold: Transaction
            do {
                sold = try await node.store().purchases.buy(request, by: customer)
            } catch let refusal as PurchaseRefusal {
                guard before?.sold == nil else {
                    throw Violation(
                        .soldTwice,
                        "the request \(request.idempotencyKey ?? "") was sold, and is refused now: \(refusal)",
                        person: person)
                }
                throw refusal
            }
            if let before, before.isRefused || before.sold.map({ $0 != sold.id }) ?? false {
                throw Violation(
                    .soldTwice,
                    "the request \(request.idempotencyKey ?? "") was answered with "
                        + "\(before.sold?.description ?? "a refusal"), and with \(sold.id) when it came again",
                    person: person)
            }
            return .sold(request, sold.id)
        }
    }

    func ask(_ action: SimulatedAction, _ request: PurchaseRequest, by person: SimulatedAction.Person) async throws
        -> Operation?
    {
        guard let session = clients.devices[person]?.sorted(by: { $0.key < $1.key }).first?.value else { return nil }
        clients.recordRequest(request, by: person)
        return Operation(action) {
            try await $0.store().askToBuy.request(request, token: session.token)
            return .done
        }
    }

    func answer(_ action: SimulatedAction, _ pick: Int, approved: Bool) async throws -> Operation? {
        let waiting = try await node(0).store().askToBuy.approvals(bundleID: SimulatedCatalog.bundleID)
        guard let approval = waiting.picked(pick) else { return nil }
        let person = clients.customers.keys.first { Self.accountName($0) == approval.account }
        return Operation(action) {
            let sold = try await $0.store().askToBuy.answer(approval.id, approved: approved)
            return .approved(approval.request, by: person, sold?.id)
        }
    }

    func finish(_ action: SimulatedAction, _ person: SimulatedAction.Person, _ pick: Int) async throws -> Operation? {
        let customer = try await customer(person)
        let unfinished = try await node(0).store().transactions.unfinished(of: customer).transactions
        guard let id = unfinished.picked(pick)?.id else { return nil }
        return Operation(action) {
            try await $0.store().transactions.finish(id, by: customer)
            return .finished(id)
        }
    }

    func restore(_ action: SimulatedAction, _ person: SimulatedAction.Person) async throws -> Operation {
        let customer = try await customer(person)
        return Operation(action) { node in
            let restored = try await node.store().restores.restore(for: customer, applicationUsername: nil)
            for found in restored where found.original.revocation != nil || found.original.isUpgraded {
                throw Violation(
                    .accessWithoutReason, "\(found.original.id) was restored, but it is not in force", person: person)
            }
            let numbers = Set(restored.map(\.id)).union(restored.map(\.original.id))
            guard numbers.count == restored.count * 2 else {
                throw Violation(.severalActive, "a restore gave a number twice", person: person)
            }
            return .done
        }
    }

    func refund(
        _ action: SimulatedAction, _ person: SimulatedAction.Person, _ pick: Int, _ share: Refund.Share
    ) async throws -> Operation? {
        let customer = try await customer(person)
        let bought = try await database.read { try TransactionsTable.all(of: customer.key, on: $0) }
        guard let id = bought.picked(pick)?.id else { return nil }
        return Operation(action) {
            _ = try await $0.store().refunds.refund(id, Refund(share))
            return .refunded(id)
        }
    }

    func reverseRefund(_ action: SimulatedAction, _ person: SimulatedAction.Person, _ pick: Int) async throws
        -> Operation?
    {
        let customer = try await customer(person)
        let refunded = try await database.read { try TransactionsTable.all(of: customer.key, on: $0) }
            .filter { $0.revocation != nil }
        guard let picked = refunded.picked(pick) else { return nil }
        let id = picked.id
        // From now on neither this refund nor those of the purchase's repeats are certain.
        let isPeriod = picked.type == .autoRenewable
        for other in refunded where other.id == id || !isPeriod && other.originalID == picked.originalID {
            clients.refunded[person]?.remove(other.id)
        }
        return Operation(action) {
            _ = try await $0.store().refunds.reverse(id)
            return .done
        }
    }

    func changeSubscription(
        _ action: SimulatedAction, _ what: Subscriptions.Action, _ person: SimulatedAction.Person, _ pick: Int
    ) async throws -> Operation? {
        guard let id = try await subscription(of: person, pick) else { return nil }
        return Operation(action) {
            _ = try await $0.store().subscriptions.perform(what, on: id)
            return .done
        }
    }

    func subscription(of person: SimulatedAction.Person, _ pick: Int) async throws -> TransactionID? {
        let customer = try await customer(person)
        return try await database.read { try SubscriptionsTable.all(of: customer.key, on: $0) }.picked(pick)?.id
    }

    // MARK: - Accounts and devices

    func account(
        _ action: SimulatedAction, _ person: SimulatedAction.Person, storefront: Storefront? = nil,
        method: Account.PaymentMethod? = nil, mayPay: Bool? = nil
    ) async throws -> Operation {
        _ = try await customer(person)
        return Operation(action) {
            _ = try await $0.store().accounts.put(
                Self.accountName(person), storefront: storefront, paymentMethod: method, canMakePayments: mayPay,
                password: nil)
            return .done
        }
    }

    func signIn(_ action: SimulatedAction, _ person: SimulatedAction.Person, _ device: Int) async throws -> Operation {
        _ = try await customer(person)
        return Operation(action) {
            let session = try await $0.store().accounts.signIn(
                account: Self.accountName(person), password: Self.password, deviceID: Self.deviceID(person, device),
                bundleID: SimulatedCatalog.bundleID, applicationVersion: nil)
            return .signedIn(session, device: device)
        }
    }

    func uninstall(_ action: SimulatedAction, _ person: SimulatedAction.Person, _ device: Int) async throws
        -> Operation?
    {
        guard clients.devices[person]?[device] != nil else { return nil }
        var customer = try await customer(person)
        customer.device = Self.deviceID(person, device)
        return Operation(action) { [customer] in
            try await $0.store().accounts.uninstall(customer)
            return .uninstalled(device: device)
        }
    }
}
