import AppStoreFormats
import HTTPTypes
import Hummingbird
import Perennial
import PerennialStorage
import PerennialStore

/// control/v1/finance: exchange rates, monthly closings, payouts and financial reports.
struct FinanceRoutes {
    private struct RatesBody: RequestModel {
        var rates: [ExchangeRateModel]

        static let constraints: [String: Constraint] = ["rates": .items(count: 0...Finance.maximumRates)]
    }

    struct RatesAnswer: AnswerModel { var rates: [ExchangeRateModel] }
    struct MonthsAnswer: AnswerModel { var months: [ClosedMonthModel] }
    struct PayoutsAnswer: AnswerModel { var payouts: [PayoutModel] }

    struct OwedAnswer: AnswerModel {
        struct Line: Model, Encodable {
            var region: String
            var currency: String
            var units: Int64
            var earned: Int64
            var adjustments: Int64
            var amount: Int64

            static let constraints: [String: Constraint] = [
                "earned": .milliunits, "adjustments": .milliunits, "amount": .milliunits,
            ]

            init(_ open: OwedStatement.Open) {
                (region, currency) = (open.key.region.rawValue, open.key.currency.rawValue)
                (units, earned) = (open.sales.units, open.sales.earned)
                adjustments = open.sales.late.clampedAdding(open.sales.manual)
                amount = open.amount.milliunits
            }
        }

        var now: String
        /// The month closed last.
        var closed: String?
        var open: [Line]
        var balance: Int64
        var balanceCurrency: String?
        var scheduled: [PayoutModel]

        static let constraints: [String: Constraint] = ["now": .time, "balance": .milliunits]
    }

    private struct AdjustmentBody: RequestModel {
        var region: String
        var currency: String
        var amount: Int64
        var note: String
        var idempotencyKey: String?

        static let constraints: [String: Constraint] = [
            "region": .region, "currency": .currency,
            "amount": .range(-Finance.maximumAdjustment...Finance.maximumAdjustment).and(.milliunits),
            "note": .text(bytes: 1...Finance.maximumTextLength),
            "idempotencyKey": .text(bytes: 1...Finance.maximumTextLength),
        ]
        // Nothing is no adjustment.
        static let rule: Constraint? = .oneOf(fields: [
            ["amount": ["minimum": .integer(1)]], ["amount": ["maximum": .integer(-1)]],
        ])
    }

    struct AdjustmentAnswer: AnswerModel {
        /// The position of its entry in the seller's own journal.
        var position: Int64
        var region: String
        var currency: String
        var amount: Int64
        var note: String
        /// The closed month that includes it.
        var month: String?

        static let constraints: [String: Constraint] = ["amount": .milliunits]
    }

    struct FileAnswer: AnswerModel {
        var name: String
        var text: String
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("finance/settings", "The bank and the rules of payouts", use: settings)
        routes.put("finance/settings", "Set the bank and the rules of payouts", use: setSettings)
        routes.get("finance/rates", "Exchange rates, newest month first", query: [.closingMonth], use: rates)
        routes.post("finance/rates", "Load exchange rates", maximumBodyLength: 1 << 20, use: loadRates)
        routes.get("finance/months", "The closed fiscal months", use: months)
        routes.post("finance/months/:month/close", "Close a fiscal month", errors: [400, 409], use: close)
        routes.get("finance/payouts", "The payouts of closed months", use: payouts)
        routes.get("finance/owed", "The money that is owed now", use: owed)
        routes.post("finance/adjustments", "Adjust what is owed", errors: [409], use: adjust)
        routes.get(
            "finance/report", "A financial report of a closed month", query: [.requiredFiscalMonth, .reportedRegion],
            use: report)
        routes.get(
            "finance/payments", "The payments summary of a closed month", query: [.requiredFiscalMonth], use: payments)
    }

    private func settings(_ call: Call<NoBody>, _ context: ControlContext) async throws -> FinanceSettingsModel {
        FinanceSettingsModel(try await context.store.finance.settings())
    }

    private func setSettings(
        _ call: Call<FinanceSettingsBody>, _ context: ControlContext
    ) async throws -> FinanceSettingsModel {
        FinanceSettingsModel(try await context.store.finance.setSettings(try await call.body().settings()))
    }

    private func rates(_ call: Call<NoBody>, _ context: ControlContext) async throws -> RatesAnswer {
        let month = try call.query(.closingMonth).map { try ControlFields.fiscalMonth($0, field: "month") }
        return RatesAnswer(rates: try await context.store.finance.rates(month).map(ExchangeRateModel.init))
    }

