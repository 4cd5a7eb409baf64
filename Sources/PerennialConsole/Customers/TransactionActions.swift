import Perennial
import PerennialStore

/// The forms of a transaction's page: its refund, and the reversal.
struct TransactionActions: ConsoleChapter {
    private static let percentages: ClosedRange<Int64> = 1...100

    func add(to routes: ConsoleRoutes) {
        routes.form("transactions/:id/refund", .support) { try await refund($0) }
        routes.form("transactions/:id/reverse-refund", .support) { form in
            try await perform(form, notice: .phrase(ActionPhrases.reversed)) { id in
                _ = try await form.page.store.refunds.reverse(id)
            }
        }
    }

    private func refund(_ form: FormRequest) async throws -> FormAnswer {
        let reasons: [String: Transaction.Revocation.Reason] = ["0": .other, "1": .issueWithApp]
        guard let reason = reasons[form.values["reason"]] else {
            return .page(
                try await TransactionPage.page(
                    form.page, error: .phrase(RefusalPhrases.choice), at: "reason", values: form.values))
        }
        var refund = Refund(reason: reason)
        if let text = form.values.optional("percentage") {
            guard let percentage = Int64(text), Self.percentages.contains(percentage) else {
                let error = Text.phrase(
                    ActionPhrases.wholeNumber, .number(Self.percentages.lowerBound),
                    .number(Self.percentages.upperBound))
                return .page(
                    try await TransactionPage.page(form.page, error: error, at: "percentage", values: form.values))
            }
            refund.share = .percentage(milliunits: percentage * Refund.wholePercentage / 100)
        }
        return try await perform(form, notice: .phrase(ActionPhrases.refunded)) { [refund] id in
            _ = try await form.page.store.refunds.refund(id, refund)
        }
    }

    private func perform(
        _ form: FormRequest, notice: Text, _ action: (TransactionID) async throws -> Void
    ) async throws -> FormAnswer {
        // A transaction of another app isn't found.
        let id = try await TransactionPage.details(form.page).transaction.id
        do {
            try await action(id)
        } catch {
            let text = try CustomerPage.text(of: error)
            return .page(try await TransactionPage.page(form.page, error: text, values: form.values))
        }
        return .redirect(form.page.path("transactions/\(id)"), notice)
    }
}
