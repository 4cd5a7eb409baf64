extension SoldPeriod: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        document.write(number)
        document.write(transactionID)
        document.write(product)
        document.write(start)
        document.write(price)
        document.write(offer)
    }

    package convenience init(from document: inout DocumentReader) throws(DocumentError) {
        self.init(
            number: try document.read(), transactionID: try document.read(), product: try document.read(),
            start: try document.read(), price: try document.read(), offer: try document.read())
    }
}

extension SubscribedProduct: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        document.write(id)
        document.write(level)
        document.write(period)
        document.write(price)
        document.write(isFamilyShareable)
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        id = try document.read()
        level = try document.read()
        period = try document.read()
        price = try document.read()
        isFamilyShareable = try document.read()
    }
}

extension RenewalPreference: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        document.write(isOn)
        document.write(productID)
        document.write(price)
        document.write(offer)
        document.write(priceIncrease)
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        self.init(
            isOn: try document.read(), productID: try document.read(), price: try document.read(),
            offer: try document.read())
        priceIncrease = try document.read()
    }
}

extension OfferInForce: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        document.write(terms)
        document.write(periodsLeft)
    }

    package convenience init(from document: inout DocumentReader) throws(DocumentError) {
        self.init(terms: try document.read(), periodsLeft: try document.read())
    }
}

extension OfferTerms: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        document.write(kind)
        document.write(id)
        document.write(paymentMode)
        document.write(period)
        document.write(periodCount)
        document.write(price)
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        self.init(
            try document.read(), id: try document.read(), try document.read(), period: try document.read(),
            periodCount: try document.read(), price: try document.read())
    }
}

extension OfferUse: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        document.write(kind)
        document.write(id)
        document.write(lastUsed)
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        self.init(kind: try document.read(), id: try document.read(), lastUsed: try document.read())
    }
}

extension GrantedExtension: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        document.write(at)
        document.write(requestID)
        document.write(until)
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        self.init(at: try document.read(), requestID: try document.read(), until: try document.read())
    }
}

extension PeriodAnchor: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        document.write(origin)
        document.write(months)
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        self.init(try document.read(), months: try document.read())
    }
}

extension Period: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        document.write(count)
        document.write(unit)
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        self.init(try document.read(), try document.read())
    }
}

extension Money: DocumentValue {
    package func write(to document: inout DocumentWriter) {
        document.write(milliunits)
        document.write(currency)
    }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        self.init(milliunits: try document.read(), try document.read())
    }
}

extension Instant: DocumentValue {
    package func write(to document: inout DocumentWriter) { document.write(milliseconds) }

    package init(from document: inout DocumentReader) throws(DocumentError) {
        self.init(milliseconds: try document.read())
    }
}

extension Product.ID: DocumentValue {}
extension Currency: DocumentValue {}
extension Period.Unit: DocumentValue {}
extension AppliedOffer.Kind: DocumentValue {}
extension Offer.PaymentMode: DocumentValue {}
extension RenewalPreference.PriceIncrease: DocumentValue {}
