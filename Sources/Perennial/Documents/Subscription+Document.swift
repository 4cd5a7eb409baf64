extension Subscription {
    /// All of the state as one text.
    ///
    /// Written by hand, because it is read and written at every renewal and read at every question about a customer,
    /// where a general encoder would take longer than everything else together.
    package var document: String {
        var document = DocumentWriter()
        document.write(self)
        return document.text
    }

    /// Reads a ``document``.
    package init(document text: String) throws(DocumentError) {
        var document = DocumentReader(text)
        self = try document.read()
        try document.expectEnd()
    }
}

extension Subscription: DocumentValue {
    /// The form of the document, at its beginning: another form gets another number.
    private static let documentForm = 1

    package func write(to document: inout DocumentWriter) {
        document.write(Self.documentForm)
        document.write(id)
        document.write(accountID)
        document.write(groupID)
        document.write(ownership)
        document.write(originalPurchaseDate)
        document.write(storefront)
        document.write(applicationUsername)
        document.write(current)
        document.write(previous)
        document.write(anchor)
        document.write(state)
        document.write(renewal)
        document.write(offersUsed)
        document.write(renewals)
        document.write(paidDays)
        document.write(extensions)
        document.write(lastPriceIncrease)
        document.write(recentSubscriptionStartDate)
        if ownership == .familyShared { document.write(source) }
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        let form: Int = try document.read()
        guard form == Self.documentForm else { throw document.failure("form \(Self.documentForm), not \(form),") }
        id = try document.read()
        accountID = try document.read()
        groupID = try document.read()
        ownership = try document.read()
        originalPurchaseDate = try document.read()
        storefront = try document.read()
        applicationUsername = try document.read()
        current = try document.read()
        let previous: SoldPeriod? = try document.read()
        anchor = try document.read()
        state = try document.read()
        renewal = try document.read()
        let offersUsed: [OfferUse] = try document.read()
        renewals = try document.read()
        paidDays = try document.read()
        let extensions: [GrantedExtension] = try document.read()
        let lastPriceIncrease: Instant? = try document.read()
        recentSubscriptionStartDate = try document.read()
        self.previous = previous
        if !offersUsed.isEmpty { self.offersUsed = offersUsed }
        if !extensions.isEmpty { self.extensions = extensions }
        if lastPriceIncrease != nil { self.lastPriceIncrease = lastPriceIncrease }
        if ownership == .familyShared { source = try document.read() }
    }
}

extension SharedSource: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        document.write(current)
        document.write(previous)
        document.write(ends)
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        self.init(current: try document.read(), previous: try document.read(), ends: try document.read())
    }
}

extension Subscription.State: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        switch self {
        case .active(let until, let chargeAt):
            document.write("active")
            document.write(until)
            document.write(chargeAt)
        case .gracePeriod(let failure, let until):
            document.write("gracePeriod")
            document.write(failure)
            document.write(until)
        case .billingRetry(let failure, let graceEnded):
            document.write("billingRetry")
            document.write(failure)
            document.write(graceEnded)
        case .expired(let at, let paidUntil, let intent):
            document.write("expired")
            document.write(at)
            document.write(paidUntil)
            document.write(intent)
        case .revoked(let at, let withdrawal):
            document.write("revoked")
            document.write(at)
            document.write(withdrawal)
        }
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
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

extension Subscription.BillingFailure: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        document.write(expired)
        document.write(nextAttempt)
        document.write(retryUntil)
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        self.init(expired: try document.read(), nextAttempt: try document.read(), retryUntil: try document.read())
    }
}

extension Subscription.Withdrawal: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        document.write(cause)
        document.write(paidUntil)
        document.write(ended)
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        self.init(cause: try document.read(), paidUntil: try document.read(), ended: try document.read())
    }
}

extension TransactionID: DocumentValue {}
extension Account.ID: DocumentValue {}
extension Transaction.Ownership: DocumentValue {}
extension Storefront: DocumentValue {}
extension ExpirationIntent: DocumentValue {}
extension Subscription.Withdrawal.Cause: DocumentValue {}
