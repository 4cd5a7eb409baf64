import Perennial
import PerennialStorage

/// Sandbox testers: the accounts of a sandbox environment, as App Store Connect shows them.
package struct Testers: StoreChapter {
    let context: StoreContext
    let subscriptions: Subscriptions

    /// A limit of this store on the testers of one request to clear purchase histories.
    package static let maximumCleared = 200

    /// Returns a page of testers, by the names of their accounts.
    ///
    /// - Parameter cursor: Of the page before; `nil` for the first.
    /// - Throws: ``StoreError`` `.malformed` for a cursor that isn't one.
    package func list(after cursor: String? = nil, limit: Int) async throws -> ListPage<SandboxTester> {
        let (last, limit) = (try cursor.map { try ListCursor.name($0) } ?? "", ListLimit.clamped(limit))
        let found = try await page(after: last, limit: limit + 1)
        let shown = Array(found.prefix(limit))
        let end = found.count > limit ? shown.last?.account.name : nil
        return ListPage(shown, next: end.map { ListCursor.text(name: $0) })
    }

    /// Returns the testers whose accounts' names come after one.
    ///
    /// - Parameter name: Empty for the first.
    package func page(after name: String, limit: Int) async throws -> [SandboxTester] {
        try await database.read { [environment] connection in
            try TestersTable.page(after: name, limit: limit, environment.id, on: connection)
        }
    }

    /// Returns a page of the testers who use some apps, by the names of their accounts.
    ///
    /// A page reads no more than ``PageReader/maximumRows`` accounts: if few of them use the apps, it is shorter than its limit
    /// and has a place from which to go on.
    ///
    /// - Parameters:
    ///   - name: Empty for the first.
    ///   - apps: The apps' numbers.
    /// - Returns: The testers, and the name after which the next page begins; `nil` on the last.
    package func page(
        after name: String, limit: Int, usersOf apps: [Int64]
    ) async throws -> (testers: [SandboxTester], next: String?) {
        try await database.read { [environment] connection in
            let reader = PageReader(
                limit: limit,
                read: { name, count in
                    try TestersTable.page(
                        after: name, limit: count, usersOf: apps, environment.id, on: connection)
                }, place: { $0.tester.account.name })
            let (found, next) = try reader.page(after: name) { $0.isUser }
            return (found.map { $0.tester }, next)
        }
    }

    /// Returns the tester of an account.
    ///
    /// - Throws: ``StoreError`` `.accountNotFound`.
    package func tester(named name: String) async throws -> SandboxTester {
        try await database.read { [self] in try tester(named: name, on: $0) }
    }

    /// Sets a tester's names; those that are `nil` stay.
    ///
    /// - Throws: ``StoreError`` `.accountNotFound`.
    package func rename(_ name: String, firstName: String?, lastName: String?) async throws -> SandboxTester {
        try await context.write { [self] connection in
            var tester = try tester(named: name, on: connection)
            tester.firstName = firstName ?? tester.firstName
            tester.lastName = lastName ?? tester.lastName
            try TestersTable.setName(
                tester.firstName, tester.lastName, of: tester.account.id, environment.id, on: connection)
            return tester
        }
    }

    /// Clears the purchase histories of testers: they can buy everything again, and are eligible for introductory offers.
    ///
    /// A tester gets another account, with the name, settings and devices of the one before. Purchases stay with that
    /// one, under another name, so that journal, reports and the seller's server keep what they know. Its subscriptions end.
    /// Repeating it is harmless.
    /// - Parameter ids: The testers' numbers.
    /// - Throws: ``CatalogEditError`` `.relationshipInvalid` for an unknown number, and `.state` for a member of a family;
    ///   then no history is cleared.
    package func clearPurchaseHistories(of ids: [Int64]) async throws {
        guard environment.kind.isForTests else {
            throw CatalogEditError(.state, "Purchases of Production can't be cleared.")
        }
        try await database.read { [self] connection in
            for id in ids { _ = try clearable(id, on: connection) }
        }
        for id in ids {
            try await subscriptions.write { [self] in try clear(try clearable(id, on: $0), on: $0) }
        }
    }

    private func tester(named name: String, on connection: any Connection) throws -> SandboxTester {
        guard let account = try AccountsTable.named(name, environment.id, on: connection),
            let tester = try TestersTable.tester(of: account.id, environment.id, on: connection)
        else { throw StoreError(.accountNotFound, name, "there is no tester with an account of that name") }
        return tester
    }

    private func clearable(_ id: Int64, on connection: any Connection) throws -> SandboxTester {
        guard let tester = try TestersTable.tester(id, environment.id, on: connection) else {
            throw CatalogEditError(
                .relationshipInvalid, at: .relationship("sandboxTesters"),
                "There is no resource of type 'sandboxTesters' with id '\(id)'.")
        }
        guard try FamiliesTable.number(of: tester.account.id, environment.id, on: connection) == nil else {
            throw CatalogEditError(
                .state, at: .relationship("sandboxTesters"),
                "\(tester.account.name) is in a family that shares purchases: remove the tester from it first.")
        }
        return tester
    }

    private func clear(_ tester: SandboxTester, on connection: any Connection) throws {
        // All before the first journal.
        let keys = try catalog.all(on: connection).map { customerKey(of: tester.account.id, in: $0.app) }
        try CustomersTable.lock(inOrder: keys, on: connection)
        for entry in try catalog.all(on: connection) {
            let key = customerKey(of: tester.account.id, in: entry.app)
            guard try CustomersTable.knownRevision(key, on: connection) != nil else { continue }
            try endSubscriptions(key, entry, on: connection)
        }
        try TestersTable.replaceAccount(
            of: tester, with: Account.ID(rawValue: try ids.next()), at: try clock.now(on: connection), environment.id,
            on: connection)
    }

    private func endSubscriptions(
        _ key: CustomerKey, _ entry: CatalogCache.Entry, on connection: any Connection
    ) throws {
        var revision = try CustomersTable.lock(key, on: connection)
        let now = try clock.now(on: connection).wholeSeconds
        for found in try SubscriptionsTable.all(of: key, on: connection) {
            let current = try subscriptions.broughtUpToDate(
                found.id, key, entry, until: now, revision: &revision, on: connection)
            switch current.state {
            case .expired, .revoked: continue
            case .active, .gracePeriod, .billingRetry: break
            }
            let context = try subscriptions.renewalContext(of: current, entry, on: connection)
            try subscriptions.record(
                try current.decide(.expireNow, at: now, in: context, id: ids.next), key, revision: &revision,
                on: connection)
        }
    }
}

/// Reads and changes sandbox testers in a transaction of the App Store Connect API.
package struct TesterDraft {
    private let environment: StoreEnvironment.ID
    private let connection: any Connection

    /// - Parameter environment: The environment that is asked. Production's testers are those of Sandbox.
    package init(of environment: StoreEnvironment, on connection: any Connection) {
        self.environment = environment.kind == .production ? .sandbox : environment.id
        self.connection = connection
    }

    package func count() throws -> Int { Int(clamping: try TestersTable.count(environment, on: connection)) }

    /// Returns testers by their accounts' names.
    package func page(limit: Int, offset: Int) throws -> [SandboxTester] {
        try TestersTable.page(limit: limit, offset: offset, environment, on: connection)
    }

    /// Returns a tester by its number.
    package func tester(_ id: Int64) throws -> SandboxTester? {
        try TestersTable.tester(id, environment, on: connection)
    }

    /// Writes the settings of a tester's account.
    package func update(_ tester: SandboxTester) throws {
        try AccountsTable.update(tester.account, environment, on: connection)
    }
}
