import AppStoreFormats
import Perennial
import PerennialDelivery
import PerennialStore
import Testing

@testable import PerennialConnect
@testable import PerennialConsole
@testable import PerennialHTTP

@Suite("Refusals in the visitor's language")
struct RefusalTests {
    private func text(_ text: Text?, in language: Language) -> String {
        TextFormatter(language, now: Instant(milliseconds: 0)).string(text ?? .none)
    }

    // MARK: - Sentences

    /// The types of refusals, and the functions that make them.
    private static let makers = [
        "CatalogEditError", "StoreError", "SubscriptionError", "RefundError", "FamilyError", "ExtensionError",
        "FinanceError", "NotificationError", "ExplainError", "KeyError", "PurchaseRefusal", "ContentLibraryError",
        "refusal", "uncovered",
    ]

    @Test("each sentence of a refusal in the sources is translated")
    func sentences() throws {
        let sources = try RefusalSources.all(
            of: Self.makers, in: ["Perennial", "PerennialStore", "PerennialConnect", "PerennialDelivery"])
        #expect(sources.count > 250)
        for source in sources {
            // Without a word of its own it is the text of another error.
            for sentence in source.sentences where sentence.contains(where: { $0.isLowercase }) {
                #expect(RefusalSentences.text(of: sentence) != nil, "\(source.place): \(sentence)")
            }
        }
    }

