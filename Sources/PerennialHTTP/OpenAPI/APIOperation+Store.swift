import HTTPTypes

extension APIOperation {
    /// store/v1: what a device says to the store.
    static let store: [APIOperation] = [
        .init(
            .post, "store/v1/devices", "Sign in to an app on a device",
            body: "account string, password? string, deviceId uuid, bundleId string, applicationVersion? string",
            answer: "token string, account string, storefront object, canMakePayments boolean", .none),
        .init(.delete, "store/v1/devices/current", "Remove the app from the device", .deviceToken),
        .init(
            .get, "store/v1/storefront", "The customer's storefront",
            answer: "countryCode string, identifier string, currency string", .deviceToken),
        .init(
            .post, "store/v1/products", "Products in the customer's language and currency",
            body: "productIds [string], language? string", answer: "products [object], invalidProductIds [string]",
            .deviceToken),
        .init(
            .post, "store/v1/purchases", "Buy a product",
            body: """
                productId string, quantity? integer, applicationUsername? string, offer? object, \
                idempotencyKey? string, simulatesAskToBuy? boolean, includeReceipt? boolean
                """, answer: "transaction object", .deviceToken),
        .init(
            .get, "store/v1/purchases/{key}", "What became of a purchase, by its idempotency key",
            answer: "transaction? object, state? deferred|declined|lapsed", .deviceToken),
        .init(
            .get, "store/v1/transactions/revoked", "Refunded and revoked purchases, by when that became known",
            query: "after? string", answer: "transactions [object], revision string, hasMore? boolean", .deviceToken),
        .init(
            .get, "store/v1/transactions/unfinished", "Transactions the app hasn't finished",
            answer: "transactions [object], hasMore? boolean", .deviceToken),
        .init(.post, "store/v1/transactions/{id}/finish", "Say that the purchase was delivered", .deviceToken),
        .init(
            .get, "store/v1/transactions/{id}/receipt", "The old form of receipt of one transaction",
            answer: "transactionReceipt base64", .deviceToken),
        .init(
            .post, "store/v1/restore", "Restore what was bought", body: "applicationUsername? string",
            answer: "transactions [object]", .deviceToken),
        .init(
            .post, "store/v1/redemptions", "Redeem an offer code",
            body: "code string, applicationUsername? string, idempotencyKey? string", answer: "transaction object",
            .deviceToken),
        .init(
            .get, "store/v1/app-transaction", "The download of the app, signed", answer: "signedAppTransaction string",
            .deviceToken),
        .init(.get, "store/v1/receipt", "The app receipt", answer: "appReceipt base64", .deviceToken),
    ]
}
