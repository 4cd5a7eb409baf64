import Perennial
import PerennialStorage

/// Divides background work between live nodes: each gets the same number of leases, or one more.
///
/// Each node decides for itself what to take and what to give up. Nodes that see different states do no harm: a lease has one
/// holder.
struct WorkDivision {
    /// The time after which any node takes a free lease that another should have taken, in milliseconds.
    static let overdueAfter: Int64 = 2_000

    /// Changes of a node's leases.
    struct Plan: Equatable {
        var take: [LeasesTable.Key] = []
        var release: [LeasesTable.Key] = []
    }

    /// The work to divide.
    let wanted: [LeasesTable.Key]
    /// The holder of each lease that isn't free.
    let holders: [LeasesTable.Key: Int64]
    /// The live nodes that do background work.
    let nodes: [Int64]

    /// Returns what a node should take and give up.
    ///
    /// - Parameter overdue: The free leases that others should have taken by now.
    func plan(for node: Int64, overdue: Set<LeasesTable.Key> = []) -> Plan {
        var plan = Plan()
        let known = Set(wanted)
        plan.release = holders.filter { $0.value == node && !known.contains($0.key) }.map(\.key).sorted()
        let mine = wanted.filter { holders[$0] == node }
        guard let rank = nodes.firstIndex(of: node) else { return plan }
        let (least, more) = wanted.count.quotientAndRemainder(dividingBy: nodes.count)
        let counts = Dictionary(grouping: wanted.compactMap { holders[$0] }) { $0 }.mapValues(\.count)
        let others = nodes.filter { $0 != node }
        let lacking = others.reduce(0) { $0 + max(least - (counts[$1] ?? 0), 0) }
        // Of the nodes with more than the least, the first may keep one more.
        let rich = nodes.filter { (counts[$0] ?? 0) > least }
        let mayKeepMore = rich.firstIndex(of: node).map { $0 < more } ?? (rich.count < more)
        let free = wanted.filter { holders[$0] == nil }
        if mine.count > least + 1 || mine.count > least && !mayKeepMore && lacking > free.count {
            let kept = mayKeepMore ? least + 1 : least
            plan.release += mine.suffix(mine.count - kept)
            return plan
        }
        var count = max(least - mine.count, 0)
        if count == 0, mine.count == least, mayKeepMore, free.count > lacking { count = 1 }
        // Nodes begin at different places, so that they seldom want the same lease.
        let start = free.isEmpty ? 0 : rank * free.count / nodes.count
        let ordered = free[start...] + free[..<start]
        plan.take = Array(ordered.prefix(count))
        plan.take += ordered.dropFirst(count).filter { overdue.contains($0) }
        return plan
    }
}

extension LeasesTable.Key: Comparable {
    package static func < (one: Self, other: Self) -> Bool {
        (one.work.rawValue, one.environment.rawValue, one.app)
            < (other.work.rawValue, other.environment.rawValue, other.app)
    }
}