    private func loadRates(_ call: Call<RatesBody>, _ context: ControlContext) async throws -> RatesAnswer {
        let body = try await call.body()
        let rates = try body.rates.enumerated().map { try $0.element.value(at: $0.offset) }
        try await context.store.finance.loadRates(rates)
        return RatesAnswer(rates: rates.map(ExchangeRateModel.init))
    }

    private func months(_ call: Call<NoBody>, _ context: ControlContext) async throws -> MonthsAnswer {
        MonthsAnswer(months: try await context.store.finance.closedMonths().map(ClosedMonthModel.init))
    }

    private func close(_ call: Call<NoBody>, _ context: ControlContext) async throws -> ClosedMonthModel {
        let month = try ControlFields.fiscalMonth(context.name("month"), field: "month")
        return ClosedMonthModel(try await context.store.finance.close(month))
    }

    private func payouts(_ call: Call<NoBody>, _ context: ControlContext) async throws -> PayoutsAnswer {
        let closings = try await context.store.finance.closedMonths().map(\.closing)
        return PayoutsAnswer(
            payouts: closings.compactMap { closing in closing.payout.map { PayoutModel($0, of: closing.month) } })
    }

    private func owed(_ call: Call<NoBody>, _ context: ControlContext) async throws -> OwedAnswer {
        let owed = try await context.store.finance.owed()
        return OwedAnswer(
            now: owed.now.rfc3339(), closed: owed.closed?.description, open: owed.open.map(OwedAnswer.Line.init),
            balance: owed.balance?.milliunits ?? 0, balanceCurrency: owed.balance?.currency.rawValue,
            scheduled: owed.scheduled.map { PayoutModel($0.payout, of: $0.month) })
    }

    private func adjust(_ call: Call<AdjustmentBody>, _ context: ControlContext) async throws -> AdjustmentAnswer {
        let body = try await call.body()
        let made = try await context.store.finance.adjust(
            FinancialRegion(rawValue: body.region),
            by: Money(milliunits: body.amount, Currency(rawValue: body.currency)), note: body.note,
            idempotencyKey: body.idempotencyKey)
        return AdjustmentAnswer(
            position: made.position, region: made.region.rawValue, currency: made.amount.currency.rawValue,
            amount: made.amount.milliunits, note: made.note, month: made.month?.description)
    }

    private func report(_ call: Call<NoBody>, _ context: ControlContext) async throws -> FileAnswer {
        let month = try call.requiredMonth()
        let region = call.query(.reportedRegion) ?? FinancialRegion.consolidated.rawValue
        do {
            let file = try await context.store.finance.financeReport(month, region: region)
            return FileAnswer(name: "\(file.name).txt", text: file.text ?? "")
        } catch let error as ReportError where error.code == .invalidParameter {
            throw APIError(.badRequest, "malformedRequest", error.detail, field: "region")
        } catch let error as ReportError {
            throw APIError(.notFound, "reportNotFound", error.detail)
        }
    }

    private func payments(_ call: Call<NoBody>, _ context: ControlContext) async throws -> FileAnswer {
        let summary = try await context.store.finance.paymentsSummary(try call.requiredMonth())
        return FileAnswer(name: PaymentsSummary.fileName, text: summary.text)
    }
}

extension Call {
    /// - Throws: ``APIError`` `malformedRequest`.
    fileprivate func requiredMonth() throws -> FiscalMonth {
        try ControlFields.fiscalMonth(required(.requiredFiscalMonth), field: "month")
    }
}

extension QueryParameter {
    static let closingMonth = QueryParameter("month", .fiscalMonth)
    fileprivate static let requiredFiscalMonth = QueryParameter("month", isRequired: true, .fiscalMonth)
    fileprivate static let reportedRegion = QueryParameter(
        "region",
        .pattern(
            "^(?:" + FinancialRegion.all.map(\.region.rawValue).joined(separator: "|") + "|ZZ|Z1)$",
            "A region's code; ZZ for all regions, Z1 for details"))
}

extension APIError {
    /// Describes an operation of Finance that failed.
    package init(_ error: FinanceError) {
        switch error.code {
        case .malformed:
            self.init(.badRequest, "malformedRequest", error.reason, field: error.subject)
        case .monthNotClosed:
            self.init(.notFound, error.code.rawValue, error.description)
        case .monthNotOver, .earlierMonthOpen, .monthPassed, .workOverdue, .exchangeRateMissing, .idempotencyKeyReused:
            self.init(.conflict, error.code.rawValue, error.description)
        }
    }
}
