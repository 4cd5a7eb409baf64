/// The author of a grant and the reason for it, for the customer's timeline.
package struct GrantNote: Hashable, Sendable {
    /// The most bytes of a reason: a limit of ours.
    package static let maximumReasonLength = 1000

    package var actor: CatalogActor
    package var reason: String?

    package init(actor: CatalogActor, reason: String?) {
        self.actor = actor
        self.reason = reason
    }
}
