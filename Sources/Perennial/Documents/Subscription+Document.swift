extension Subscription {
    /// All of the state as one text.
    ///
    /// Written by hand, because it is read and written at every renewal and read at every question about a customer,
    /// where a general encoder would take longer than everything else together.
    package var document: String {
        var document = DocumentWriter()
        document.write(self)
        document.end(unit: Self.documentUnit)
        return document.text
    }

    /// Reads a ``document``.
    package init(document text: String) throws(DocumentError) {
        var document = DocumentReader(text)
        self = try document.read()
        try document.end()
    }
}

extension Subscription: DocumentValue {
    /// Lengths are rounded up to this. A renewal writes the subscription's row over, and one that gets longer has to leave
    /// its page: so there is room for a number that gets longer, and, where there is no period before, for the one running.
    private static let documentUnit = 16

    package func write(to document: inout DocumentWriter) {
        document.write(DocumentReader.currentVersion)
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
            document.write(isThere: true)
            previous.write(to: &document, known: product)
        } else {
            document.writeTwofold { current.write(to: &$0, known: product) }
            document.write(isThere: false)
        }
        document.write(anchor.origin, known: originalPurchaseDate)
        document.write(anchor.months)
        renewal.write(to: &document, known: product)
        document.write(past)
        document.write(renewals)
        document.write(paidDays)
        document.write(recentSubscriptionStartDate, known: originalPurchaseDate)
        if ownership == .familyShared { document.write(source) }
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        document.version = try document.read()
        switch document.version {
        case 1: try self.init(version1: &document)
        case DocumentReader.currentVersion: try self.init(version2: &document)
        default: throw document.failure("version 1 or \(DocumentReader.currentVersion), not \(document.version),")
        }
    }

    private init(version2 document: inout DocumentReader) throws(DocumentError) {
        let isOn: Bool = try document.read()
        state = try document.read()
        id = try document.read()
        accountID = try document.read()
        groupID = try document.read()
        ownership = try document.isThere() ? .familyShared : .purchased
        originalPurchaseDate = try document.read()
        storefront = try document.read()
        applicationUsername = try document.read()
        let product: SubscribedProduct = try document.read()
        current = try SoldPeriod(from: &document, known: product)
        previous = try document.isThere() ? SoldPeriod(from: &document, known: product) : nil
        anchor = PeriodAnchor(try document.read(known: originalPurchaseDate), months: try document.read())
        renewal = try RenewalPreference(isOn: isOn, from: &document, known: product)
        let past: Past? = try document.read()
        renewals = try document.read()
        paidDays = try document.read()
        recentSubscriptionStartDate = try document.read(known: originalPurchaseDate)
        if past != nil { self.past = past }
        if ownership == .familyShared { source = try document.read() }
    }
}

extension Subscription.Past: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        document.write(offersUsed)
        document.write(extensions)
        document.write(lastPriceIncrease)
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        offersUsed = try document.read()
        extensions = try document.read()
        lastPriceIncrease = try document.read()
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
        case .revoked(let at, let withdrawal):
            document.write(mark: UInt8(ascii: "r"))
            document.write(at)
            document.write(withdrawal)
        }
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
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
extension Storefront: DocumentValue {}
extension ExpirationIntent: DocumentValue {}
extension Subscription.Withdrawal.Cause: DocumentValue {}
