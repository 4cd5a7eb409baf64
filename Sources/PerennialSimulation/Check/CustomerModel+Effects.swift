import Perennial

/// The sequential rules of a customer's state: the states after a step, if its answer follows from the state before.
extension CustomerModel {
    /// Returns the states that a step can lead to.
    ///
    /// - Returns: Nothing if the step's answer can't be given in this state. Of a step without an answer only states that differ
    ///   from the one before: it need not take effect.
    func states(after timed: Timed, from state: State) -> [State] {
        switch timed.step {
        case .buy(let key, let product, let outcome?):
            return after(key, product, outcome, state).map { [$0] } ?? []
        case .buy(let key, let product, nil): return outcomes(of: key, product, state)
        case .card(let isAccepted):
            guard timed.isUnknown == false || state.isDeclined == isAccepted else { return [] }
            var next = state
            next.isDeclined = !isAccepted
            return [next]
        case .refund(let transaction, let isDone): return refunded(transaction, isDone, state)
        case .finish(let transaction, let isDone): return finished(transaction, isDone, state)
        case .list(let sold, let revoked, let finished):
            return listed(sold, revoked, finished, state).map { [$0] } ?? []
        }
    }

    // MARK: - Purchases

    private func after(_ key: Int, _ product: Int, _ outcome: Outcome, _ state: State) -> State? {
        if let bound = state.outcomes[key] {
            guard bound.product == product else { return isReused(outcome) ? state : nil }
            return bound.outcome == outcome ? state : nil
        }
        guard isPossible(outcome, product, state) else { return nil }
        return binding(key, product, outcome, state)
    }

    /// The states after a purchase without an answer took effect.
    private func outcomes(of key: Int, _ product: Int, _ state: State) -> [State] {
        guard state.outcomes[key] == nil else { return [] }
        if let known = known[KeyOfProduct(key: key, product: product)] {
            return isPossible(known, product, state) ? [binding(key, product, known, state)] : []
        }
        // A sale of another product that no list shows would be missing in the next; without a list it changes nothing.
        var possible =
            products[product].type == .autoRenewable
            ? [Outcome.soldUnseen] : products[product].candidates.map(Outcome.sold)
        if isBoundElsewhere(key, product) { possible.append(.unseen) }
        return possible.filter { isPossible($0, product, state) }.map { binding(key, product, $0, state) }
    }

    /// True if another product's request was refused because of the key.
    private func isBoundElsewhere(_ key: Int, _ product: Int) -> Bool {
        steps.contains {
            if case .buy(key, let other, let outcome?) = $0.step {
                other != product && isReused(outcome)
            } else {
                false
            }
        }
    }

    private func isReused(_ outcome: Outcome) -> Bool { isRefusal(outcome, .idempotencyKeyReused) }

    private func isRefusal(_ outcome: Outcome, _ code: PurchaseRefusal.Code) -> Bool {
        if case .refused(let number) = outcome { return codes[number] == code.rawValue }
        return false
    }

    /// True if a new request can have an outcome in a state.
    private func isPossible(_ outcome: Outcome, _ product: Int, _ state: State) -> Bool {
        switch outcome {
        case .sold(let transaction):
            guard !state.sold.contains(transaction), transactions[transaction].product == product else { return false }
            // Other products may be free: an offer, or what the customer owns.
            return !state.isDeclined || products[product].type != .consumable
        case .soldUnseen, .unseen: return true
        case .refused:
            if isRefusal(outcome, .paymentDeclined) { return state.isDeclined }
            if isRefusal(outcome, .alreadySubscribed) { return isSubscribed(to: product, state) }
            return false
        }
    }

    /// True if a subscription of the product was sold. Whether it still runs depends on the clock.
    private func isSubscribed(to product: Int, _ state: State) -> Bool {
        guard products[product].type == .autoRenewable else { return false }
        return state.unseen.contains(product)
            || state.sold.intersection(subscriptions).numbers.contains { transactions[$0].product == product }
    }

    private func binding(_ key: Int, _ product: Int, _ outcome: Outcome, _ state: State) -> State {
        var next = state
        next.outcomes[key] = State.Bound(product: product, outcome: outcome)
        switch outcome {
        case .sold(let transaction): next.sold.insert(transaction)
        case .soldUnseen: next.unseen.insert(product)
        case .refused, .unseen: break
        }
        return next
    }

    // MARK: - Transactions

    private func refunded(_ transaction: Int, _ isDone: Bool?, _ state: State) -> [State] {
        let isSold = state.sold.contains(transaction)
        let isRevoked = state.revoked.contains(transaction)
        if isDone == false { return isRevoked || !isSold ? [state] : [] }
        guard isSold || mayRenew(transaction), !isRevoked else { return [] }
        var next = state
        next.sold.insert(transaction)
        next.revoked = next.revoked.union(transactions[transaction].repeats.intersection(next.sold))
        return [next]
    }

    private func finished(_ transaction: Int, _ isDone: Bool?, _ state: State) -> [State] {
        let isSold = state.sold.contains(transaction)
        if isDone == false { return isSold ? [] : [state] }
        guard isSold || mayRenew(transaction) else { return [] }
        if state.finished.contains(transaction) { return isDone == nil ? [] : [state] }
        var next = state
        next.sold.insert(transaction)
        next.finished.insert(transaction)
        return [next]
    }

    /// True if the transaction may be a renewal, which comes without a request.
    private func mayRenew(_ transaction: Int) -> Bool {
        let facts = transactions[transaction]
        return !facts.isAnswer && (facts.isSubscription || facts.product < 0)
    }

    /// Compares a list with the state. Renewals come by themselves: the list may have more of them, and has them from now on.
    private func listed(_ sold: Bits, _ revoked: Bits, _ finished: Bits, _ state: State) -> State? {
        guard state.sold.subtracting(sold).isEmpty, state.finished == finished,
            state.revoked.subtracting(revoked).isEmpty
        else { return nil }
        let more = sold.subtracting(state.sold)
        guard more.subtracting(subscriptions).isEmpty,
            revoked.subtracting(state.revoked).subtracting(subscriptions).isEmpty,
            !more.numbers.contains(where: { transactions[$0].isAnswer && !isUnseen($0, state) })
        else { return nil }
        var next = state
        next.sold = sold
        next.revoked = revoked
        return next
    }

    /// True if the transaction may be that of a sale without an answer.
    private func isUnseen(_ transaction: Int, _ state: State) -> Bool {
        state.unseen.contains(transactions[transaction].product)
    }
}
