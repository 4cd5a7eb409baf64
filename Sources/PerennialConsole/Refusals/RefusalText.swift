import AppStoreFormats
import Perennial
import PerennialConnect
import PerennialDelivery
import PerennialHTTP
import PerennialStorage
import PerennialStore

/// The reasons of refusals in the visitor's language.
///
/// Use cases say their reasons in English sentences with the values in them. A known sentence is translated with its values;
/// for any other one the other languages have the sentence of its code, so that none is left in English.
enum RefusalText {
    /// Returns the reason of a refusal, with its subject in front where that isn't the field of a form.
    ///
    /// - Returns: `nil` for an error that is no refusal of a use case.
    static func text(of error: any Error) -> Text? {
        if let refused = error as? CatalogEditError { return reasons(of: refused) }
        guard let refused = Refused(error) else { return nil }
        let reason = text(refused.reason, otherwise: refused.code)
        return refused.subject.isEmpty ? reason : .joined([.data(refused.subject), .data(": "), reason])
    }

    /// Returns the reason of a refusal for the form that caused it.
    ///
    /// - Throws: The error, if it isn't a refusal.
    static func refusal(_ error: any Error) throws -> Text {
        guard let text = text(of: error) else { throw error }
        return text
    }

    /// Translates a sentence of a use case.
    ///
    /// - Parameter code: The sentence of its code, for a text that has no translation.
    static func text(_ reason: String, otherwise code: Phrase) -> Text {
        RefusalSentences.text(of: reason)
            ?? .phrase(
                Phrase(reason, fr: code.french, pt: code.portuguese, zh: code.chinese, de: code.german))
    }

    /// Translates the reasons of a refused edit of the catalog: those behind it, if it has any.
    static func reasons(of error: CatalogEditError) -> Text {
        guard let first = error.associated.first else { return text(error.detail, otherwise: error.code.phrase) }
        // Each is a sentence.
        return error.associated.dropFirst().reduce(text(first.detail, otherwise: first.code.phrase)) { text, error in
            .joined([text, .data(" "), self.text(error.detail, otherwise: error.code.phrase)])
        }
    }

    /// Returns a sentence of a use case or of a protocol; in English, if it has no translation.
    static func sentence(_ reason: String) -> Text { RefusalSentences.text(of: reason) ?? .data(reason) }

    /// Returns the warning about a file, with the line that cures it.
    static func text(of warning: CatalogWarning) -> Text {
        let text = Text.joined([
            .data("\(warning.place): "), text(warning.message, otherwise: warning.code.phrase),
        ])
        return warning.remedy.map { .joined([text, .data(" "), .phrase(cure, .data($0))]) } ?? text
    }

    private static let cure = Phrase(
        "This line in a catalog cures it: %1", fr: "Cette ligne dans un catalogue y remédie\u{202F}: %1",
        pt: "Esta linha em um catálogo resolve: %1", zh: "在目錄中加入此行即可解決：%1",
        de: "Diese Zeile in einem Katalog behebt es: %1")

    /// Any other refusal, such as one of a protocol of Apple's.
    static let refused = Phrase(
        "The store refuses this.", fr: "Le store refuse cette demande.", pt: "A loja recusa este pedido.",
        zh: "商店拒絕此要求。", de: "Der Store lehnt das ab.")
}

/// A refusal of a use case, of any type.
private struct Refused {
    var code: Phrase
    var reason: String
    /// The thing it is about; empty where the reason or the form names it.
    var subject = ""

    /// - Returns: `nil` for an error that is no refusal.
    init?(_ error: any Error) {
        switch error {
        case let error as StoreError:
            // The subject of these is a field.
            let isField = [.malformed, .tooManyProducts].contains(error.code)
            self.init(code: error.code.phrase, reason: error.reason, subject: isField ? "" : error.subject)
        case let error as PurchaseRefusal: self.init(code: error.code.phrase, reason: error.reason)
        case let error as SubscriptionError: self.init(code: error.code.phrase, reason: error.reason)
        case let error as RefundError: self.init(code: error.code.phrase, reason: error.reason)
        case let error as FamilyError: self.init(code: error.code.phrase, reason: error.reason)
        case let error as ExtensionError: self.init(code: error.code.phrase, reason: error.reason)
        case let error as NotificationError: self.init(code: error.code.phrase, reason: error.reason)
        case let error as FinanceError: self.init(code: error.code.phrase, reason: error.reason)
        case let error as ExplainError: self.init(code: error.code.phrase, reason: error.reason)
        case let error as ReportError: self.init(code: error.code.phrase, reason: error.detail)
        case let error as KeyError:
            self.init(code: error.code.phrase, reason: error.reason, subject: error.subject)
        case let error as CatalogError:
            self.init(code: error.code.phrase, reason: error.reason, subject: "\(error.place)")
        case let error as ContentLibraryError: self.init(code: error.code.phrase, reason: error.reason)
        case let error as DeliveryError: self.init(code: error.code.phrase, reason: error.reason)
        case let error as ConsoleSignInError: self.init(code: RefusalText.refused, reason: error.description)
        case let error as PasswordRefusal: self.init(code: RefusalText.refused, reason: error.description)
        case let error as PasswordError: self.init(code: RefusalText.refused, reason: error.description)
        default:
            guard let known = APIError(translating: error) else { return nil }
            self.init(code: RefusalText.refused, reason: known.message)
        }
    }

    private init(code: Phrase, reason: String, subject: String = "") {
        (self.code, self.reason, self.subject) = (code, reason, subject)
    }
}
