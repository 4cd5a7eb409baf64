import Perennial
import PerennialStorage
import TestSupport

@testable import PerennialStore

/// Operations on the finances of a test store.
extension TestStore {
    /// Loads rates from currencies to US dollars for all months that a test may close.
    func loadRates(_ rates: [String: String] = ["JPY": "0.0067", "EUR": "1.08", "GBP": "1.27", "CHF": "1.12"])
        async throws
    {
        let first = FiscalMonth(containing: PacificDay(try await store.now())).number - 24
        let loaded = (first..<first + 60).flatMap { number in
            rates.compactMap { currency, text in
                DecimalRate(text).map {
                    ExchangeRate(
                        month: FiscalMonth(number: number), from: Currency(rawValue: currency), to: .usd, rate: $0)
                }
            }
        }
        try await store.finance.loadRates(loaded)
    }

    /// Closes all months from the first with sales that are over.
    @discardableResult
    func closeMonths() async throws -> [ClosedMonthsTable.Record] {
        let last = try await store.finance.closedMonths().last?.closing.month
        var month = if let last { last.next } else { try await firstMonth() }
        var closed: [ClosedMonthsTable.Record] = []
        while try await store.now() >= month.lastDay.end {
            closed.append(try await store.finance.close(month))
            month = month.next
        }
        return closed
    }

    /// The fiscal month of the first entry.
    func firstMonth() async throws -> FiscalMonth {
        guard let first = try await journal().map(\.entry.at).min() else { throw Missing(what: "entry") }
        return FiscalMonth(containing: PacificDay(first))
    }

    /// Runs a statement that changes what the store has written.
    func tamper(_ statement: String) async throws {
        let count = try await database.write { try $0.execute(SQL(statement)) }
        guard count > 0 else { throw Missing(what: "row for \(statement)") }
    }

    /// Returns the text of a financial report.
    func report(_ month: FiscalMonth, _ region: String) async throws -> String {
        guard let text = try await store.finance.financeReport(month, region: region).text else {
            throw Missing(what: "text")
        }
        return text
    }
}
