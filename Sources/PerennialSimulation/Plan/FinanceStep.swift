/// A step of the seller's finances.
package enum FinanceStep: Hashable, Sendable {
    /// Loads exchange rates, which a number decides, for the open months up to the next one.
    case loadRates(Int)
    /// Closes the months that are over, in their order, and pays what is owed.
    case close(atMost: Int)
    /// Adjusts what is owed in a region, under an idempotency key.
    case adjust(key: Int)
}

extension FinanceStep: CustomStringConvertible {
    package var description: String {
        switch self {
        case .loadRates(let number): "exchange rates number \(number) are loaded"
        case .close(let limit): "the fiscal months that are over are closed, at most \(limit)"
        case .adjust(let key): "what is owed is adjusted, key \(key)"
        }
    }
}

extension SimulatedAction {
    /// True for a step of the finances.
    var isFinance: Bool {
        if case .finance = self { true } else { false }
    }
}

extension SimulatedStep {
    /// True if the step, or the action that interleaves with it, is one of the finances.
    var isFinance: Bool {
        if case .interleave(let other) = fault?.kind { return action.isFinance || other.isFinance }
        return action.isFinance
    }
}
