import Perennial
import PerennialStorage
import Synchronization

extension NodeMembership {
    /// Returns this node's lease on a piece of background work that is divided between the nodes; `nil` if it is another
    /// node's, or none's yet.
    package func lease(_ key: LeasesTable.Key) -> WorkLease? {
        guard !isAlone else { return WorkLease(key: key, token: nil) }
        let now = elapsed()
        return state.withLock { state in state.isValid(at: now) ? state.leases[key] : nil }
    }

    /// Returns a lease to acquire in a transaction, with a token of its own.
    func newLease(_ key: LeasesTable.Key) async throws -> (lease: WorkLease, node: Int64) {
        if isAlone { try await checkRegistration() } else { try await beatIfDue() }
        let node = try await register()
        let (count, era) = state.withLock { state in
            state.acquisitions += 1
            return (state.acquisitions, state.era)
        }
        // Unique: numbers of nodes are, and a node acquires fewer than four thousand million.
        let token = node << 32 | count
        _ = tokensInUse.withLock { $0.insert(token) }
        let use = LeaseUse { [weak self] in
            _ = self?.tokensInUse.withLock { $0.remove(token) }
        }
        return (WorkLease(key: key, token: token, era: era, use: use), node)
    }

    /// Returns the leases of all kinds that are this node's in the database only: the answer to an acquisition or to a release
    /// was lost. Nothing else frees them, because the node lives.
    func unused(of held: [LeasesTable.Lease], node: Int64?) -> [LeasesTable.Lease] {
        tokensInUse.withLock { tokens in held.filter { $0.node == node && !tokens.contains($0.token) } }
    }

    /// Takes and gives up leases until the work is divided between all nodes.
    ///
    /// - Parameter wanted: Returns all work that is divided, in order.
    package func divide(
        _ wanted: @escaping @Sendable (any Connection) throws -> [LeasesTable.Key]
    ) async throws {
        guard !isAlone, let id, isValid else { return }
        // Before purchases, so that work moves in time also while the store is busy.
        let (keys, held, nodes) = try await database.write(isUrgent: true) { connection in
            (
                try wanted(connection).sorted(), try LeasesTable.held(on: connection),
                try NodesTable.all(on: connection)
            )
        }
        let divided = held.filter { $0.key.work.isDivided }
        let now = elapsed()
        let plan = state.withLock { state in
            let tokens = Dictionary(uniqueKeysWithValues: divided.map { ($0.key, $0.token) })
            // An acquisition without an answer may be there as well; it is released below.
            state.leases = state.leases.filter { tokens[$0.key] == $0.value.token }
            let holders = Dictionary(uniqueKeysWithValues: divided.map { ($0.key, $0.node) })
            let free = keys.filter { holders[$0] == nil }
            state.freeSince = Dictionary(
                uniqueKeysWithValues: free.map { ($0, state.freeSince[$0] ?? now) })
            let overdue = state.freeSince.filter { now - $0.value >= WorkDivision.overdueAfter }.keys
            let workers = nodes.filter { $0.isWorker || $0.id == id }.map(\.id)
            return WorkDivision(wanted: keys, holders: holders, nodes: workers).plan(for: id, overdue: Set(overdue))
        }
        let unused = unused(of: held, node: id)
        let ending = state.withLock { state in
            let surplus = plan.release.compactMap { state.leases.removeValue(forKey: $0)?.token }
            state.releasing = state.releasing.union(surplus).intersection(held.map(\.token))
            return held.filter { $0.node == id && state.releasing.contains($0.token) }
        }
        if !unused.isEmpty || !ending.isEmpty {
            // A lease that a transaction of this node holds is released in a later round: heartbeats go on this connection.
            try await database.write(isUrgent: true) { connection in
                for lease in ending + unused {
                    _ = try LeasesTable.release(lease.key, ifUnlocked: lease.token, on: connection)
                }
            }
        }
        for key in plan.take {
            let (lease, node) = try await newLease(key)
            let isTaken = try await database.write(isUrgent: true) { connection in
                try lease.token.map { try LeasesTable.acquire(key, node: node, token: $0, on: connection) } ?? false
            }
            if isTaken {
                state.withLock { state in
                    if state.id == node { state.leases[key] = lease }
                }
            }
        }
    }

    /// Forgets a lease that a transaction found lost.
    func forget(_ lost: LeaseLost) {
        state.withLock { $0.leases[lost.key] = nil }
    }
}

extension LeasesTable.Work {
    /// True for work that is divided between the nodes. Other leases are taken by the node that happens to need them.
    var isDivided: Bool {
        switch self {
        case .clock, .notifications: false
        case .renewals, .extensions, .priceChanges, .rollUps: true
        }
    }
}
