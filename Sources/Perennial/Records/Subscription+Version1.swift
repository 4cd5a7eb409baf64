/// Decodes version 1 of a subscription's record, which older databases hold until the subscription changes. It is
/// never written.
extension Subscription {
    init(version1 document: inout RecordDecoder) throws(RecordDecodingError) {
        id = try document.read()
        accountID = try document.read()
        groupID = try document.read()
        ownership = try document.read()
        originalPurchaseDate = try document.read()
        storefront = try document.read()
        applicationUsername = try document.read()
        current = try BillingPeriod(version1: &document)
        previous = try document.isPresent() ? BillingPeriod(version1: &document) : nil
        anchor = PeriodAnchor(try document.read(), months: try document.read())
        state = try State(version1: &document)
        let isOn: Bool = try document.read()
        renewal = try RenewalPreference(isOn: isOn, from: &document, known: current.product)
        let offersUsed: [OfferUse] = try document.read()
        renewals = try document.read()
        paidDays = try document.read()
        let extensions: [GrantedExtension] = try document.read()
        let lastPriceIncrease: Instant? = try document.read()
        recentSubscriptionStartDate = try document.read()
        paidService = 0
        if !offersUsed.isEmpty { self.offersUsed = offersUsed }
        if !extensions.isEmpty { self.extensions = extensions }
        if lastPriceIncrease != nil { self.lastPriceIncrease = lastPriceIncrease }
        estimatePaidService()
        // The first member subscriptions ended here.
        if ownership == .familyShared, !document.isAtEnd { source = try document.read() }
    }
}

extension BillingPeriod {
    fileprivate convenience init(version1 document: inout RecordDecoder) throws(RecordDecodingError) {
        self.init(
            number: try document.read(), transactionID: try document.read(), product: try document.read(),
            start: try document.read(), price: try document.read(), offer: try document.read())
    }
}

extension Subscription.State {
    fileprivate init(version1 document: inout RecordDecoder) throws(RecordDecodingError) {
        switch try document.text() {
        case "active": self = .active(until: try document.read(), chargeAt: try document.read())
        case "gracePeriod": self = .gracePeriod(try document.read(), until: try document.read())
        case "billingRetry": self = .billingRetry(try document.read(), graceEnded: try document.read())
        case "expired":
            self = .expired(at: try document.read(), paidUntil: try document.read(), try document.read())
        case "revoked": self = .revoked(at: try document.read(), try document.read())
        default: throw document.failure("a known state")
        }
    }
}

extension Transaction.Ownership: RecordCodable {}
