import PerennialStorage

/// Finds nodes that have died, by heartbeats that stand still.
///
/// It compares no clocks of different nodes: each node measures the silence of the others with a clock of its own that never
/// goes back. The time in which a node couldn't look doesn't count. So a node that was suspended, or that was cut off from
/// the database with all others, takes no other for dead when it comes back.
struct FailureDetector {
    /// The silence after which a node counts as dead, in milliseconds.
    static let deadline: Int64 = 3_000
    /// The longest time between two observations that counts as silence, in milliseconds.
    static let maximumGap: Int64 = 1_000

    private struct Observed {
        var beat: Int64
        var silence: Int64
    }

    private var observed: [Int64: Observed] = [:]
    private var last: Int64?

    /// Records the nodes as they are registered.
    ///
    /// - Parameter now: Milliseconds of a clock that never goes back.
    /// - Returns: The nodes that count as dead.
    mutating func observe(_ nodes: [NodesTable.Node], at now: Int64) -> [NodesTable.Node] {
        let gap = last.map { min(max(now - $0, 0), Self.maximumGap) } ?? 0
        last = now
        let before = observed
        observed = [:]
        for node in nodes {
            let known = before[node.id].flatMap { $0.beat == node.beat ? $0.silence + gap : nil }
            observed[node.id] = Observed(beat: node.beat, silence: known ?? 0)
        }
        return nodes.filter { silence(of: $0.id) >= Self.deadline }
    }

    /// Returns the time for which a node's heartbeat has stood still, in milliseconds.
    func silence(of node: Int64) -> Int64 { observed[node]?.silence ?? 0 }
}
