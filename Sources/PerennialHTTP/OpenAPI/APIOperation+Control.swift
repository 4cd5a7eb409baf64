import HTTPTypes

extension APIOperation {
    /// control/v1: what a test or an operator does to an environment.
    static let control: [APIOperation] =
        environments + customers + families + offerCodes + subscriptions + keys + serverAPI + notifications
        + time

    private static let environments: [APIOperation] = [
        .init(
            .get, "control/v1/environments", "All environments", answer: "environments [object]", .controlToken,
            isGlobal: true),
        .init(
            .post, "control/v1/environments", "Make an environment",
            body: """
                name string, kind Production|Sandbox, clock real|manual, now? time, seed? integer, billing? object
                """,
            answer: "name string, kind Production|Sandbox, clock real|manual, path string", .controlToken,
            isGlobal: true),
        .init(
            .delete, "control/v1/environments/{name}", "Remove an environment, with all that happened in it",
            .controlToken, isGlobal: true),
        .init(.get, "control/v1/clock", "The environment's time", answer: "now time, kind real|manual", .controlToken),
        .init(
            .post, "control/v1/clock/advance", "Move a manual clock, doing all that falls due on the way",
            body: "by? duration, to? time", answer: "now time, events integer", .controlToken),
        .init(
            .get, "control/v1/certificates", "The leaves in use, and what was revoked",
            answer: "signing [object], revoked [object]", .controlToken, isGlobal: true),
        .init(
            .post, "control/v1/certificates/revoke", "Revoke a leaf and sign with a new one",
            body: "purpose? transactions|receipts, reason? integer",
            answer: "purpose string, serialNumber string, revokedAt time, reason integer, replacement string",
            .controlToken, isGlobal: true),
        .init(
            .get, "control/v1/app-transaction", "A customer's signed app transaction",
            query: "bundleId string, account string", answer: "signedAppTransaction string", .controlToken),
        .init(.post, "control/v1/reset", "Empty the environment; catalog and keys stay", .controlToken),
    ]

    private static let customers: [APIOperation] = [
        .init(
            .post, "control/v1/accounts", "Make or change an account",
            body: """
                account string, storefront? string, paymentMethod? valid|declined, canMakePayments? boolean, \
                password? string, interruptsPurchases? boolean, renewalRate? string
                """, answer: accountAnswer, .controlToken),
        .init(.get, "control/v1/accounts/{account}", "An account", answer: accountAnswer, .controlToken),
        .init(
            .post, "control/v1/purchases", "Buy a product for an account",
            body: """
                bundleId string, account string, productId string, quantity? integer, offerId? string, \
                appAccountToken? uuid, idempotencyKey? string
                """,
            answer: """
                transactionId string, originalTransactionId string, orderId? string, signedTransaction jws, \
                signedRenewalInfo? jws, appReceipt base64, transactionReceipt base64
                """, .controlToken),
        .init(
            .get, "control/v1/receipt", "An account's app receipt", query: "bundleId string, account string",
            answer: "appReceipt base64", .controlToken),
        .init(
            .post, "control/v1/transactions/{id}/refund", "Refund a transaction",
            body: "reason? integer, percentage? integer, period? named|newest|unambiguous",
            answer: "transactionId string, originalTransactionId string, signedTransaction jws, period? object",
            .controlToken),
        .init(
            .get, "control/v1/approvals", "Purchases that wait for a parent", query: "bundleId string",
            answer: "approvals [object]", .controlToken),
        .init(
            .post, "control/v1/approvals/{id}/approve", "Say yes to a purchase", answer: "transactionId? string",
            .controlToken),
        .init(
            .post, "control/v1/approvals/{id}/decline", "Say no to a purchase", answer: "transactionId? string",
            .controlToken),
    ]

    private static let accountAnswer = """
        account string, storefront string, paymentMethod valid|declined, canMakePayments boolean, \
        interruptsPurchases boolean, renewalRate? string
        """
    private static let subscriptionAnswer = """
        transactionId string, originalTransactionId string, status integer, signedTransaction jws, signedRenewalInfo jws
        """

