/// An action through the console: an entry of the audit log.
package struct AuditEntry: Hashable, Sendable {
    package enum Outcome: String, Sendable, CaseIterable {
        case done
        /// The rules or the form were against it.
        case refused
        /// The visitor wasn't allowed to, or the password was wrong.
        case denied
        case failed
    }

    /// The real time.
    package var at: Instant
    /// Unique among the entries of a millisecond.
    package var id: String
    /// The user's name; `operator` for one who came by a one-time link.
    package var actor: String
    /// The request's method, or a word: `sign-in`, `sign-out`.
    package var action: String
    /// The path without its query, which may hold secrets.
    package var path: String
    package var address: String
    package var outcome: Outcome

    package init(
        at: Instant, id: String, actor: String, action: String, path: String, address: String, outcome: Outcome
    ) {
        self.at = at
        self.id = id
        self.actor = actor
        self.action = action
        self.path = path
        self.address = address
        self.outcome = outcome
    }
}
