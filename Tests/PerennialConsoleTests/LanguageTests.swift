import Testing

@testable import PerennialConsole

@Suite("Languages")
struct LanguageTests {
    @Test(
        "the preferred language that the console has is chosen",
        arguments: [
            ("de-CH,de;q=0.9,en;q=0.8", Language.german), ("en;q=0.4, fr;q=0.5", .french), ("ja,zh-TW;q=0.2", .chinese),
            ("pt-BR", .portuguese), ("ja", .english), ("", .english), ("de;q=0,en", .english), ("*", .english),
        ])
    func preference(header: String, language: Language) {
        #expect(Language(acceptLanguage: header) == language)
    }
}
