import HTTPTypes

extension APIOperation {
    private static let path = "control/v1/apps/{bundleId}/notifications"
    private static let settings =
        "url string, version integer, retries app-store|full|none, timeoutMilliseconds integer, trouble? object"
    private static let notification = """
        notificationUUID uuid, version integer, notificationType string, subtype? string, \
        originalTransactionId? string, transactionId? string, signedDate time, attempts [object], nextAttempt? time, \
        signedPayload? jws
        """

    /// control/v1/apps/BUNDLE_ID/notifications: server notifications of an app.
    static let notifications: [APIOperation] = [
        .init(.get, path, "Where an app's server notifications go", answer: settings, .controlToken),
        .init(
            .put, path, "Send an app's server notifications somewhere, from what happens next on",
            body: "url string, version? integer, retries? app-store|full|none, timeoutMilliseconds? integer",
            answer: settings, .controlToken),
        .init(.delete, path, "Send an app's server notifications nowhere any more", .controlToken),
        .init(
            .put, "\(path)/trouble", "Have notifications doubled, delayed, reordered or lost on purpose",
            body: """
                seed? integer, percentage? integer, duplicates? integer, delayMilliseconds? integer, reorder? boolean, \
                dropFirst? integer, stale? boolean
                """, answer: settings, .controlToken),
        .init(.delete, "\(path)/trouble", "Let nothing go wrong any more", answer: settings, .controlToken),
        .init(
            .post, "\(path)/test", "Send a notification that shows whether the receiver is there",
            answer: "notificationUUID uuid", .controlToken),
        .init(
            .get, "\(path)/history", "An app's notifications, newest first", query: "limit? integer",
            answer: "notifications [object]", .controlToken),
        .init(
            .get, "\(path)/history/{uuid}", "A notification with every attempt and what is posted",
            answer: notification, .controlToken),
        .init(
            .post, "\(path)/history/{uuid}/resend", "Send a notification once more",
            answer: "notificationUUID uuid", .controlToken),
    ]
}
