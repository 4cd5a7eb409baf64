import Perennial

/// A broken rule.
package struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    package typealias Rule = StoreRule

    package let rule: Rule
    package let what: String
    /// Customer of the violation; `nil` for one that concerns no single customer.
    package var person: SimulatedAction.Person?

    init(_ rule: Rule, _ what: String, person: SimulatedAction.Person? = nil) {
        self.rule = rule
        self.what = what
        self.person = person
    }

    package var description: String { "\(rule.rawValue): \(what)" }
}
