import Perennial
import Testing

@testable import PerennialConsole

@Suite("Texts in five languages")
struct TextFormatterTests {
    private static let now = Instant(seconds: 1_774_951_200)

    private func strings(_ text: Text) -> [String] {
        Language.allCases.map { language in
            TextFormatter(language, now: Self.now).string(text)
                .replacing("\u{A0}", with: "_").replacing("\u{202F}", with: "~").replacing("\u{2212}", with: "-")
        }
    }

    @Test("amounts have their currency where the locale has it")
    func money() {
        #expect(
            strings(.money(Money(milliunits: 1_234_567_500, .usd))) == [
                "$1,234,567.50", "1~234~567,50_$US", "US$_1.234.567,50", "US$1,234,567.50", "1.234.567,50_$",
            ])
        #expect(
            strings(.money(Money(milliunits: -300_000, .jpy))) == ["-¥300", "-300_JPY", "-JP¥_300", "-¥300", "-300_¥"])
        #expect(strings(.money(Money(milliunits: 5, Currency(rawValue: "KWD"))))[0] == "KWD_0.005")
        #expect(strings(.money(Money(milliunits: 1995, .eur)))[4] == "1,995_€")
    }

    @Test func `characters that change the direction of text are shown, not obeyed`() {
        let phrase = Phrase("%1 was granted.", fr: "%1", pt: "%1", zh: "%1", de: "%1")
        #expect(strings(.phrase(phrase, .data("film\u{202E}gnp")))[0] == "film[U+202E]gnp was granted.")
        for scalar in (0x202A...0x202E).map({ $0 }) + (0x2066...0x2069).map({ $0 }) {
            let character = Unicode.Scalar(scalar).map { String(Character($0)) } ?? ""
            #expect(strings(.data("a\(character)b"))[0].unicodeScalars.allSatisfy { $0.value < 0x80 })
        }
        // Marks of Arabic and Hebrew names stay, and so do joiners.
        #expect(strings(.data("\u{200F}שם\u{200E}\u{200D}"))[0] == "\u{200F}שם\u{200E}\u{200D}")
    }

    @Test("numbers and shares are grouped and rounded")
    func numbers() {
        #expect(strings(.number(-1_234_567)) == ["-1,234,567", "-1~234~567", "-1.234.567", "-1,234,567", "-1.234.567"])
        #expect(strings(.decimal(1234.565, 2)) == ["1,234.57", "1~234,57", "1.234,57", "1,234.57", "1.234,57"])
        #expect(strings(.percent(0.124)) == ["12.4%", "12,4~%", "12,4%", "12.4%", "12,4_%"])
        #expect(strings(.change(0.124))[0] == "+12.4%")
        #expect(strings(.change(-0.0001))[0] == "0.0%")
        #expect(strings(.percent(1))[0] == "100%")
        #expect(strings(.percent(.infinity))[0] == "–")
        #expect(strings(.number(Int(Int64.min)))[0] == "-9,223,372,036,854,775,808")
        #expect(strings(.decimal(-0.004, 2))[0] == "0.00")
    }

    @Test("days are in the locale's short form, moments in UTC")
    func days() {
        #expect(
            strings(.day(Self.now)) == [
                "Mar 31, 2026", "31 mars 2026", "31 de mar. de 2026", "2026年3月31日", "31. März 2026",
            ])
        #expect(
            strings(.month(Self.now)) == ["Mar 2026", "mars 2026", "mar. de 2026", "2026年3月", "März 2026"])
        #expect(strings(.month(named: "2026-03")) == strings(.month(Self.now)))
        #expect(strings(.exact(Self.now))[0] == "Mar 31, 2026, 10:00:00 UTC")
    }

    @Test(
        "times below a day are relative, others exact",
        arguments: [
            (0, "now"), (-1, "1 second ago"), (-59, "59 seconds ago"), (-60, "1 minute ago"), (-3599, "59 minutes ago"),
            (-7200, "2 hours ago"), (180, "in 3 minutes"), (-86_400, "Mar 30, 2026, 10:00 UTC"),
        ])
    func relative(seconds: Int64, text: String) {
        #expect(strings(.time(Self.now + .seconds(seconds)))[0] == text)
    }

    @Test("arguments take their places, and times among them keep their moment")
    func arguments() {
        let phrase = Phrase("%2 of %1, 5%", fr: "%1 %2", pt: "%1", zh: "%2%1", de: "%1: %2")
        let text = Text.phrase(phrase, .data("%2"), .time(Self.now))
        #expect(strings(text) == ["now of %2, 5%", "%2 maintenant", "%2", "現在%2", "%2: jetzt"])
        #expect(TextFormatter(.english, now: Self.now).parts(text).map(\.moment) == [Self.now, nil])
        #expect(strings(.list([.number(1), .data("b")])) == ["1, b", "1, b", "1, b", "1、b", "1, b"])
    }

    @Test(
        "long words with dots break after them, sentences and numbers don't",
        arguments: [
            ("com.example.photomag.filter.silver", ["com.", "example.", "photomag.", "filter.", "silver"]),
            ("Sold com.example.film_roll today.", ["Sold com.", "example.", "film_", "roll today."]),
            ("customer2.1@example.com", ["customer2.1@", "example.", "com"]),
            ("film.roll", nil), ("A sentence ends. Another one", nil), ("\u{2212}1.234.567.890,00", nil), ("", nil),
            ("______________", nil), ("..............", nil), ("日本語のテキスト。長い", nil),
        ])
    func lineBreaks(text: String, pieces: [String]?) {
        #expect(LineBreaks.pieces(of: text) == pieces)
        #expect(LineBreaks.pieces(of: text)?.joined() ?? text == text)
    }

    @Test("a thousand texts cost little")
    func speed() {
        let formatter = TextFormatter(.french, now: Self.now)
        let clock = ContinuousClock()
        let fastest = (0..<5).map { _ in
            clock.measure {
                for number in 0..<500 {
                    _ = formatter.string(.money(Money(milliunits: Int64(number) * 12_340, .usd)))
                    _ = formatter.string(.time(Self.now + .seconds(-Int64(number) * 100)))
                }
            }
        }.min()
        #expect(fastest.map { $0 < .milliseconds(100) } == true)
    }
}
