import Crypto
import Foundation
import Perennial

/// The journal as text, a line for each entry: two runs that say the same did the same.
enum JournalText {
    static func line(_ position: Int64, _ entry: JournalEntry) -> String {
        let postings = entry.postings.map { "\($0.account.rawValue)=\($0.amount.milliunits)\($0.amount.currency)" }
        func text(_ id: TransactionID?) -> String { id?.description ?? "-" }
        return "\(position) \(entry.at.milliseconds) \(entry.kind.rawValue) \(entry.accountID.rawValue) "
            + "\(text(entry.transactionID)) \(text(entry.originalID)) \(entry.productID?.rawValue ?? "-") "
            + postings.joined(separator: " ") + "\n"
    }
}

/// The digest of a journal, which grows with it.
struct JournalDigest: Sendable {
    private var hash = SHA256()
    private(set) var last: Int64 = 0

    mutating func append(_ position: Int64, _ entry: JournalEntry) {
        hash.update(data: Data(JournalText.line(position, entry).utf8))
        last = position
    }

    /// SHA-256 of the lines so far, in hexadecimal.
    var text: String {
        hash.finalize().map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }
}
