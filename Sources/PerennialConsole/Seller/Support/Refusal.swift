import Perennial
import PerennialStore

/// The refusal of a form: what would be right, at the field it belongs to.
struct Refusal: Error, Sendable {
    /// The name of the field; `nil` for the form as a whole.
    var field: String?
    var text: Text
    /// True if another writer was first.
    var isConflict = false

    init(_ field: String?, _ text: Text) {
        (self.field, self.text) = (field, text)
    }

    init(_ field: String?, _ phrase: Phrase) {
        self.init(field, .phrase(phrase))
    }

    /// The refusal of the second of two writers.
    static var conflict: Refusal {
        var refusal = Refusal(nil, RefusalPhrases.changedMeanwhile)
        refusal.isConflict = true
        return refusal
    }

    /// Returns the refusal that an error of a use case is; `nil` for other errors.
    init?(_ error: any Error) {
        switch error {
        case let refusal as Refusal: self = refusal
        case let error as CatalogEditError where error.code != .notFound: self.init(error)
        case let error as StoreError where Self.codesOfFields.contains(error.code):
            self.init(error.code == .offerCodeExists ? "code" : error.subject, Self.text(of: error))
        default: return nil
        }
    }

    private static let codesOfFields: Set<StoreError.Code> = [.malformed, .offerCodeExists, .storefrontUnknown]

    private static func text(of error: StoreError) -> Text {
        switch error.code {
        case .offerCodeExists: .phrase(RefusalPhrases.usedAlready)
        case .storefrontUnknown: .phrase(RefusalPhrases.unknownStorefront, .data(error.subject))
        default: RefusalText.text(error.reason, otherwise: error.code.phrase)
        }
    }

    private init(_ error: CatalogEditError) {
        let place: String? =
            switch error.place {
            case .attribute(let name), .relationship(let name), .includedAttribute(_, let name),
                .includedRelationship(_, let name):
                name
            case .none: nil
            }
        self.init(place, Self.text(of: error))
        isConflict = error.code == .changedMeanwhile
    }

    private static func text(of error: CatalogEditError) -> Text {
        guard error.associated.isEmpty else { return RefusalText.reasons(of: error) }
        return switch (error.code, error.place.description) {
        case (.required, _), (.relationshipRequired, _): .phrase(RefusalPhrases.needed)
        case (.duplicate, "productId"): .phrase(RefusalPhrases.productIDUsed)
        case (.duplicate, _): .phrase(RefusalPhrases.usedAlready)
        case (.invalid, "productId"):
            .phrase(RefusalPhrases.malformedID, .number(ProductValidation.maximumIdentifierLength))
        case (.changedMeanwhile, _): .phrase(RefusalPhrases.changedMeanwhile)
        default: RefusalText.reasons(of: error)
        }
    }
}

