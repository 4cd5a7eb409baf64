import Perennial
import PerennialStorage
import Testing

@testable import PerennialStore

/// Each node decides for itself what to take, and all together divide the work.
struct WorkDivisionTests {
    /// Nodes that plan one after the other until none has anything to do.
    private struct Nodes {
        var wanted: [LeasesTable.Key]
        var holders: [LeasesTable.Key: Int64] = [:]
        var nodes: [Int64]
        var changes = 0

        /// - Returns: False if a node still had something to do in the last round.
        mutating func settle(rounds: Int = 40) -> Bool {
            for _ in 0..<rounds {
                let before = changes
                for node in nodes { step(node) }
                if changes == before { return true }
            }
            return false
        }

        private mutating func step(_ node: Int64) {
            let plan = WorkDivision(wanted: wanted, holders: holders, nodes: nodes).plan(for: node)
            for key in plan.release where holders[key] == node { holders[key] = nil }
            for key in plan.take where holders[key] == nil { holders[key] = node }
            changes += plan.release.count + plan.take.count
        }

        var counts: [Int] { nodes.map { node in holders.values.filter { $0 == node }.count } }
    }

    private static func keys(_ count: Int) -> [LeasesTable.Key] {
        (0..<count).map { LeasesTable.Key(.rollUps, .production, app: Int64($0)) }
    }

    private static func expectDivided(_ nodes: Nodes, _ comment: Comment) {
        #expect(Set(nodes.holders.keys) == Set(nodes.wanted), comment)
        #expect((nodes.counts.max() ?? 0) - (nodes.counts.min() ?? 0) <= 1, comment)
    }

    @Test func `all work is divided evenly, and then stays where it is`() {
        for count in 1...6 {
            for works in 0...20 {
                var nodes = Nodes(wanted: Self.keys(works), nodes: (1...Int64(count)).map { $0 * 3 })
                let isSettled1 = nodes.settle()
                #expect(isSettled1, "\(count) nodes, \(works) works")
                Self.expectDivided(nodes, "\(count) nodes, \(works) works")
            }
        }
    }

    @Test func `a new node gets its share, and only that moves`() {
        for works in 1...20 {
            var nodes = Nodes(wanted: Self.keys(works), nodes: [1, 2, 3])
            let isSettled2 = nodes.settle()
            #expect(isSettled2)
            let before = nodes.holders
            nodes.nodes.append(4)
            let isSettled3 = nodes.settle()
            #expect(isSettled3, "\(works) works")
            Self.expectDivided(nodes, "\(works) works")
            let moved = nodes.holders.filter { before[$0.key] != $0.value }
            #expect(moved.allSatisfy { $0.value == 4 }, "\(works) works")
        }
    }

    @Test func `a dead node's work is divided among the others`() {
        for works in 1...20 {
            var nodes = Nodes(wanted: Self.keys(works), nodes: [1, 2, 3, 4])
            let isSettled4 = nodes.settle()
            #expect(isSettled4)
            let before = nodes.holders
            nodes.nodes.remove(at: 1)
            nodes.holders = nodes.holders.filter { $0.value != 2 }
            let isSettled5 = nodes.settle()
            #expect(isSettled5, "\(works) works")
            Self.expectDivided(nodes, "\(works) works")
            let moved = nodes.holders.filter { before[$0.key] != 2 && before[$0.key] != $0.value }
            #expect(moved.count <= 1, "\(works) works")
        }
    }

    @Test func `work that isn't wanted any more is released`() {
        let keys = Self.keys(3)
        let division = WorkDivision(wanted: [keys[0]], holders: [keys[0]: 1, keys[1]: 1, keys[2]: 2], nodes: [1, 2])
        #expect(division.plan(for: 1) == WorkDivision.Plan(release: [keys[1]]))
        #expect(division.plan(for: 2) == WorkDivision.Plan(release: [keys[2]]))
    }

    @Test func `overdue work is taken by any node, also beyond its share`() {
        let keys = Self.keys(2)
        let division = WorkDivision(wanted: keys, holders: [keys[0]: 1], nodes: [1, 2])
        #expect(division.plan(for: 1) == WorkDivision.Plan())
        #expect(division.plan(for: 1, overdue: [keys[1]]) == WorkDivision.Plan(take: [keys[1]]))
    }

    @Test func `a node that does no background work takes none`() {
        #expect(WorkDivision(wanted: Self.keys(2), holders: [:], nodes: [1]).plan(for: 2) == WorkDivision.Plan())
    }
}
