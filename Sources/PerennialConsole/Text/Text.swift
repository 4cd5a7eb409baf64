import Perennial

/// A text on a page: a phrase in the reader's language, a value in the form of the reader's locale, or data.
///
/// It isn't made from string literals: words of the console are phrases, so that none is left untranslated.
indirect enum Text: Sendable, Hashable {
    case phrase(Phrase, [Text])
    /// Data that has no language: a name, an ID, a URL, JSON.
    case data(String)
    case money(Money)
    case number(Int64)
    /// A number with so many decimals.
    case decimal(Double, Int)
    /// A share of one, in percent: 0.124 is 12.4 %.
    case percent(Double)
    /// A change in percent, with its sign: 0.124 is +12.4 %.
    case change(Double)
    /// A day, in UTC.
    case day(Instant)
    /// A month with its year, in UTC.
    case month(Instant)
    /// Relative to the environment's time below a day, else day and time in UTC; exact in the element's title.
    case time(Instant)
    /// Day and time in UTC, to the second.
    case exact(Instant)
    /// Texts one after another, with nothing between them.
    case joined([Text])
    /// Texts with commas between them.
    case list([Text])

    static func phrase(_ phrase: Phrase, _ arguments: Text...) -> Text { .phrase(phrase, arguments) }
    static func number(_ value: Int) -> Text { .number(Int64(value)) }
    static let none = Text.data("")
}
