extension BillingPeriod {
    /// Writes the period.
    /// - Parameter product: The product that the decoder knows already. Usually it is this period's, sold at its
    ///   price.
    func write(to document: inout RecordEncoder, known product: SubscribedProduct) {
        document.write(number)
        document.write(transactionID)
        document.write(self.product, known: product)
        document.write(start)
        document.write(price, known: product.price)
        document.write(offer)
    }

    convenience init(
        from document: inout RecordDecoder, known product: SubscribedProduct
    ) throws(RecordDecodingError) {
        self.init(
            number: try document.read(), transactionID: try document.read(),
            product: try document.read(known: product), start: try document.read(),
            price: try document.read(known: product.price), offer: try document.read())
    }
}

extension SubscribedProduct: RecordCodable {
    package func write(to document: inout RecordEncoder) {
        document.write(id)
        document.write(level)
        document.write(period)
        document.write(price)
        document.write(isFamilyShareable)
    }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        id = try document.read()
        level = try document.read()
        period = try document.read()
        price = try document.read()
        isFamilyShareable = try document.read()
    }
}

extension RenewalPreference {
    /// Writes the preference without `isOn`, which is at the record's beginning.
    func write(to document: inout RecordEncoder, known product: SubscribedProduct) {
        document.write(productID, known: product.id)
        document.write(price, known: product.price)
        document.write(offer)
        document.write(priceIncrease)
    }

    init(
        isOn: Bool, from document: inout RecordDecoder, known product: SubscribedProduct
    ) throws(RecordDecodingError) {
        self.init(
            isOn: isOn, productID: try document.read(known: product.id), price: try document.read(known: product.price),
            offer: try document.read())
        priceIncrease = try document.read()
    }
}

extension ActiveOffer: RecordCodable {
    package func write(to document: inout RecordEncoder) {
        document.write(terms)
        document.write(periodsLeft)
    }

    package convenience init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        self.init(terms: try document.read(), periodsLeft: try document.read())
    }
}

extension OfferTerms: RecordCodable {
    package func write(to document: inout RecordEncoder) {
        document.write(kind)
        document.write(id)
        document.write(paymentMode)
        document.write(period)
        document.write(periodCount)
        document.write(price)
    }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        self.init(
            try document.read(), id: try document.read(), try document.read(), period: try document.read(),
            periodCount: try document.read(), price: try document.read())
    }
}

extension OfferUse: RecordCodable {
    package func write(to document: inout RecordEncoder) {
        document.write(kind)
        document.write(id)
        document.write(lastUsed)
    }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        self.init(kind: try document.read(), id: try document.read(), lastUsed: try document.read())
    }
}

extension GrantedExtension: RecordCodable {
    package func write(to document: inout RecordEncoder) {
        document.write(at)
        document.write(requestID)
        document.write(until)
    }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        self.init(at: try document.read(), requestID: try document.read(), until: try document.read())
    }
}

extension Period: RecordCodable {
    package func write(to document: inout RecordEncoder) {
        document.write(count)
        for mark in unit.rawValue.utf8 { document.write(mark: mark) }
    }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        let count: Int = try document.read()
        let name = document.version == 1 ? try document.text() : String(UnicodeScalar(try document.mark()))
        guard let unit = Unit(rawValue: name) else {
            throw document.failure("a unit of periods")
        }
        self.init(count, unit)
    }
}

extension Money: RecordCodable {
    package func write(to document: inout RecordEncoder) {
        document.write(milliunits)
        document.write(currency)
    }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        self.init(milliunits: try document.read(), try document.read())
    }
}

extension Instant: RecordCodable {
    package func write(to document: inout RecordEncoder) { document.write(milliseconds: milliseconds) }

    package init(from document: inout RecordDecoder) throws(RecordDecodingError) {
        self.init(milliseconds: document.version == 1 ? try document.number() : try document.milliseconds())
    }
}

extension Product.ID: RecordCodable {}
extension Currency: RecordCodable {}
extension AppliedOffer.Kind: RecordCodable {}
extension Offer.PaymentMode: RecordCodable {}
extension RenewalPreference.PriceIncrease: RecordCodable {}
