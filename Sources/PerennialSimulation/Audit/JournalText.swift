import Perennial

/// Writes journal entries as text, a line each, to compare two runs.
enum JournalText {
    static func line(_ position: Int64, _ entry: JournalEntry) -> String {
        let postings = entry.postings.map { "\($0.account.rawValue)=\($0.amount.milliunits)\($0.amount.currency)" }
        func text(_ id: TransactionID?) -> String { id?.description ?? "-" }
        return "\(position) \(entry.at.milliseconds) \(entry.kind.rawValue) \(entry.accountID.rawValue) "
            + "\(text(entry.transactionID)) \(text(entry.originalID)) \(entry.productID?.rawValue ?? "-") "
            + postings.joined(separator: " ") + "\n"
    }
}
