import Perennial
import PerennialStorage

/// Payments and Financial Reports: monthly closings, exchange rates, adjustments and payouts.
package struct Finance: StoreChapter {
    let context: StoreContext
    let rollUps: RollUps

    /// A limit of this store on the rates in one request and in one answer.
    package static let maximumRates = 5000
    /// A limit of this store on an adjustment, in milliunits.
    package static let maximumAdjustment: Int64 = 1_000_000_000_000
    /// A limit of this store on the length of a note, a bank's name and an idempotency key, in bytes.
    package static let maximumTextLength = 200

    // MARK: - Settings and rates

    package func settings() async throws -> FinanceSettings {
        try await database.read { [environment] in try FinanceSettingsTable.settings(environment.id, on: $0) }
    }

    /// Replaces the settings. Closed months keep theirs.
    ///
    /// - Throws: ``FinanceError`` `.malformed`.
    @discardableResult
    package func setSettings(_ settings: FinanceSettings) async throws -> FinanceSettings {
        try Self.check(settings)
        try await database.write { [environment] connection in
            try EnvironmentsTable.lock(environment.id, on: connection)
            try FinanceSettingsTable.put(settings, environment.id, on: connection)
        }
        return settings
    }

    private static func check(_ settings: FinanceSettings) throws(FinanceError) {
        try check(settings.bankCurrency, "bankCurrency")
        if let threshold = settings.threshold {
            try check(threshold.currency, "threshold")
            guard (0...maximumAdjustment).contains(threshold.milliunits) else {
                throw FinanceError(.malformed, "threshold", "a threshold is 0 or more")
            }
        }
        for (field, rates) in [("withholding", settings.withholding), ("inputTax", settings.inputTax)] {
            for (region, rate) in rates {
                guard FinancialRegion(rawValue: region).info != nil else {
                    throw FinanceError(.malformed, field, "there is no region \(region)")
                }
                guard FinanceSettings.basisPoints.contains(rate) else {
                    throw FinanceError(.malformed, field, "a tax is 0 to 10000 basis points")
                }
            }
        }
        if let name = settings.bankName { try check(name, "bankName") }
        if let ending = settings.accountEnding {
            guard ending.utf8.count == 4, ending.utf8.allSatisfy({ (48...57).contains($0) }) else {
                throw FinanceError(.malformed, "accountEnding", "the last four digits of the account")
            }
        }
    }

    /// Writes exchange rates; a rate of the same month and currencies is replaced. Closed months keep theirs.
    ///
    /// - Throws: ``FinanceError`` `.malformed`.
    package func loadRates(_ rates: [ExchangeRate]) async throws {
        guard rates.count <= Self.maximumRates else {
            throw FinanceError(.malformed, "rates", "at most \(Self.maximumRates) rates in a request")
        }
        for rate in rates {
            try Self.check(rate.from, "from")
            try Self.check(rate.to, "to")
            guard rate.rate.billionths > 0 else {
                throw FinanceError(.malformed, "rate", "a rate is greater than 0")
            }
            guard rate.from != rate.to else {
                throw FinanceError(.malformed, "to", "a currency has no rate to itself")
            }
        }
        try await database.write { [environment] connection in
            for rate in rates { try ExchangeRatesTable.put(rate, environment.id, on: connection) }
        }
    }

    /// Returns the rates of a month, or those of all months, newest month first.
    package func rates(_ month: FiscalMonth?) async throws -> [ExchangeRate] {
        try await database.read { [environment] in
            try ExchangeRatesTable.all(month, environment.id, limit: Self.maximumRates, on: $0)
        }
    }

    static func check(_ currency: Currency, _ field: String) throws(FinanceError) {
        guard currency.rawValue.utf8.count == 3, currency.rawValue.utf8.allSatisfy({ (65...90).contains($0) }) else {
            throw FinanceError(.malformed, field, "a currency is a code of three letters such as EUR")
        }
    }

    static func check(_ text: String, _ field: String) throws(FinanceError) {
        guard (1...maximumTextLength).contains(text.utf8.count), !text.unicodeScalars.contains("\u{0}") else {
            throw FinanceError(.malformed, field, "1 to \(maximumTextLength) bytes of UTF-8, without NUL")
        }
    }

    // MARK: - Closed months

    /// Returns all closings, oldest first.
    package func closedMonths() async throws -> [ClosedMonthsTable.Record] {
        try await database.read { [environment] in try ClosedMonthsTable.all(environment.id, on: $0) }
    }

    /// Returns the newest closings, newest first.
    ///
    /// - Parameter month: Only closings of earlier months.
    package func newestClosings(
        _ limit: Int, before month: FiscalMonth? = nil
    ) async throws -> [ClosedMonthsTable.Record] {
        try await database.read { [environment] in
            try ClosedMonthsTable.newest(limit, before: month, environment.id, on: $0)
        }
    }

    /// Returns the closing of a month.
    ///
    /// - Throws: ``FinanceError`` `.monthNotClosed`.
    package func closedMonth(_ month: FiscalMonth) async throws -> ClosedMonthsTable.Record {
        let record = try await database.read { [environment] in
            try ClosedMonthsTable.record(month, environment.id, on: $0)
        }
        guard let record else {
            throw FinanceError(.monthNotClosed, "\(month)", "the fiscal month isn't closed")
        }
        return record
    }
}
