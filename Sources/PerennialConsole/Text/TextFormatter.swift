import Perennial

/// Writes texts in a language, at an environment's time.
struct TextFormatter: Sendable {
    let language: Language
    let now: Instant
    private let forms: LocaleForms

    init(_ language: Language, now: Instant) {
        self.language = language
        self.now = now
        forms = LocaleForms.of(language)
    }

    /// A part of a text: words, or a moment with its exact form.
    struct Part: Equatable, Sendable {
        var text: String
        var moment: Instant?
    }

    func string(_ text: Text) -> String {
        switch text {
        case .data(let text): text.withVisibleDirectionControls
        case .number(let number): string(number)
        case .money(let money): string(money)
        case .decimal(let number, let digits): string(number, digits: digits)
        case .percent(let share): percent(share)
        case .change(let share):
            (share > 0 && percent(share).contains { "123456789".contains($0) } ? "+" : "") + percent(share)
        case .day(let instant): forms.day(instant.civil.date)
        case .month(let instant): forms.month(instant.civil.date)
        case .time(let instant): relative(instant)
        case .exact(let instant): exact(instant)
        case .phrase(let phrase, let arguments) where arguments.isEmpty: phrase.text(in: language)
        case .phrase, .joined, .list: parts(text).map(\.text).joined()
        }
    }

    /// Returns the words of a text, and its relative times as parts of their own.
    func parts(_ text: Text) -> [Part] {
        var parts: [Part] = []
        append(text, to: &parts)
        return parts
    }

    private func append(_ text: Text, to parts: inout [Part]) {
        switch text {
        case .time(let instant):
            parts.append(Part(text: relative(instant), moment: instant))
        case .joined(let texts):
            for text in texts { append(text, to: &parts) }
        case .list(let texts):
            for (index, text) in texts.enumerated() {
                if index > 0 { append(forms.comma, to: &parts) }
                append(text, to: &parts)
            }
        case .phrase(let phrase, let arguments) where !arguments.isEmpty:
            append(phrase.text(in: language), arguments, to: &parts)
        default:
            append(string(text), to: &parts)
        }
    }

    /// Appends a phrase with `%1` to `%9` replaced.
    private func append(_ pattern: String, _ arguments: [Text], to parts: inout [Part]) {
        var rest = Substring(pattern)
        while let sign = rest.firstIndex(of: "%") {
            let digit = rest.index(after: sign)
            guard digit < rest.endIndex, let number = rest[digit].wholeNumberValue,
                arguments.indices.contains(number - 1)
            else {
                append(String(rest[...sign]), to: &parts)
                rest = rest[digit...]
                continue
            }
            append(String(rest[..<sign]), to: &parts)
            append(arguments[number - 1], to: &parts)
            rest = rest[rest.index(after: digit)...]
        }
        append(String(rest), to: &parts)
    }

    private func append(_ words: String, to parts: inout [Part]) {
        if parts.last?.moment == nil, !parts.isEmpty {
            parts[parts.count - 1].text += words
        } else if !words.isEmpty {
            parts.append(Part(text: words))
        }
    }
}

// MARK: Numbers

extension TextFormatter {
    /// The sign of negative numbers, as wide as the plus.
    private static let minus = "\u{2212}"
    /// Stands for a number that there isn't: a ratio to nothing.
    private static let missing = "–"

    private func string(_ number: Int64) -> String {
        (number < 0 ? Self.minus : "") + grouped(String(number.magnitude))
    }

    private func string(_ number: Double, digits: Int) -> String {
        guard number.isFinite, abs(number) < 1e15 else { return Self.missing }
        let digits = min(max(digits, 0), 6)
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = String(Int64(nearest: abs(number) * scale))
        let padded = String(repeating: "0", count: max(digits + 1 - scaled.count, 0)) + scaled
        let sign = number < 0 && scaled != "0" ? Self.minus : ""
        return sign + grouped(String(padded.dropLast(digits)))
            + (digits > 0 ? forms.decimal + padded.suffix(digits) : "")
    }

    private func percent(_ share: Double) -> String {
        let isWhole = share == 0 || abs(share) == 1
        let number = string(share * 100, digits: isWhole ? 0 : 1)
        return number == Self.missing ? number : number + forms.percentSpace + "%"
    }

    private func string(_ money: Money) -> String {
        let parts = money.decimal.split(separator: ".")
        let whole = parts[0].drop { $0 == "-" }
        let amount = grouped(String(whole)) + (parts.count > 1 ? forms.decimal + parts[1] : "")
        let sign = money.milliunits < 0 ? Self.minus : ""
        let symbol = forms.symbols[money.currency] ?? money.currency.rawValue
        if forms.isCurrencyLast { return sign + amount + forms.currencySpace + symbol }
        let space = symbol.last?.isLetter == true ? LocaleForms.hardSpace : forms.currencySpace
        return sign + symbol + space + amount
    }

    private func grouped(_ digits: String) -> String {
        guard digits.utf8.count > 3 else { return digits }
        var text = ""
        let first = digits.utf8.count % 3
        for (index, digit) in digits.unicodeScalars.enumerated() {
            if index > 0, index % 3 == first { text += forms.group }
            text.unicodeScalars.append(digit)
        }
        return text
    }
}

// MARK: Times

extension TextFormatter {
    /// Returns day and time in UTC, to the second.
    func exact(_ instant: Instant) -> String {
        let (date, millisecond) = instant.civil
        return "\(forms.day(date)), \(clock(millisecond, hasSeconds: true)) UTC"
    }

    /// Returns day and time in UTC, to the minute.
    func minute(_ instant: Instant) -> String {
        let (date, millisecond) = instant.civil
        return "\(forms.day(date)), \(clock(millisecond, hasSeconds: false)) UTC"
    }

    /// Returns the time in UTC of an instant of today, to the second; of another day, day and time.
    func timeOfDay(_ instant: Instant) -> String {
        let (date, millisecond) = instant.civil
        return date == now.civil.date ? clock(millisecond, hasSeconds: true) : minute(instant)
    }

    private func clock(_ millisecond: Int64, hasSeconds: Bool) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = "\(two(millisecond / 3_600_000)):\(two(millisecond / 60_000 % 60))"
        return hasSeconds ? minutes + ":" + two(millisecond / 1000 % 60) : minutes
    }

    private func relative(_ instant: Instant) -> String {
        let distance = now - instant
        let seconds = distance.magnitude / 1000
        guard seconds < 86_400 else { return minute(instant) }
        let (count, unit) =
            seconds < 60 ? (seconds, 0) : seconds < 3600 ? (seconds / 60, 1) : (seconds / 3600, 2)
        if seconds == 0 { return FrameWords.now.text(in: language) }
        let phrases = distance > 0 ? FrameWords.past[unit] : FrameWords.future[unit]
        let phrase = count == 1 ? phrases.one : phrases.many
        return string(.phrase(phrase, .number(Int64(count))))
    }
}

extension String {
    /// The text with a mark such as `[U+202E]` in place of each character that changes the direction of text. The names of
    /// customers, and those that were stored before they were refused, have them: the words beside them must not turn around.
    var withVisibleDirectionControls: String {
        guard directionControl != nil else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isDirectionControl {
                text += "[U+\(String(scalar.value, radix: 16, uppercase: true))]"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
