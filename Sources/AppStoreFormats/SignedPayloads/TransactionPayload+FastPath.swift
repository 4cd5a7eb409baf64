import Foundation

extension TransactionPayload: FastPathDecodable {
    init?(fastPath payload: [UInt8]) {
        guard var fields = FlatJSONFields(payload) else { return nil }
        guard let transactionId = fields.string("transactionId"),
            let originalTransactionId = fields.string("originalTransactionId"),
            let bundleId = fields.string("bundleId"), let productId = fields.string("productId"),
            let type: ProductType = fields.value("type"), let purchaseDate = fields.date("purchaseDate"),
            let originalPurchaseDate = fields.date("originalPurchaseDate"), let signedDate = fields.date("signedDate"),
            let environment: AppStoreEnvironment = fields.value("environment"),
            let quantity = fields.integer("quantity", Int32.self),
            let ownership: InAppOwnershipType = fields.value("inAppOwnershipType")
        else { return nil }
        self.init(
            transactionId: transactionId, originalTransactionId: originalTransactionId, bundleId: bundleId,
            productId: productId, type: type, purchaseDate: purchaseDate, originalPurchaseDate: originalPurchaseDate,
            signedDate: signedDate, environment: environment)
        self.quantity = quantity
        inAppOwnershipType = ownership
        readSale(from: &fields)
        readRevocation(from: &fields)
        readOffer(from: &fields)
        guard fields.isFastPath else { return nil }
    }

    private mutating func readSale(from fields: inout FlatJSONFields) {
        webOrderLineItemId = fields.string("webOrderLineItemId")
        subscriptionGroupIdentifier = fields.string("subscriptionGroupIdentifier")
        expiresDate = fields.date("expiresDate")
        appAccountToken = fields.uuid("appAccountToken")
        storefront = fields.string("storefront")
        storefrontId = fields.string("storefrontId")
        transactionReason = fields.value("transactionReason")
        price = fields.integer("price")
        currency = fields.string("currency")
        appTransactionId = fields.string("appTransactionId")
        billingPlanType = fields.value("billingPlanType")
        previousOriginalTransactionId = fields.string("previousOriginalTransactionId")
        deviceVerification = fields.string("deviceVerification")
        deviceVerificationNonce = fields.uuid("deviceVerificationNonce")
    }

    private mutating func readRevocation(from fields: inout FlatJSONFields) {
        revocationReason = fields.value("revocationReason")
        revocationDate = fields.date("revocationDate")
        revocationType = fields.value("revocationType")
        revocationPercentage = fields.integer("revocationPercentage")
        isUpgraded = fields.bool("isUpgraded")
    }

    private mutating func readOffer(from fields: inout FlatJSONFields) {
        offerType = fields.value("offerType")
        offerIdentifier = fields.string("offerIdentifier")
        offerDiscountType = fields.value("offerDiscountType")
        offerPeriod = fields.string("offerPeriod")
    }
}

extension TransactionPayload {
    /// Decodes a payload, without checking a signature.
    ///
    /// - Throws: `DecodingError`.
    package static func decode(_ payload: [UInt8]) throws -> TransactionPayload {
        if let scanned = TransactionPayload(fastPath: payload) { return scanned }
        return try JSONDecoder().decode(TransactionPayload.self, from: Data(payload))
    }
}
