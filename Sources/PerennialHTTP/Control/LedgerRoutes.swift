import AppStoreFormats
import HTTPTypes
import Hummingbird
import NIOCore
import Perennial
import PerennialStore

/// control/v1/reconciliation and control/v1/books: the proof that the books agree, and their export.
struct LedgerRoutes {
    struct ReconciliationAnswer: AnswerModel {
        struct Total: Model, Encodable {
            var currency: String
            var sales: Int64
            var rollUps: Int64
            var closed: Int64
            var open: Int64

            static let constraints: [String: Constraint] = [
                "sales": .milliunits, "rollUps": .milliunits, "closed": .milliunits, "open": .milliunits,
            ]

            init(_ total: Reconciliation.Total) {
                currency = total.currency.rawValue
                (sales, rollUps, closed, open) = (total.sales, total.rollUps, total.closed, total.open)
            }
        }

        struct Payments: Model, Encodable {
            var currency: String
            var proceeds: Int64
            var exchanged: Int64
            var paid: Int64
            var balance: Int64

            static let constraints: [String: Constraint] = [
                "proceeds": .milliunits, "exchanged": .milliunits, "paid": .milliunits, "balance": .milliunits,
            ]

            init(_ payments: Reconciliation.Payments) {
                currency = payments.currency.rawValue
                (proceeds, exchanged) = (payments.proceeds, payments.exchanged)
                (paid, balance) = (payments.paid, payments.balance)
            }
        }

        struct Difference: Model, Encodable {
            var text: String
            var bundleId: String?
            var transactionId: String?
            var position: Int64?

            init(_ difference: Reconciliation.Difference) {
                text = difference.text
                bundleId = difference.bundleID?.rawValue
                transactionId = difference.transactionID?.description
                position = difference.position
            }
        }

        var agrees: Bool
        var from: String?
        var to: String?
        var entries: Int64
        var totals: [Total]
        var payments: [Payments]
        /// The first 100, in the order of their first transactions.
        var differences: [Difference]

        init(_ result: Reconciliation) {
            agrees = result.agrees
            (from, to) = (result.days?.lowerBound.description, result.days?.upperBound.description)
            entries = result.entries
            totals = result.totals.map(Total.init)
            payments = result.payments.map(Payments.init)
            differences = result.differences.map(Difference.init)
        }
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "reconciliation", "Compare sales with payments and what is owed", query: [.from, .to], errors: [409],
            use: reconcile)
        routes.get(
            "books", "The books for hledger or beancount", query: [.booksFormat, .closingMonth],
            answers: [.bytes("text/plain", "The books as text")], use: books)
    }

    private func reconcile(_ call: Call<NoBody>, _ context: ControlContext) async throws -> ReconciliationAnswer {
        let first = try call.query(.from).map { try Self.days($0, field: "from").lowerBound }
        let last = try call.query(.to).map { try Self.days($0, field: "to").upperBound }
        guard first != nil || last != nil else {
            return ReconciliationAnswer(try await context.store.finance.reconcile())
        }
        let (from, to) = (first ?? Self.firstDay, last ?? Self.lastDay)
        guard from <= to else {
            throw APIError(.conflict, "spanEmpty", "from is after to", field: "from")
        }
        return ReconciliationAnswer(try await context.store.finance.reconcile(from...to))
    }

    /// Returns the days of a day or of a fiscal month.
    private static func days(_ text: String, field: String) throws -> ClosedRange<PacificDay> {
        if let month = FiscalMonth(text) { return month.firstDay...month.lastDay }
        guard let day = PacificDay(text) else {
            throw APIError(
                .badRequest, "malformedRequest",
                "\(field) is a day such as 2026-10-03, or a fiscal month such as 2027-01",
                field: field)
        }
        return day...day
    }

    private static let firstDay = PacificDay(.beginningOfTime)
    private static let lastDay = PacificDay(.endOfTime)

    private func books(_ call: Call<NoBody>, _ context: ControlContext) async throws -> Response {
        let format: PlainTextBooks.Format = try ControlFields.value(call.required(.booksFormat), field: "format")
        let month = try call.query(.closingMonth).map { try ControlFields.fiscalMonth($0, field: "month") }
        let (reader, backpressure) = (
            try await context.store.finance.books(format, month: month), WriteBackpressure(context)
        )
        return Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody { writer in
                var reader = reader
                while let text = try await reader.next() {
                    try await writer.write(ByteBuffer(string: text))
                    try await backpressure.pass()
                }
                try await writer.finish(nil)
            })
    }
}

extension QueryParameter {
    fileprivate static let from = QueryParameter(
        "from", .pattern(dayOrMonth, "The first day, or the first fiscal month such as 2027-01"))
    fileprivate static let to = QueryParameter(
        "to", .pattern(dayOrMonth, "The last day, or the last fiscal month such as 2027-01"))
    fileprivate static let booksFormat = QueryParameter(
        "format", isRequired: true, .oneOf(PlainTextBooks.Format.self))

    private static let dayOrMonth =
        "^(?:19[7-9][0-9]|[2-9][0-9]{3})-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|1[0-9]|2[0-8]))?$"
}
