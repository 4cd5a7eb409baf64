import HTTPTypes

extension APIOperation {
    /// control/v1: time and billing, prices, extensions, what becomes of refunds, and interrupted purchases.
    static let time: [APIOperation] = billing + products + extensions + refunds + interruptions

    private static let billingFields = """
        timeRate? string, maximumRenewals? integer, gracePeriodDays? integer, \
        gracePeriodScope? ALL_RENEWALS|PAID_TO_PAID_ONLY, renewalsFail? boolean
        """

    private static let billing: [APIOperation] = [
        .init(
            .get, "control/v1/billing", "How subscription time and billing run, of all apps", answer: billingFields,
            .controlToken),
        .init(
            .put, "control/v1/billing", "Set how subscription time and billing run, of all apps", body: billingFields,
            answer: billingFields, .controlToken),
        .init(
            .get, "control/v1/apps/{bundleId}/billing", "How subscription time and billing run, of an app",
            answer: billingFields, .controlToken),
        .init(
            .put, "control/v1/apps/{bundleId}/billing", "Set how subscription time and billing run, of an app",
            body: billingFields, answer: billingFields, .controlToken),
    ]

    private static let productAnswer =
        "productId string, price integer, currency string, prices object, clearedForSale boolean"

    private static let products: [APIOperation] = [
        .init(
            .post, "control/v1/apps/{bundleId}/products/{productId}/price", "Change a product's price",
            body: "price integer, storefront? string, consent? boolean, preserve? boolean", answer: productAnswer,
            .controlToken),
        .init(
            .post, "control/v1/apps/{bundleId}/products/{productId}/sale", "Take a product off sale, or put it back",
            body: "clearedForSale boolean", answer: productAnswer, .controlToken),
    ]

    private static let extensionAnswer = """
        requestIdentifier string, productId string, complete boolean, completeDate? time, succeededCount integer, \
        failedCount integer
        """

    private static let extensions: [APIOperation] = [
        .init(
            .post, "control/v1/subscriptions/{id}/extend", "Move a renewal date",
            body: "days integer, reason? integer, requestIdentifier? string",
            answer: """
                transactionId string, originalTransactionId string, status integer, signedTransaction jws, \
                signedRenewalInfo jws
                """, .controlToken),
        .init(
            .post, "control/v1/apps/{bundleId}/extensions", "Move the renewal dates of all subscribers of a product",
            body: """
                productId string, days integer, reason? integer, storefronts? [string], requestIdentifier? string
                """, answer: extensionAnswer, .controlToken),
        .init(
            .get, "control/v1/apps/{bundleId}/extensions/{requestId}", "How far such a request has got",
            answer: extensionAnswer, .controlToken),
    ]

    private static let transactionAnswer =
        "transactionId string, originalTransactionId string, signedTransaction jws"

    private static let refunds: [APIOperation] = [
        .init(
            .post, "control/v1/transactions/{id}/request-refund", "Ask for a refund, as a customer",
            body: "reason? UNINTENDED_PURCHASE|FULFILLMENT_ISSUE|UNSATISFIED_WITH_PURCHASE|LEGAL|OTHER",
            answer: transactionAnswer, .controlToken),
        .init(
            .post, "control/v1/transactions/{id}/decline-refund", "Decline a refund that was asked for",
            answer: transactionAnswer, .controlToken),
        .init(
            .post, "control/v1/transactions/{id}/reverse-refund", "Undo a refund", answer: transactionAnswer,
            .controlToken),
    ]

    private static let interruptions: [APIOperation] = [
        .init(
            .get, "control/v1/interruptions", "Purchases that wait for their customers", query: "bundleId string",
            answer: "interruptions [object]", .controlToken),
        .init(
            .post, "control/v1/interruptions/{id}/resolve", "Do for the customer what interrupted a purchase",
            body: "completed? boolean", answer: "transactionId? string", .controlToken),
    ]
}
