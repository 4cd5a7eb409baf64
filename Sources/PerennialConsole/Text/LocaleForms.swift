import Perennial

/// The forms of numbers, amounts and dates in a language, as in the Unicode CLDR of its largest locale (en-US, fr-FR, pt-BR,
/// zh-Hant-TW, de-DE). Tables rather than Foundation's styles: a page has hundreds of values.
struct LocaleForms: Sendable {
    let group: String
    let decimal: String
    /// The space between a number and the percent sign.
    let percentSpace: String
    /// The mark between two texts of a list.
    let comma: String
    /// True if the currency stands behind the amount.
    let isCurrencyLast: Bool
    /// The space between a currency's symbol and the amount. One that ends in a letter has a space in any case.
    let currencySpace: String
    /// The symbols of currencies that have one. Others stand as their code.
    let symbols: [Currency: String]
    let months: [String]
    private let dateParts: DateParts

    /// The order of a date's parts, with the texts around them.
    private struct DateParts {
        var isMonthFirst = false
        var isYearFirst = false
        var afterDay = " "
        var afterMonth = " "
        var afterYear = ""
    }

    /// Returns the day in the locale's short form: `Mar 31, 2026`.
    func day(_ date: CivilDate) -> String {
        let (day, month, parts) = ("\(date.day)", months[date.month - 1], dateParts)
        if parts.isYearFirst { return "\(date.year)\(parts.afterYear)\(month)\(day)\(parts.afterDay)" }
        return parts.isMonthFirst
            ? "\(month)\(parts.afterMonth)\(day)\(parts.afterDay)\(date.year)"
            : "\(day)\(parts.afterDay)\(month)\(parts.afterMonth)\(date.year)"
    }

    /// Returns the month in the locale's short form: `Mar 2026`.
    func month(_ date: CivilDate) -> String {
        let (month, parts) = (months[date.month - 1], dateParts)
        return parts.isYearFirst
            ? "\(date.year)\(parts.afterYear)\(month)" : "\(month)\(parts.afterMonth)\(date.year)"
    }

    static func of(_ language: Language) -> LocaleForms { all[language] ?? english }

    private static let all: [Language: LocaleForms] = [
        .english: english, .french: french, .portuguese: portuguese, .chinese: chinese, .german: german,
    ]

    /// A space at which no line breaks.
    static let hardSpace = "\u{A0}"
    /// A narrow one.
    private static let thinSpace = "\u{202F}"

    private static let english = LocaleForms(
        group: ",", decimal: ".", percentSpace: "", comma: ", ", isCurrencyLast: false, currencySpace: "",
        symbols: symbols("USD $ AUD A$ NZD NZ$ PHP ₱"),
        months: words("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
        dateParts: DateParts(isMonthFirst: true, afterDay: ", "))
    private static let french = LocaleForms(
        group: thinSpace, decimal: ",", percentSpace: thinSpace, comma: ", ", isCurrencyLast: true,
        currencySpace: hardSpace,
        symbols: symbols(
            """
            USD $US GBP £GB JPY JPY CNY CNY TWD TWD HKD HKD CAD $CA AUD $AU NZD $NZ MXN $MX SGD $SG COP $CO CLP $CL
            """),
        months: words("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."), dateParts: DateParts())
    private static let portuguese = LocaleForms(
        group: ".", decimal: ",", percentSpace: "", comma: ", ", isCurrencyLast: false, currencySpace: hardSpace,
        symbols: symbols("USD US$ JPY JP¥ AUD AU$ NZD NZ$ THB ฿"),
        months: words("jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez."),
        dateParts: DateParts(afterDay: " de ", afterMonth: " de "))
    private static let chinese = LocaleForms(
        group: ",", decimal: ".", percentSpace: "", comma: "、", isCurrencyLast: false, currencySpace: "",
        symbols: symbols("USD US$ AUD AU$ NZD NZ$"), months: (1...12).map { "\($0)月" },
        dateParts: DateParts(isYearFirst: true, afterDay: "日", afterYear: "年"))
    private static let german = LocaleForms(
        group: ".", decimal: ",", percentSpace: hardSpace, comma: ", ", isCurrencyLast: true, currencySpace: hardSpace,
        symbols: symbols("USD $ AUD AU$ NZD NZ$ THB ฿"),
        months: words("Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."),
        dateParts: DateParts(afterDay: ". "))

    private static func words(_ list: String) -> [String] { list.split(separator: " ").map(String.init) }

    /// The symbols that all languages share, and a language's own: codes and symbols in turn.
    private static func symbols(_ own: String) -> [Currency: String] {
        let shared = """
            EUR € GBP £ JPY ¥ CNY CN¥ TWD NT$ HKD HK$ KRW ₩ INR ₹ BRL R$ CAD CA$ MXN MX$ ILS ₪ VND ₫
            """
        let list = words(shared) + words(own)
        return Dictionary(
            stride(from: 0, to: list.count, by: 2).map { (Currency(rawValue: list[$0]), list[$0 + 1]) },
            uniquingKeysWith: { $1 })
    }
}
