import Perennial

/// The books as plain-text accounting: files that `hledger` and `beancount` read.
///
/// A journal entry with postings is one transaction. The accounts are the seller's: sales are income, commission and taxes
/// are expenses, proceeds are assets until they are in the bank. Tags tell fiscal month, region and store transaction.
package struct PlainTextBooks: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        case hledger
        case beancount
    }

    /// An entry of a journal.
    package struct Entry: Sendable {
        package var day: PacificDay
        /// The event, such as `renewed`.
        package var event: String
        /// The product or the subject; empty if there is none.
        package var subject: String
        /// The tags in order, with letters and hyphens as names.
        package var tags: [(name: String, value: String)]
        package var postings: [Posting]

        package init(
            day: PacificDay, event: String, subject: String, tags: [(name: String, value: String)],
            postings: [Posting]
        ) {
            self.day = day
            self.event = event
            self.subject = subject
            self.tags = tags
            self.postings = postings
        }
    }

    package var format: Format

    package init(_ format: Format) {
        self.format = format
    }

    /// Returns the beginning of a file.
    ///
    /// - Parameter title: The contents in a line, such as the environment and the month.
    package func header(title: String) -> String {
        switch format {
        case .hledger:
            return "; \(Self.oneLine(title))\n"
                + Posting.Account.allCases.map { "account \($0.name)\n" }.joined()
                + Self.currencies.map { "commodity \($0) \(Self.sample(of: $0))\n" }.joined() + "\n"
        case .beancount:
            // Before the first sale of any clock.
            return "option \"title\" \(Self.quoted(title))\n\n"
                + Posting.Account.allCases.map { "1970-01-01 open \($0.name)\n" }.joined() + "\n"
        }
    }

    /// Returns the text of an entry; empty for one without postings.
    package func text(_ entry: Entry) -> String {
        guard !entry.postings.isEmpty else { return "" }
        switch format {
        case .hledger: return hledger(entry)
        case .beancount: return beancount(entry)
        }
    }

    private func hledger(_ entry: Entry) -> String {
        // A semicolon begins a comment, and a comma ends a tag's value.
        let words = [entry.event, entry.subject].filter { !$0.isEmpty }
            .map { Self.oneLine($0).replacing(";", with: " ") }.joined(separator: " | ")
        let tags = entry.tags.map { tag in
            "    ; \(tag.name): \(Self.oneLine(tag.value).replacing(",", with: " "))\n"
        }
        let postings = entry.postings.map { posting in
            "    \(posting.account.name)  \(posting.amount.currency) \(posting.amount.decimal)\n"
        }
        return "\(entry.day) * \(words)\n\(tags.joined())\(postings.joined())\n"
    }

    private func beancount(_ entry: Entry) -> String {
        let subject = entry.subject.isEmpty ? "" : " \(Self.quoted(entry.subject))"
        let tags = entry.tags.map { "  \($0.name): \(Self.quoted($0.value))\n" }
        let postings = entry.postings.map { posting in
            "  \(posting.account.name)  \(posting.amount.decimal) \(posting.amount.currency)\n"
        }
        return "\(entry.day) * \(Self.quoted(entry.event))\(subject)\n\(tags.joined())\(postings.joined())\n"
    }

    /// The currencies that storefronts have, which `hledger check --strict` wants declared.
    private static let currencies = Set(Storefront.all.map(\.currency.rawValue)).sorted()

    /// Returns an amount with a currency's decimals; `hledger` requires the point even without one.
    private static func sample(of currency: String) -> String {
        "1000." + String(repeating: "0", count: Currency(rawValue: currency).fractionDigits)
    }

    private static func quoted(_ text: String) -> String {
        "\"\(oneLine(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    private static func oneLine(_ text: String) -> String { text.field }
}

extension Posting.Account {
    /// The account's name in both formats.
    package var name: String {
        switch self {
        case .customer: "Income:Sales"
        case .proceeds: "Assets:Proceeds"
        case .commission: "Expenses:Commission"
        case .tax: "Expenses:Tax"
        case .payable: "Assets:Payable"
        case .withholding: "Expenses:Withholding"
        case .inputTax: "Expenses:Input-Tax"
        case .adjustment: "Income:Adjustments"
        case .exchange: "Equity:Exchange"
        case .bank: "Assets:Bank"
        }
    }
}
