import Perennial
import PerennialStore

/// An explained figure.
struct ExplanationAnswer: AnswerModel {
    struct Amount: Model, Encodable {
        var amount: Int64
        var currency: String

        static let constraints: [String: Constraint] = ["amount": .milliunits]

        init(_ money: Money) {
            amount = money.milliunits
            currency = money.currency.rawValue
        }
    }

    struct Figure: Model, Encodable {
        var units: Int64
        /// The amounts by currency; empty for a figure that counts.
        var amounts: [Amount]

        init(_ figure: Explanation.Figure) {
            units = figure.units
            amounts = figure.amounts.map(Amount.init)
        }
    }

    struct OtherAmount: Model, Encodable {
        var name: String
        var amount: Int64
        var currency: String

        static let constraints: [String: Constraint] = ["amount": .milliunits]
    }

    struct Term: Model, Encodable {
        var operation: String
        var name: String
        /// The value with its unit.
        var value: String

        static let constraints: [String: Constraint] = [
            "operation": .oneOf(Explanation.Term.Operation.self)
        ]

        init(_ term: Explanation.Term) {
            operation = term.operation.rawValue
            name = term.name
            value = term.value
        }
    }

    struct Item: Model, Encodable {
        var bundleId: String
        var position: Int64
        var time: String
        var kind: String
        var transactionId: String?
        var productId: String?
        /// The amount that the entry adds to the figure.
        var units: Int64
        var amount: Amount?
        var postings: [PostingModel]
        var rules: [RuleModel]

        static let constraints: [String: Constraint] = ["time": .time]

        init(_ contribution: Explanation.Contribution) {
            bundleId = contribution.app.rawValue
            position = contribution.place.position
            time = contribution.entry.at.rfc3339(fraction: true)
            kind = contribution.entry.kind.rawValue
            transactionId = contribution.entry.transactionID?.description
            productId = contribution.entry.productID?.rawValue
            units = contribution.units
            amount = contribution.amount.map(Amount.init)
            postings = contribution.entry.postings.map(PostingModel.init)
            rules = contribution.rules.map(RuleModel.init)
        }
    }

    var figure: String
    /// The figure with its unit; missing where it is the sum of the entries.
    var value: String?
    /// The computation of the value from other figures, in order.
    var terms: [Term]
    var reported: Figure
    /// The figure computed again from the journal.
    var recomputed: Figure
    var agrees: Bool
    /// Parts of the figure that aren't journal entries of an app.
    var otherAmounts: [OtherAmount]
    /// The number of all entries.
    var entryCount: Int
    var entries: [Item]
    /// The value of `after` for the next page; missing on the last.
    var next: String?

    init(_ explanation: Explanation) {
        figure = explanation.title
        value = explanation.value
        terms = explanation.terms.map(Term.init)
        reported = Figure(explanation.reported)
        recomputed = Figure(explanation.recomputed)
        agrees = explanation.agrees
        otherAmounts = explanation.otherAmounts.map {
            OtherAmount(name: $0.name, amount: $0.amount.milliunits, currency: $0.amount.currency.rawValue)
        }
        entryCount = explanation.count
        entries = explanation.contributions.map(Item.init)
        next = explanation.next?.text
    }
}

/// An explained statistic: each of the amounts from which it is computed.
struct StatisticExplanationAnswer: AnswerModel {
    var statistic: String
    var definition: String
    var measures: [ExplanationAnswer]

    static let constraints: [String: Constraint] = ["statistic": .oneOf(Statistic.self)]
}

/// One posting of a journal entry.
struct PostingModel: Model, Encodable {
    var account: String
    var amount: Int64
    var currency: String

    static let constraints: [String: Constraint] = ["account": .oneOf(Posting.Account.self), "amount": .milliunits]

    init(_ posting: Posting) {
        account = posting.account.rawValue
        amount = posting.amount.milliunits
        currency = posting.amount.currency.rawValue
    }
}

/// A rule of money with the place of its description.
struct RuleModel: Model, Encodable {
    var name: String
    var page: String

    init(_ rule: MoneyRule) {
        name = rule.title
        page = rule.page
    }
}

/// An explained transaction.
struct TransactionExplanationAnswer: AnswerModel {
    /// A row of Sales and Trends to which an entry adds.
    struct Row: Model, Encodable {
        var type: String
        var units: Int64
        var customerPrice: Int64
        var proceeds: Int64
        var tax: Int64
        var commission: Int64
        var currency: String
        var country: String

        init(_ total: SalesTotal) {
            type = total.key.type.rawValue
            units = total.units
            customerPrice = total.key.customerPrice.milliunits
            proceeds = total.key.proceeds.milliunits
            tax = total.key.tax.milliunits
            commission = total.key.commission.milliunits
            currency = total.key.customerPrice.currency.rawValue
            country = total.key.storefront.alpha2
        }
    }

    struct Item: Model, Encodable {
        var position: Int64
        var time: String
        var kind: String
        /// The Pacific day of Sales and Trends.
        var day: String
        var fiscalMonth: String
        /// True if the day's own fiscal month was closed before the entry.
        var isAdjustment: Bool
        var postings: [PostingModel]
        var rows: [Row]
        var rules: [RuleModel]

        static let constraints: [String: Constraint] = ["time": .time]

        init(_ item: TransactionExplanation.Item) {
            position = item.position
            time = item.entry.at.rfc3339(fraction: true)
            kind = item.entry.kind.rawValue
            day = item.day.description
            fiscalMonth = item.fiscalMonth.description
            isAdjustment = item.isAdjustment
            postings = item.entry.postings.map(PostingModel.init)
            rows = item.rows.map(Row.init)
            rules = item.rules.map(RuleModel.init)
        }
    }

    var transactionId: String
    var bundleId: String
    var account: String
    var productId: String
    var entries: [Item]
    /// The sums of all its postings.
    var sums: [PostingModel]

    init(_ explanation: TransactionExplanation) {
        transactionId = explanation.transaction.id.description
        bundleId = explanation.bundleID.rawValue
        account = explanation.account
        productId = explanation.transaction.productID.rawValue
        entries = explanation.items.map(Item.init)
        sums = explanation.sums.map { PostingModel(Posting($0.account, $0.amount)) }
    }
}
