import HTTPTypes

extension APIOperation {
    /// delivery/v1: what a device says to the seller's content server.
    static let delivery: [APIOperation] = [
        .init(
            .get, "delivery/v1/apps/{bundleId}/products", "The master list of products", answer: "products [object]",
            .none, isGlobal: true),
        .init(
            .post, "delivery/v1/customers/session", "Sign in with the seller",
            body: "bundleId string, customer string, password string", answer: "token string", .none, isGlobal: true),
        .init(
            .post, "delivery/v1/grants", "Verify a receipt, and open the content it pays for",
            body: "bundleId string, receipt base64, deviceId? uuid",
            answer: """
                environment string, grant string, expires time, content [object], nonRenewing [object], refused [object]
                """, .none, isGlobal: true),
        .init(
            .post, "delivery/v1/notifications", "Tell of a refund, as the App Store's server notifications do",
            body: "signedPayload jws", answer: "noted boolean", .none, isGlobal: true),
        .init(
            .get, "delivery/v1/apps/{bundleId}/reminders", "Terms that end soon, for the seller's own programs",
            query: "environment? Production|Sandbox, after? integer", answer: "reminders [object], next integer",
            .operatorToken, isGlobal: true),
        .init(
            .get, "delivery/v1/terms", "A customer's non-renewing subscriptions",
            answer: "nonRenewing [object], grant string, expires time, content [object], refused [object]",
            .deliveryToken, isGlobal: true),
        .init(
            .get, "delivery/v1/content/{contentId}", "A file, or a range of it",
            mediaType: "application/octet-stream", .grant, isGlobal: true),
        .init(
            .head, "delivery/v1/content/{contentId}", "What is said about a file",
            mediaType: "application/octet-stream", .grant, isGlobal: true),
    ]
}