    @Test("each difference that a reconciliation finds is translated")
    func differences() throws {
        let sources = try RefusalSources.all(
            of: ["Reconciliation.Difference", "append"], in: ["PerennialStore/Finance"])
        #expect(sources.count > 7)
        var sentences = sources.flatMap(\.sentences).filter { $0.contains(" ") }
        // These are put together from several literals.
        sentences += [
            "its postings don't sum to zero", "its proceeds are 1.00 USD more than those of its sales",
            "the line US (USD) of the closing of 2026-04: the journal has 2 units, 1.00 USD earned, 0.00 USD late and "
                + "0.00 USD adjusted, the closing has no such line",
        ]
        for sentence in sentences {
            let text = try #require(RefusalSentences.text(of: sentence), "\(sentence)")
            #expect(self.text(text, in: .german) != self.text(text, in: .english), "\(sentence)")
        }
        let difference =
            "sales of film.roll in DEU on 2026-01-03: the journal has 2 units with proceeds of 1.40 EUR, the roll-ups have "
            + "0 units with proceeds of 0.00 EUR"
        #expect(
            text(RefusalText.sentence(difference), in: .german)
                == "Verkäufe von film.roll (DEU) am 2026-01-03: Das Journal hat 2 Einheiten mit Erlösen von 1.40 EUR, "
                + "die Summen haben 0 Einheiten mit Erlösen von 0.00 EUR.")
        let line = "the line US of the closing of 2026-04 isn't what the entry 7 of the seller's own journal has posted"
        #expect(
            text(RefusalText.sentence(line), in: .french)
                == "La ligne US de la clôture de 2026-04 diffère de l’écriture 7 du journal du vendeur.")
    }

    @Test("advice about requests and deliveries is translated")
    func advice() {
        for status in [400, 401, 402, 403, 404, 405, 409, 413, 418, 422, 429, 500, 503] {
            for path in ["store/v1", "inApps/v1", "v1/apps", "control/v1", "delivery/v1", "x", "console/Sandbox/-/x"] {
                let advice = RequestObserver.advice(status, "code", RequestPlace(path: path))
                #expect(RefusalSentences.text(of: advice) != nil, "\(advice)")
            }
        }
        let results: [SendAttemptResult] = [
            .timedOut, .tlsIssue, .circularRedirect, .noResponse, .socketIssue, .unsupportedCharset, .invalidResponse,
            .prematureClose, .unsuccessfulHTTPResponseCode, .other,
        ]
        for result in results {
            for status in [200, 302, 401, 404, 413, 500] {
                let advice = SendingAdvice.text(result: result, httpStatus: status)
                #expect(RefusalSentences.text(of: advice) != nil, "\(advice)")
            }
        }
    }

    @Test("values stand in the order of their numbers in English")
    func order() {
        for phrase in RefusalSentences.all {
            let numbers = phrase.english.matches(of: /%([1-9])/).map { String($0.1) }
            #expect(numbers == (1...9).prefix(numbers.count).map(String.init), "\(phrase.english)")
        }
    }

    @Test("a sentence keeps its values; names of fields and states are the console's")
    func values() {
        let long = CatalogEditError(
            .invalid, at: .attribute("referenceName"),
            "The attribute 'referenceName' has 70 characters, and at most 64 are allowed.")
        #expect(
            text(RefusalText.text(of: long), in: .german) == "„Referenzname“ hat 70 Zeichen; höchstens 64 sind erlaubt."
        )
        let state = CatalogEditError(.stateInvalid, "The review submission is not in valid state: it is IN_REVIEW.")
        #expect(
            text(RefusalText.text(of: state), in: .portuguese) == "O envio está “Em revisão”, o que não permite isto.")
        let rule = CatalogEditError(.invalid, "The offer's ID has \(ProductValidation.identifierRule)")
        #expect(text(RefusalText.text(of: rule), in: .french).hasSuffix("100 au plus."))
        #expect(text(RefusalText.sentence("1 to 5 codes at once"), in: .chinese) == "一次 1 到 5 個代碼。")
        #expect(text(RefusalText.sentence("1 to 5"), in: .chinese) == "1 到 5。")
    }

    @Test("the reasons behind a refusal are those that are shown")
    func associated() {
        let error = CatalogEditError(
            .stateInvalid, "This resource cannot be reviewed, please check associated errors to see why.",
            associated: [
                CatalogEditError(.required, "The product has no price."),
                CatalogEditError(.required, "The product has no screenshot."),
            ])
        #expect(
            text(RefusalText.text(of: error), in: .english)
                == "The product has no Price. The product has no Review Screenshot.")
    }

    // MARK: - Codes

    /// An error of each code, with an unknown sentence.
    private static let errors: [any Error] = {
        let sentence = "an unheard-of reason"
        let id = TransactionID(rawValue: 1)
        var errors: [any Error] = []
        errors += StoreError.Code.allCases.map { StoreError($0, "subject", sentence) }
        errors += ExplainError.Code.allCases.map { ExplainError($0, "subject", sentence) }
        errors += SubscriptionError.Code.allCases.map { SubscriptionError($0, nil, sentence) }
        errors += RefundError.Code.allCases.map { RefundError($0, id, sentence) }
        errors += FamilyError.Code.allCases.map { FamilyError($0, Account.ID(rawValue: 1), sentence) }
        errors += NotificationError.Code.allCases.map { NotificationError($0, "subject", sentence) }
        errors += CatalogEditError.Code.allCases.map { CatalogEditError($0, sentence) }
        errors += ExtensionError.Code.allCases.map { ExtensionError($0, "subject", sentence) }
        errors += FinanceError.Code.allCases.map { FinanceError($0, "subject", sentence) }
        errors += KeyError.Code.allCases.map { KeyError($0, "subject", sentence) }
        errors += PurchaseRefusal.Code.allCases.map { PurchaseRefusal($0, Product.ID(rawValue: "p"), sentence) }
        errors += ContentLibraryError.Code.allCases.map { ContentLibraryError($0, "path", sentence) }
        errors += DeliveryError.Code.allCases.map { DeliveryError($0, "subject", sentence) }
        errors += ReportError.Code.allCases.map { ReportError($0, sentence) }
        errors += CatalogError.Code.allCases.map {
            CatalogError($0, at: CatalogPlace(file: "f", spot: .file), sentence)
        }
        return errors
    }()

    @Test("each code of each refusal has a sentence in the other languages", arguments: Language.allCases)
    func codes(_ language: Language) {
        for error in Self.errors {
            let text = text(RefusalText.text(of: error), in: language)
            #expect(text.contains("an unheard-of reason") == (language == .english), "\(error): \(text)")
            #expect(!text.isEmpty)
        }
    }

    @Test("an unforeseen error is no refusal")
    func unforeseen() {
        struct Surprise: Error {}
        #expect(RefusalText.text(of: Surprise()) == nil)
        #expect(throws: Surprise.self) { _ = try RefusalText.refusal(Surprise()) }
    }

    // MARK: - Decoded fields

    @Test("each meaning of a decoded field, and of its codes, is translated")
    func fields() {
        for name in FieldMeanings.all.keys {
            let isTranslated = [FieldTexts.signed, FieldTexts.receipts, FieldTexts.tokens].contains { $0[name] != nil }
            #expect(isTranslated, "\(name)")
            let texts = Set(Language.allCases.map { text(FieldTexts.meaning(of: name), in: $0) })
            #expect(texts.count == Language.allCases.count, "\(name): \(texts)")
        }
        for note in Set(FieldMeanings.codes.values.flatMap(\.values)) {
            #expect(FieldTexts.names[note] != nil, "\(note)")
        }
        #expect(text(FieldTexts.meaning(of: "expirationIntent"), in: .german).hasPrefix("Der Grund"))
        #expect(FieldTexts.meaning(of: "unheardOf") == .none)
    }
}
