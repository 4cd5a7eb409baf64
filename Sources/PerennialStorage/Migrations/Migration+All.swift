extension Migration {
    /// The schema's history, oldest first. A migration that has been released never changes; a new one follows it.
    package static var all: [Migration] {
        [
            .initial, .delivery, .subscriptions, .pendingPurchases, .families, .keys, .time, .serverAPI, .offers,
            .reminders, .notifications, .history, .claims, .cancellations, .turns, .quarantine, .signingRoot,
        ]
    }
}
