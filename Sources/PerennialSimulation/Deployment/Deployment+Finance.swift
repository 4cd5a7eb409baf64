import Perennial
import PerennialStorage
import PerennialStore

/// The seller's finances, by the use cases of Payments and Financial Reports.
extension Deployment {
    /// Makes a step of the finances concrete. Returns `nil` if no month is over.
    func finance(_ action: SimulatedAction, _ step: FinanceStep) async throws -> Operation? {
        let month = firstOpenMonth
        switch step {
        case .loadRates(let number):
            let last = FiscalMonth(containing: PacificDay(try await now())).next
            let rates = (month.number...max(month.number, last.number)).flatMap { month in
                SimulatedFinance.currencies.map {
                    SimulatedFinance.rate(number, from: $0, FiscalMonth(number: month))
                }
            }
            return Operation(action) {
                try await $0.store().finance.loadRates(rates)
                return .ratesLoaded(rates)
            }
        case .close(let limit):
            guard try await actingNode.store().now() >= month.lastDay.end else { return nil }
            return Operation(action) { .closed(try await Self.close(month, atMost: limit, on: $0)) }
        case .adjust(let key):
            let (region, amount) = SimulatedFinance.adjustment(key)
            return Operation(action) {
                .adjusted(
                    try await $0.store().finance.adjust(
                        region, by: amount, note: "Simulated", idempotencyKey: "a\(key)"))
            }
        }
    }

    /// Closes the months from one on that are over by the node's clock.
    private static func close(
        _ first: FiscalMonth, atMost limit: Int, on node: Node
    ) async throws -> [ClosedMonthsTable.Record] {
        let finance = try await node.store().finance
        var (month, records) = (first, [ClosedMonthsTable.Record]())
        while records.count < limit, try await node.store().now() >= month.lastDay.end {
            do {
                records.append(try await finance.close(month))
            } catch let error as FinanceError where !records.isEmpty && FinanceStep.mayRefuse(error) {
                // The months before it stay closed.
                break
            }
            month = month.next
        }
        return records
    }

    /// The month after the last one whose closing was acknowledged.
    private var firstOpenMonth: FiscalMonth {
        clients.finance.closings.keys.max()?.next ?? FiscalMonth(containing: PacificDay(Self.startTime))
    }
}

extension FinanceStep {
    /// True if the rules may refuse a closing with an error: a month without a rate, or with renewals that wait.
    static func mayRefuse(_ error: FinanceError) -> Bool {
        [.exchangeRateMissing, .workOverdue].contains(error.code)
    }

    /// True if the rules may refuse the step with an error.
    func mayBeRefused(_ error: any Error) -> Bool {
        guard case .close = self, let error = error as? FinanceError else { return false }
        return Self.mayRefuse(error)
    }
}
