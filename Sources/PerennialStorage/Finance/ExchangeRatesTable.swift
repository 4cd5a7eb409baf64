import Foundation
import Perennial

/// The exchange rates that the operator loads, by fiscal month.
package enum ExchangeRatesTable {
    /// Writes a rate; replaces one of the same month and currencies.
    package static func put(
        _ rate: ExchangeRate, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO exchange_rates (environment, month, source, target, rate) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (environment, month, source, target) DO UPDATE SET rate = excluded.rate
            """,
            [
                .integer(environment.rawValue), .integer(rate.month.number), .text(rate.from.rawValue),
                .text(rate.to.rawValue), .integer(rate.rate.billionths),
            ])
    }

    /// Returns a month's rates to a currency.
    package static func rates(
        _ month: FiscalMonth, to target: Currency, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [Currency: DecimalRate] {
        let rates = try connection.query(
            "SELECT source, rate FROM exchange_rates WHERE environment = $1 AND month = $2 AND target = $3",
            [.integer(environment.rawValue), .integer(month.number), .text(target.rawValue)]
        ) { (Currency(rawValue: try $0.text(0)), DecimalRate(billionths: try $0.integer(1))) }
        return Dictionary(rates) { first, _ in first }
    }

    /// Returns the rates of a month, or of all months, newest month first.
    package static func all(
        _ month: FiscalMonth?, _ environment: StoreEnvironment.ID, limit: Int, on connection: any Connection
    ) throws -> [ExchangeRate] {
        try connection.query(
            """
            SELECT month, source, target, rate FROM exchange_rates WHERE environment = $1 AND month >= $2 AND month <= $3
            ORDER BY month DESC, source, target LIMIT $4
            """,
            [
                .integer(environment.rawValue), .integer(month?.number ?? .min), .integer(month?.number ?? .max),
                .integer(Int64(limit)),
            ]
        ) { row in
            ExchangeRate(
                month: FiscalMonth(number: try row.integer(0)), from: Currency(rawValue: try row.text(1)),
                to: Currency(rawValue: try row.text(2)), rate: DecimalRate(billionths: try row.integer(3)))
        }
    }
}

/// The bank and the rules of payouts of each environment, one document each.
package enum FinanceSettingsTable {
    package static func put(
        _ settings: FinanceSettings, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try connection.send(
            """
            INSERT INTO finance_settings (environment, document) VALUES ($1, $2)
            ON CONFLICT (environment) DO UPDATE SET document = excluded.document
            """,
            [.integer(environment.rawValue), .text(String(decoding: try encoder.encode(settings), as: UTF8.self))])
    }

    /// Returns an environment's settings; the standard ones if none are stored.
    package static func settings(
        _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> FinanceSettings {
        let text = try connection.first(
            "SELECT document FROM finance_settings WHERE environment = $1", [.integer(environment.rawValue)]
        ) { try $0.text(0) }
        return try text.map { try JSONDecoder().decode(FinanceSettings.self, from: Data($0.utf8)) } ?? FinanceSettings()
    }
}