    private static let subscriptions: [APIOperation] = [
        .init(
            .get, "control/v1/subscriptions/{id}", "A subscription by its original transaction ID",
            answer: subscriptionAnswer, .controlToken),
        .init(
            .post, "control/v1/subscriptions/{id}/auto-renew", "Turn renewal on or off", body: "enabled boolean",
            answer: subscriptionAnswer, .controlToken),
        .init(
            .post, "control/v1/subscriptions/{id}/change", "Choose another product of the group",
            body: "productId string", answer: subscriptionAnswer, .controlToken),
        .init(
            .post, "control/v1/subscriptions/{id}/payment", "Give the account another payment method",
            body: "method valid|declined", answer: subscriptionAnswer, .controlToken),
        .init(
            .post, "control/v1/subscriptions/{id}/price-consent", "Answer a price increase", body: "accepted boolean",
            answer: subscriptionAnswer, .controlToken),
        .init(
            .post, "control/v1/subscriptions/{id}/expire", "End the subscription now", answer: subscriptionAnswer,
            .controlToken),
        .init(
            .post, "control/v1/subscriptions/{id}/renew", "Renew ahead of time", answer: subscriptionAnswer,
            .controlToken),
        .init(
            .get, "control/v1/quarantine", "Subscriptions that are left out of the work, because it fails for them",
            answer: "subscriptions [object]", .controlToken),
        .init(
            .post, "control/v1/quarantine/{id}/release", "Put a subscription back to work", .controlToken),
    ]

    private static let familyAnswer = "id string, organizer string, members [string]"

    private static let families: [APIOperation] = [
        .init(.get, "control/v1/families", "All families", answer: "families [object]", .controlToken),
        .init(
            .post, "control/v1/families", "Make a family", body: "organizer string, members? [string]",
            answer: familyAnswer, .controlToken),
        .init(.get, "control/v1/families/{id}", "A family", answer: familyAnswer, .controlToken),
        .init(.delete, "control/v1/families/{id}", "Dissolve a family", .controlToken),
        .init(
            .post, "control/v1/families/{id}/members", "Add an account to a family", body: "account string",
            answer: familyAnswer, .controlToken),
        .init(
            .delete, "control/v1/families/{id}/members/{account}", "Take an account out of a family",
            answer: familyAnswer, .controlToken),
    ]

    private static let offerCodes: [APIOperation] = [
        .init(
            .get, "control/v1/apps/{bundleId}/offer-codes", "An app's offer codes", query: "after? string",
            answer: "codes [object]", .controlToken),
        .init(
            .post, "control/v1/apps/{bundleId}/offer-codes", "Make offer codes",
            body: """
                productId string, offerId string, kind string, code? string, count? integer, expires? time, \
                maximumRedemptions? integer
                """, answer: "codes [object]", .controlToken),
        .init(
            .post, "control/v1/redemptions", "Redeem an offer code for anyone",
            body: "bundleId string, account string, code string, idempotencyKey? string",
            answer: "transactionId string, originalTransactionId string", .controlToken),
    ]

    private static let keyAnswer =
        "keyId string, kind string, issuerId string, created time, revoked? time, privateKey? string"

    private static let keys: [APIOperation] = [
        .init(
            .get, "control/v1/apps/{bundleId}/keys", "An app's keys", answer: "keys [object]", .controlToken),
        .init(
            .post, "control/v1/apps/{bundleId}/keys", "Make a key; its private key is shown this once",
            body: "kind string", answer: keyAnswer, .controlToken),
        .init(
            .delete, "control/v1/apps/{bundleId}/keys/{keyId}", "Revoke a key", answer: keyAnswer, .controlToken),
        .init(
            .get, "control/v1/apps/{bundleId}/shared-secret", "The secret that verifyReceipt asks for",
            answer: "sharedSecret? string", .controlToken),
        .init(
            .post, "control/v1/apps/{bundleId}/shared-secret", "Make another secret", answer: "sharedSecret string",
            .controlToken),
        .init(
            .delete, "control/v1/apps/{bundleId}/shared-secret", "Revoke the secret", answer: "sharedSecret? string",
            .controlToken),
    ]

    private static let serverAPI: [APIOperation] = [
        .init(
            .get, "control/v1/transactions/{id}/consumption", "What the seller told of a purchase's consumption",
            answer: "transactionId string, received time, version integer, consumption object", .controlToken),
        .init(
            .post, "control/v1/subscriptions/{id}/retention-message",
            "What a customer sees who is about to cancel; asks the seller's server", body: "locale string",
            answer: """
                source realtime|default|none, messageIdentifier? uuid, message? object, alternateProductId? string, \
                promotionalOfferIdentifier? string, promotionalOfferSignature? string, failure? string
                """, .controlToken),
        .init(
            .put, "control/v1/apps/{bundleId}/retention-messages/{id}", "Approve or reject a retention message",
            body: "state PENDING|APPROVED|REJECTED", .controlToken),
        .init(
            .put, "control/v1/apps/{bundleId}/retention-images/{id}", "Approve or reject an image",
            body: "state PENDING|APPROVED|REJECTED", .controlToken),
    ]
}
