/// A customer of an app, as far as statistics need to know one: no name, and no purchases.
package struct StatisticCustomer: Hashable, Sendable {
    /// The day of the customer's first entry in the app's journal.
    package let firstSeen: PacificDay
    package let storefront: Storefront?
    package let device: DeviceFamily?
    package let appVersion: String?
    /// True if the customer has bought a product, for money or not.
    package private(set) var hasStarted = false
    package private(set) var hasPaid = false

    /// Creates the customer of a first entry.
    ///
    /// - Returns: `nil` for an entry that isn't an act of a customer.
    package init?(_ entry: JournalEntry, _ transaction: Transaction?, _ totals: [SalesTotal]) {
        guard entry.kind != .finished else { return nil }
        firstSeen = PacificDay(entry.at)
        storefront = totals.first?.key.storefront ?? transaction?.storefront
        device = entry.facts?.device ?? totals.first?.key.device
        appVersion = entry.facts?.appVersion
    }

    /// The customer's place in statistics of cohorts.
    package var place: StatisticPlace {
        StatisticPlace(day: firstSeen, product: nil, storefront: storefront, device: device, version: appVersion)
    }

    /// Adds the sales of one of the customer's entries to the statistics of the cohort.
    package mutating func apply(_ totals: [SalesTotal], at now: Instant, to changes: inout StatisticChanges) {
        guard !totals.isEmpty else { return }
        let window = CustomerWindow(days: PacificDay(now).number - firstSeen.number).rawValue
        for total in totals {
            let use = ProductUse(total.key.type)
            guard use == .purchase || use == .download else { continue }
            if use == .purchase, total.units > 0, !hasStarted {
                hasStarted = true
                changes.add(1, StatisticCell(.startedCustomers, bucket: window), place)
            }
            if total.units > 0, total.key.customerPrice.milliunits > 0, !hasPaid {
                hasPaid = true
                changes.add(1, StatisticCell(.payingCustomers, bucket: window), place)
            }
            let price = total.key.customerPrice
            let amount = Int64(clamping: price.milliunits.magnitude).clampedMultiplied(by: total.units)
            changes.add(
                amount, StatisticCell(.customerRevenue, bucket: window, currency: price.currency), place)
        }
    }
}

extension StatisticCustomer {
    /// The customer as one text.
    package var document: String {
        var document = RecordEncoder()
        document.write(firstSeen.number)
        document.write(storefront)
        document.write(device?.rawValue)
        document.write(appVersion)
        document.write(hasStarted)
        document.write(hasPaid)
        return document.text
    }

    /// Decodes a ``document``.
    package init(document text: String) throws(RecordDecodingError) {
        var document = RecordDecoder(text)
        firstSeen = PacificDay(number: try document.read())
        storefront = try document.read()
        let name: String? = try document.read()
        device = name.flatMap(DeviceFamily.init(rawValue:))
        appVersion = try document.read()
        hasStarted = try document.read()
        hasPaid = try document.read()
        try document.expectEnd()
    }
}
