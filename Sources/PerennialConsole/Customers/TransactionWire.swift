import AppStoreFormats
import BaseEncoding
import Perennial
import PerennialStore

/// A transaction as the app and the seller's servers get it: signed data and receipts, decoded field by field.
struct TransactionWire {
    private enum Form: String, CaseIterable {
        case transaction, renewal, receipt, storeKit1

        var phrase: Phrase {
            switch self {
            case .transaction: TransactionPhrases.signedTransaction
            case .renewal: TransactionPhrases.signedRenewal
            case .receipt: TransactionPhrases.receipt
            case .storeKit1: TransactionPhrases.transactionReceipt
            }
        }
    }

    private let request: PageRequest
    private let details: TransactionOverview
    private let form: Form

    init(_ request: PageRequest, _ details: TransactionOverview) {
        self.request = request
        self.details = details
        let wanted = request.query["wire"].flatMap(Form.init(rawValue:)) ?? .transaction
        form = wanted == .renewal && details.subscription == nil ? .transaction : wanted
    }

    func blocks() async throws -> [Block] {
        let text = try await text()
        let inspection = try await request.store.inspections.inspect(
            InspectionRequest(Array(text.utf8), bundleID: details.app.bundleID), authority: request.services.authority)
        var blocks: [Block] = [.filter(choice)]
        if let header = Self.header(of: text) {
            blocks.append(.code(CodeSample(label: .phrase(TransactionPhrases.header), text: header)))
        }
        blocks += InspectionBlocks(request: request).blocks(of: inspection)
        blocks.append(
            .details(
                .phrase(TransactionPhrases.bytes), [.code(CodeSample(label: .phrase(form.phrase), text: text))]))
        return blocks
    }

    private var choice: Filter {
        let forms = Form.allCases.filter { $0 != .renewal || details.subscription != nil }
        return Filter(choices: [
            .init(
                label: .phrase(TransactionPhrases.form), parameter: "wire",
                options: forms.map { ($0.rawValue, .phrase($0.phrase)) }, selected: form.rawValue)
        ])
    }

    private func text() async throws -> String {
        let (receipts, bundleID) = (request.store.receipts, details.app.bundleID)
        switch form {
        case .transaction: return try await receipts.signedTransaction(details.transaction, bundleID: bundleID)
        case .renewal:
            guard let subscription = details.subscription else { return "" }
            return try await receipts.signedRenewalInfo(subscription)
        case .receipt:
            return Base64.encode(try await receipts.appReceipt(for: try await customer()))
        case .storeKit1:
            return try await receipts.transactionReceipt(of: details.transaction, for: try await customer())
        }
    }

    private func customer() async throws -> Customer {
        try await request.store.accounts.customer(account: details.account.name, bundleID: details.app.bundleID)
    }

    /// Returns the header of a JWS, with its certificates in short; `nil` for other data.
    private static func header(of text: String) -> String? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.decode(String(parts[0]), as: .url) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.count > 80 ? "\($0.prefix(40))…\($0.suffix(20))" : String($0) }.joined(separator: ",\n")
    }
}
