extension Subscription {
    /// The complete state as one text.
    ///
    /// The encoding is hand-written, because it is used at every renewal and decoded for every request about a
    /// customer. A general encoder would take longer than everything else together.
    package var document: String { growingDocument.text }

    /// The ``document``, with the number of bytes that a later state is expected to add to it: the period before, and longer
    /// numbers.
    package var growingDocument: (text: String, expectedGrowth: Int) {
        var document = RecordEncoder()
        document.write(self)
        document.end()
        return (document.text, document.expectedGrowth)
    }

    /// Decodes a ``document``, also with spaces before its end.
    package init(document text: String) throws(RecordDecodingError) {
        var document = RecordDecoder(text)
        self = try document.read()
        try document.end()
    }
}

extension Subscription: RecordCodable {
    package func write(to document: inout RecordEncoder) {
        document.write(RecordDecoder.currentVersion)
        document.write(renewal.isOn)
        document.write(state)
        document.write(id)
        document.write(accountID)
        document.write(groupID)
        document.write(ownership == .familyShared)
        document.write(originalPurchaseDate)
        document.write(storefront)
        document.write(applicationUsername)
        document.write(product)
        if let previous {
            current.write(to: &document, known: product)
            document.write(isPresent: true)
            previous.write(to: &document, known: product)
        } else {
            // From the first renewal on there is a period before this one, of about the same length.
            document.reserveDouble { current.write(to: &$0, known: product) }
            document.write(isPresent: false)
        }
        document.write(anchor.origin, known: originalPurchaseDate)
        document.write(anchor.months)
        renewal.write(to: &document, known: product)
        document.write(offerHistory)
        document.write(renewals)
        document.write(paidDays)
        // Zero in the first period, and of about this length from the next one on.
        document.write(atLeast: 9) { $0.write(milliseconds: paidService) }
        document.write(recentSubscriptionStartDate, known: originalPurchaseDate)
        if ownership == .familyShared { document.write(source) }
    }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        document.version = try document.read()
        switch document.version {
        case 1: try self.init(version1: &document)
        case 2...RecordDecoder.currentVersion: try self.init(version2: &document)
        default: throw document.failure("version 1 to \(RecordDecoder.currentVersion), not \(document.version),")
        }
    }

    /// Decodes version 2, and version 3, which added the paid service.
    private init(version2 document: inout RecordDecoder) throws(RecordDecodingError) {
        let isOn: Bool = try document.read()
        state = try document.read()
        id = try document.read()
        accountID = try document.read()
        groupID = try document.read()
        ownership = try document.isPresent() ? .familyShared : .purchased
        originalPurchaseDate = try document.read()
        storefront = try document.read()
        applicationUsername = try document.read()
        let product: SubscribedProduct = try document.read()
        current = try BillingPeriod(from: &document, known: product)
        previous = try document.isPresent() ? BillingPeriod(from: &document, known: product) : nil
        anchor = PeriodAnchor(try document.read(known: originalPurchaseDate), months: try document.read())
        renewal = try RenewalPreference(isOn: isOn, from: &document, known: product)
        let offerHistory: OfferHistory? = try document.read()
        renewals = try document.read()
        paidDays = try document.read()
        paidService = document.version > 2 ? try document.milliseconds() : 0
        recentSubscriptionStartDate = try document.read(known: originalPurchaseDate)
        if offerHistory != nil { self.offerHistory = offerHistory }
        if document.version == 2 { estimatePaidService() }
        if ownership == .familyShared { source = try document.read() }
    }
}

extension Subscription.OfferHistory: RecordCodable {
    package func write(to document: inout RecordEncoder) {
        document.write(offersUsed)
        document.write(extensions)
        document.write(lastPriceIncrease)
        document.write(milliseconds: unpaidTime)
    }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        offersUsed = try document.read()
        extensions = try document.read()
        lastPriceIncrease = try document.read()
        unpaidTime = document.version > 2 ? try document.milliseconds() : 0
    }
}

extension FamilySharingSource: RecordCodable {
    package func write(to document: inout RecordEncoder) {
        document.write(current)
        document.write(previous)
        document.write(ends)
    }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        self.init(current: try document.read(), previous: try document.read(), ends: try document.read())
    }
}

extension Subscription.State: RecordCodable {
    package func write(to document: inout RecordEncoder) {
        switch self {
        case .active(let until, let chargeAt):
            document.write(mark: UInt8(ascii: "a"))
            document.write(until)
            document.write(milliseconds: until.milliseconds &- chargeAt.milliseconds)
        case .gracePeriod(let failure, let until):
            document.write(mark: UInt8(ascii: "g"))
            document.write(failure)
            document.write(until)
        case .billingRetry(let failure, let graceEnded):
            document.write(mark: UInt8(ascii: "b"))
            document.write(failure)
            document.write(graceEnded)
        case .expired(let at, let paidUntil, let intent):
            document.write(mark: UInt8(ascii: "e"))
            document.write(at)
            document.write(paidUntil, known: at)
            document.write(intent)
        case .revoked(let at, let revocation):
            document.write(mark: UInt8(ascii: "r"))
            document.write(at)
            document.write(revocation)
        }
    }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        switch try document.mark() {
        case UInt8(ascii: "a"):
            let until: Instant = try document.read()
            let lead = try document.milliseconds()
            self = .active(until: until, chargeAt: Instant(milliseconds: until.milliseconds &- lead))
        case UInt8(ascii: "g"): self = .gracePeriod(try document.read(), until: try document.read())
        case UInt8(ascii: "b"): self = .billingRetry(try document.read(), graceEnded: try document.read())
        case UInt8(ascii: "e"):
            let at: Instant = try document.read()
            self = .expired(at: at, paidUntil: try document.read(known: at), try document.read())
        case UInt8(ascii: "r"): self = .revoked(at: try document.read(), try document.read())
        default: throw document.failure("a known state")
        }
    }
}

extension Subscription.BillingFailure: RecordCodable {
    package func write(to document: inout RecordEncoder) {
        document.write(expired)
        document.write(nextAttempt)
        document.write(retryUntil)
    }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        self.init(expired: try document.read(), nextAttempt: try document.read(), retryUntil: try document.read())
    }
}

extension Subscription.Revocation: RecordCodable {
    package func write(to document: inout RecordEncoder) {
        document.write(cause)
        document.write(paidUntil)
        document.write(ended)
    }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        self.init(cause: try document.read(), paidUntil: try document.read(), ended: try document.read())
    }
}

extension TransactionID: RecordCodable {}
extension Account.ID: RecordCodable {}
extension Storefront: RecordCodable {}
extension ExpirationIntent: RecordCodable {}
extension Subscription.Revocation.Cause: RecordCodable {}