/// The texts of refusals.
enum RefusalPhrases {
    static let needed = Phrase(
        "Please enter a value.", fr: "Veuillez saisir une valeur.", pt: "Informe um valor.", zh: "請輸入內容。",
        de: "Bitte geben Sie einen Wert ein.")
    static let tooLong = Phrase(
        "At most %1 characters; this has %2.", fr: "%1 caractères au plus\u{202F}; il y en a %2.",
        pt: "No máximo %1 caracteres; há %2.", zh: "最多 %1 個字元，目前有 %2 個。",
        de: "Höchstens %1 Zeichen; es sind %2.")
    static let usedAlready = Phrase(
        "This is used already.", fr: "Cette valeur est déjà utilisée.", pt: "Já está em uso.", zh: "已被使用。",
        de: "Das wird schon verwendet.")
    static let productIDUsed = Phrase(
        "Another product has or had this product ID. Product IDs are never used again.",
        fr: "Un autre produit a ou avait cet identifiant. Un identifiant de produit n’est jamais réutilisé.",
        pt: "Outro produto tem ou teve este ID. IDs de produto nunca são reutilizados.",
        zh: "此產品 ID 正由或曾由其他產品使用。產品 ID 不會重複使用。",
        de: "Ein anderes Produkt hat oder hatte diese Produkt-ID. Produkt-IDs werden nie wieder vergeben.")
    static let malformedID = Phrase(
        "Letters, digits, periods, underscores and hyphens without accents, first a letter or digit, at most %1.",
        fr:
            "Lettres sans accent, chiffres, points, tirets et traits de soulignement\u{202F}; d’abord une lettre ou un chiffre\u{202F}; %1 au plus.",
        pt: "Letras sem acento, números, pontos, sublinhados e hifens; primeiro uma letra ou um número; no máximo %1.",
        zh: "限英文字母、數字、句點、底線和連字號，開頭須為字母或數字，最多 %1 個字元。",
        de:
            "Buchstaben ohne Umlaute, Ziffern, Punkte, Unter- und Bindestriche; zuerst ein Buchstabe oder eine Ziffer; höchstens %1."
    )
    static let changedMeanwhile = Phrase(
        "Another writer changed this after you opened the page. Your entries are kept: compare them with the history, then save again to replace the other values.",
        fr:
            "Une autre personne a modifié ceci après l’ouverture de la page. Vos saisies sont conservées\u{202F}: comparez-les avec l’historique, puis enregistrez à nouveau pour remplacer les autres valeurs.",
        pt:
            "Outra pessoa alterou isto depois que você abriu a página. O que você digitou foi mantido: compare com o histórico e salve de novo para substituir os outros valores.",
        zh: "在你開啟此頁面後，已有其他人做了更動。你輸入的內容仍保留：請與歷程記錄比較，再次儲存即會取代其他值。",
        de:
            "Jemand anderes hat das geändert, nachdem Sie die Seite geöffnet haben. Ihre Eingaben bleiben: Vergleichen Sie sie mit dem Verlauf und sichern Sie erneut, um die anderen Werte zu ersetzen."
    )
    static let changedBeforeAction = Phrase(
        "Another writer changed this after you opened the page. Nothing was done: check the values as they are now, then do it again.",
        fr:
            "Une autre personne a modifié ceci après l’ouverture de la page. Rien n’a été fait\u{202F}: vérifiez les valeurs actuelles, puis recommencez.",
        pt:
            "Outra pessoa alterou isto depois que você abriu a página. Nada foi feito: confira os valores atuais e repita a ação.",
        zh: "在你開啟此頁面後，已有其他人做了更動。此操作並未執行：請查看目前的值，再重新操作。",
        de:
            "Jemand anderes hat das geändert, nachdem Sie die Seite geöffnet haben. Es ist nichts geschehen: Sehen Sie sich die jetzigen Werte an und wiederholen Sie es dann."
    )
    static let unknownStorefront = Phrase(
        "“%1” is no storefront: choose one such as USA.",
        fr: "«\u{202F}%1\u{202F}» n’est pas une boutique\u{202F}: choisissez-en une, comme USA.",
        pt: "“%1” não é uma loja: escolha uma como USA.", zh: "「%1」不是店面代碼，請選擇例如 USA。",
        de: "„%1“ ist kein Store: Wählen Sie einen wie USA.")
    static let price = Phrase(
        "Enter an amount such as 4.99, in %1.", fr: "Saisissez un montant comme 4.99, en %1.",
        pt: "Informe um valor como 4.99, em %1.", zh: "請輸入金額，例如 4.99（%1）。",
        de: "Geben Sie einen Betrag wie 4.99 ein, in %1.")
    static let number = Phrase(
        "Enter a whole number.", fr: "Saisissez un nombre entier.", pt: "Informe um número inteiro.", zh: "請輸入整數。",
        de: "Geben Sie eine ganze Zahl ein.")
    static let day = Phrase(
        "Enter a day such as 2027-01-31.", fr: "Saisissez un jour comme 2027-01-31.",
        pt: "Informe um dia como 2027-01-31.", zh: "請輸入日期，例如 2027-01-31。",
        de: "Geben Sie einen Tag wie 2027-01-31 ein.")
    static let word = Phrase(
        "Type “%1” to confirm.", fr: "Saisissez «\u{202F}%1\u{202F}» pour confirmer.",
        pt: "Digite “%1” para confirmar.",
        zh: "請輸入「%1」以確認。", de: "Geben Sie zur Bestätigung „%1“ ein.")
    static let file = Phrase(
        "Choose a file.", fr: "Choisissez un fichier.", pt: "Escolha um arquivo.", zh: "請選擇檔案。",
        de: "Wählen Sie eine Datei.")
    static let choice = Phrase(
        "Choose one of the values.", fr: "Choisissez l’une des valeurs.", pt: "Escolha um dos valores.",
        zh: "請從選項中選擇。", de: "Wählen Sie einen der Werte.")
}
