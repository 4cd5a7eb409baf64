extension SubscriptionLifecycle {
    /// The version of the record.
    private static let recordVersion: Int64 = 1

    /// The complete lifecycle as one text.
    package var document: String {
        var document = RecordEncoder()
        document.write(Self.recordVersion)
        document.write(text: state.rawValue)
        current.write(to: &document)
        document.write(isPresent: previous != nil)
        previous?.write(to: &document)
        document.write(refundedAhead)
        document.write(isPresent: end != nil)
        if let end {
            document.write(end.at)
            document.write(end.isRevocation)
            document.write(end.wasActive)
        }
        document.write(device?.rawValue)
        document.write(appVersion)
        document.write(originalStart)
        document.write(serviceStart)
        document.write(consecutivePaidPeriods)
        document.write(isRenewing)
        document.write(turnedOff)
        document.write(isExtended)
        document.write(isPresent: cohort != nil)
        if let cohort {
            document.write(cohort.start)
            cohort.traits.write(to: &document)
        }
        document.write(isPresent: trial != nil)
        trial?.write(to: &document)
        document.write(day.number)
        return document.text
    }

    /// Decodes a ``document``.
    package init(document text: String) throws(RecordDecodingError) {
        var document = RecordDecoder(text)
        let version: Int64 = try document.read()
        guard version == Self.recordVersion else { throw document.failure("version \(Self.recordVersion)") }
        guard let state = State(rawValue: try document.text()) else { throw document.failure("a state") }
        self.state = state
        current = try Sale(from: &document)
        previous = try document.isPresent() ? try Sale(from: &document) : nil
        refundedAhead = try document.read()
        end =
            try document.isPresent()
            ? End(at: try document.read(), isRevocation: try document.read(), wasActive: try document.read()) : nil
        device = try document.readDevice()
        appVersion = try document.read()
        originalStart = try document.read()
        serviceStart = try document.read()
        consecutivePaidPeriods = try document.read()
        isRenewing = try document.read()
        turnedOff = try document.read()
        isExtended = try document.read()
        cohort =
            try document.isPresent() ? Cohort(start: try document.read(), traits: try Traits(from: &document)) : nil
        trial = try document.isPresent() ? try Trial(from: &document) : nil
        day = PacificDay(number: try document.read())
        try document.expectEnd()
    }
}

extension SubscriptionLifecycle.Sale {
    fileprivate func write(to document: inout RecordEncoder) {
        document.write(transactionID)
        document.write(product)
        document.write(level)
        document.write(group)
        document.write(period)
        document.write(storefront)
        document.write(offer: offer)
        document.write(price)
        document.write(proceeds)
        document.write(isPricePreserved)
        document.write(proceedsReason?.rawValue)
        document.write(start)
    }

    fileprivate init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        transactionID = try document.read()
        product = try document.read()
        level = try document.read()
        group = try document.read()
        period = try document.read()
        storefront = try document.read()
        offer = try document.readOffer()
        price = try document.read()
        proceeds = try document.read()
        isPricePreserved = try document.read()
        proceedsReason = try document.readReason()
        start = try document.read()
    }
}

extension SubscriptionLifecycle.Trial {
    fileprivate func write(to document: inout RecordEncoder) {
        document.write(day.number)
        traits.write(to: &document)
        document.write(isConverted)
        document.write(hasLapsed)
    }

    fileprivate init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        day = PacificDay(number: try document.read())
        traits = try SubscriptionLifecycle.Traits(from: &document)
        isConverted = try document.read()
        hasLapsed = try document.read()
    }
}

extension SubscriptionLifecycle.Traits {
    fileprivate func write(to document: inout RecordEncoder) {
        document.write(product)
        document.write(storefront)
        document.write(device?.rawValue)
        document.write(appVersion)
    }

    fileprivate init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        product = try document.read()
        storefront = try document.read()
        device = try document.readDevice()
        appVersion = try document.read()
    }
}

