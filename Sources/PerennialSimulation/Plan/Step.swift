import PerennialStorage

/// An action, which node of two does it, and what goes wrong meanwhile.
package struct Step: Hashable, Sendable, CustomStringConvertible {
    package var action: Action
    /// 0 or 1: two processes on one database.
    package var node: Int
    package var fault: Fault?

    package init(_ action: Action, node: Int = 0, fault: Fault? = nil) {
        self.action = action
        self.node = node
        self.fault = fault
    }

    package var description: String {
        "\(action)\(node == 0 ? "" : " (node 1)")\(fault.map { "; \($0)" } ?? "")"
    }
}

/// What goes wrong at a commit. Whoever is told of a failure does the same again.
package struct Fault: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// Before the commit: an error, and nothing happened. After it: the answer is lost.
        case error
        /// The same, and the process starts again.
        case crash
        /// The other node does something: after the commit in between, before it against the lock.
        indirect case rival(Action)
    }

    package var kind: Kind
    package var point: FaultPoint
    /// Which commit of the action, counted from 1.
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
        case .rival(let action): return "\(place) on the other node: \(action)"
        }
    }
}
