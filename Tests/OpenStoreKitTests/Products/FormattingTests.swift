import Foundation
import OpenStoreKit
import Testing

struct FormattingTests {
    private func formatter(
        _ style: OpenStoreKit.DateComponentsFormatter.UnitsStyle, _ units: NSCalendar.Unit = [],
        locale: String = "en_US"
    ) -> OpenStoreKit.DateComponentsFormatter {
        let formatter = OpenStoreKit.DateComponentsFormatter()
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = Locale(identifier: locale)
        formatter.calendar = calendar
        formatter.unitsStyle = style
        formatter.allowedUnits = units
        return formatter
    }

    @Test(arguments: [
        ("en_US", "3 months"), ("de_DE", "3 Monate"), ("fr_FR", "3 mois"), ("ru_RU", "3 месяца"),
        ("ja_JP", "3か月"),
    ])
    func `a period is in the words of the language`(locale: String, text: String) {
        let formatted = formatter(.full, locale: locale).string(from: DateComponents(month: 3))
        // Some languages have a space that doesn't break.
        #expect(formatted?.replacingOccurrences(of: "\u{a0}", with: " ") == text)
    }

    @Test func `one unit is singular`() {
        let formatter = formatter(.full)
        #expect(formatter.string(from: DateComponents(year: 1)) == "1 year")
        #expect(formatter.string(from: DateComponents(weekOfMonth: 1)) == "1 week")
        #expect(formatter.string(from: DateComponents(day: 7)) == "7 days")
    }

    @Test func `styles differ in length`() {
        let components = DateComponents(hour: 1, minute: 30)
        #expect(formatter(.positional).string(from: components) == "1:30")
        #expect(formatter(.abbreviated).string(from: components) == "1h 30m")
        #expect(formatter(.short).string(from: components) == "1 hr, 30 min")
        #expect(formatter(.full).string(from: components) == "1 hour, 30 minutes")
        #expect(formatter(.spellOut).string(from: components) == "one hour, thirty minutes")
    }

    @Test func `units that aren't allowed are converted`() {
        let weeks = formatter(.full, [.day])
        weeks.referenceDate = Date(timeIntervalSince1970: 1_767_225_600)
        #expect(weeks.string(from: DateComponents(weekOfMonth: 2)) == "14 days")
        #expect(formatter(.full, [.hour, .minute]).string(from: 5_400) == "1 hour, 30 minutes")
        #expect(formatter(.positional, [.minute, .second]).string(from: 65) == "1:05")
    }

    @Test func `the count of units is limited, and zeros are dropped`() {
        let formatter = formatter(.full)
        formatter.maximumUnitCount = 1
        #expect(formatter.string(from: DateComponents(year: 1, month: 2)) == "1 year")
        #expect(formatter.string(from: DateComponents(year: 0, month: 2)) == "2 months")
        #expect(formatter.string(from: DateComponents(day: 0)) == "0 days")
        #expect(formatter.string(from: DateComponents()) == nil)
    }

    @Test func `a measurement has its unit in the words of the language`() {
        let formatter = OpenStoreKit.MeasurementFormatter()
        formatter.unitStyle = .long
        formatter.locale = Locale(identifier: "de_DE")
        #expect(formatter.string(from: Measurement(value: 3, unit: UnitDuration.hours)) == "3 Stunden")
        #expect(formatter.string(from: Measurement(value: 2.5, unit: UnitFrequency.hertz)) == "2,5 Hz")
    }

    @Test func `a dictionary's value is set and removed`() {
        let dictionary: NSMutableDictionary = ["a": "1"]
        dictionary.setValue("2", forKey: "b")
        dictionary.setValue(nil, forKey: "a")
        #expect(dictionary as? [String: String] == ["b": "2"])
    }
}
