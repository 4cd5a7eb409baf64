import PerennialStorage

/// An action, its node, and the fault injected into it.
package struct SimulatedStep: Hashable, Sendable, CustomStringConvertible {
    package var action: SimulatedAction
    /// Index of the node: 0 or 1.
    package var node: Int
    package var fault: Fault?

    package init(_ action: SimulatedAction, node: Int = 0, fault: Fault? = nil) {
        self.action = action
        self.node = node
        self.fault = fault
    }

    package var description: String {
        "\(action)\(node == 0 ? "" : " (node 1)")\(fault.map { "; \($0)" } ?? "")"
    }
}

/// A fault at a commit. After a failure the action is retried.
package struct Fault: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// An error before the commit, with nothing changed; after it a lost answer.
        case error
        /// The same, and a restart of the node.
        case crash
        /// An action of the other node: after the commit between two transactions, before it against the lock.
        indirect case interleave(SimulatedAction)
    }

    package var kind: Kind
    package var point: FaultPoint
    /// Number of the commit within the action, from 1.
    package var commit: Int

    package init(_ kind: Kind, _ point: FaultPoint, commit: Int = 1) {
        self.kind = kind
        self.point = point
        self.commit = commit
    }

    package var description: String {
        let place = "\(point == .beforeCommit ? "before" : "after") commit \(commit)"
        switch kind {
        case .error: return "\(point == .beforeCommit ? "an error" : "the answer is lost") \(place)"
        case .crash: return "a crash \(place)"
        case .interleave(let action): return "\(place) on the other node: \(action)"
        }
    }
}