extension ReportSnapshot {
    /// The snapshot as one text, equal for equal snapshots.
    package var document: String {
        var document = RecordEncoder()
        document.write(product)
        document.write(group)
        document.write(period)
        document.write(offer: offer)
        document.write(customerPrice)
        document.write(proceeds)
        document.write(isPricePreserved)
        document.write(proceedsReason?.rawValue)
        document.write(device?.rawValue)
        document.write(storefront)
        document.write(text: state.rawValue)
        return document.text
    }

    /// Decodes a ``document``.
    package init(document text: String) throws(RecordDecodingError) {
        var document = RecordDecoder(text)
        product = try document.read()
        group = try document.read()
        period = try document.read()
        offer = try document.readOffer()
        customerPrice = try document.read()
        proceeds = try document.read()
        isPricePreserved = try document.read()
        proceedsReason = try document.readReason()
        device = try document.readDevice()
        storefront = try document.read()
        guard let state = State(rawValue: try document.text()) else { throw document.failure("a state") }
        self.state = state
        try document.expectEnd()
    }
}

extension SubscriptionReportEvent {
    /// The event as one text, equal for equal events.
    package var document: String {
        var document = RecordEncoder()
        document.write(text: name.rawValue)
        document.write(product)
        document.write(group)
        document.write(period)
        document.write(offer: offer)
        document.write(isPricePreserved)
        document.write(proceedsReason?.rawValue)
        document.write(consecutivePaidPeriods)
        document.write(originalStart.number)
        document.write(device?.rawValue)
        document.write(storefront)
        document.write(previousProduct)
        document.write(daysBeforeCanceling)
        document.write(cancellationReason?.rawValue)
        document.write(daysCanceled)
        document.write(paidServiceDaysRecovered)
        return document.text
    }

    /// Decodes a ``document``.
    package init(document text: String) throws(RecordDecodingError) {
        var document = RecordDecoder(text)
        guard let name = Name(rawValue: try document.text()) else { throw document.failure("an event's name") }
        self.name = name
        product = try document.read()
        group = try document.read()
        period = try document.read()
        offer = try document.readOffer()
        isPricePreserved = try document.read()
        proceedsReason = try document.readReason()
        consecutivePaidPeriods = try document.read()
        originalStart = PacificDay(number: try document.read())
        device = try document.readDevice()
        storefront = try document.read()
        previousProduct = try document.read()
        daysBeforeCanceling = try document.read()
        let reason: String? = try document.read()
        cancellationReason = reason.flatMap(CancellationReason.init(rawValue:))
        daysCanceled = try document.read()
        paidServiceDaysRecovered = try document.read()
        try document.expectEnd()
    }
}

extension RecordEncoder {
    fileprivate mutating func write(offer: AppliedOffer?) {
        write(isPresent: offer != nil)
        guard let offer else { return }
        write(offer.kind)
        write(offer.id)
        write(text: offer.paymentMode.rawValue)
        write(offer.period)
    }
}

extension RecordDecoder {
    fileprivate mutating func readOffer() throws(RecordDecodingError) -> AppliedOffer? {
        guard try isPresent() else { return nil }
        let kind: AppliedOffer.Kind = try read()
        let id: String? = try read()
        guard let mode = AppliedOffer.PaymentMode(rawValue: try text()) else { throw failure("a payment mode") }
        return AppliedOffer(kind: kind, id: id, paymentMode: mode, period: try read())
    }

    /// Reads the name of a device; `nil` also for one of a later version.
    fileprivate mutating func readDevice() throws(RecordDecodingError) -> DeviceFamily? {
        let name: String? = try read()
        return name.flatMap(DeviceFamily.init(rawValue:))
    }

    fileprivate mutating func readReason() throws(RecordDecodingError) -> ProceedsReason? {
        let name: String? = try read()
        return name.flatMap(ProceedsReason.init(rawValue:))
    }
}
