/// A text of the console in all its languages. The compiler refuses one that lacks a translation.
///
/// `%1` to `%9` stand for arguments; each translation has the same ones (`TranslationTests`).
struct Phrase: Sendable, Hashable {
    let english: String
    let french: String
    let portuguese: String
    let chinese: String
    let german: String

    init(_ english: String, fr: String, pt: String, zh: String, de: String) {
        self.english = english
        french = fr
        portuguese = pt
        chinese = zh
        german = de
    }

    func text(in language: Language) -> String {
        switch language {
        case .english: english
        case .french: french
        case .portuguese: portuguese
        case .chinese: chinese
        case .german: german
        }
    }
}
