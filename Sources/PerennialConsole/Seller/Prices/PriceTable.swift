import Perennial

/// Tables of prices with the seller's proceeds.
struct PriceTable: Sendable {
    let app: App
    let type: ProductType
    let now: Instant
    let language: Language

    init(_ product: Product, in app: App, _ request: PageRequest) {
        (self.app, type, now, language) = (app, product.type, request.now, request.language)
    }

    /// - Parameter path: Returns the page on which a storefront's price is changed.
    func table(_ prices: [(Storefront, PriceInterval)], path: ((Storefront) -> String)?) -> Table {
        Table(
            caption: .phrase(PricePhrases.prices),
            columns: [
                Table.Column(.phrase(Words.storefront), .leading, .primary),
                Table.Column(.phrase(Words.price), .trailing, .primary),
            ] + proceedsColumns + [
                Table.Column(.phrase(PricePhrases.from)),
                Table.Column(
                    .phrase(PricePhrases.origin), .leading, .wideOnly, definition: .phrase(PricePhrases.originMeaning)),
            ],
            rows: prices.map { storefront, interval in
                Table.Row(
                    [
                        Cell(.storefront(storefront, language), path: path?(storefront)),
                        Cell(.money(interval.price)),
                    ] + proceeds(of: interval.price, in: storefront) + [
                        start(of: interval),
                        Cell(.phrase(interval.isManual ? PricePhrases.manual : PricePhrases.automatic)),
                    ])
            })
    }

    /// The columns of ``proceeds(of:in:)``. The commission falls after a year for auto-renewable subscriptions only.
    var proceedsColumns: [Table.Column] {
        func column(_ name: Phrase, _ place: Table.Column.Place, _ meaning: Phrase) -> Table.Column {
            Table.Column(.phrase(name), .trailing, place, definition: .phrase(meaning))
        }
        guard type == .autoRenewable else {
            return [column(Words.proceeds, .secondary, PricePhrases.proceedsMeaning)]
        }
        return [
            column(PricePhrases.proceeds, .secondary, PricePhrases.proceedsMeaning),
            column(PricePhrases.proceedsAfterOneYear, .wideOnly, PricePhrases.proceedsAfterOneYearMeaning),
        ]
    }

    func proceeds(of price: Money, in storefront: Storefront) -> [Cell] {
        let proceeds = app.saleTerms.proceeds(of: price, in: storefront)
        let amounts = type == .autoRenewable ? [proceeds.standard, proceeds.afterOneYear] : [proceeds.standard]
        return amounts.map { Cell(.money($0)) }
    }

    private func start(of interval: PriceInterval) -> Cell {
        guard let start = interval.start else { return Cell(.phrase(PricePhrases.beginning)) }
        return Cell(.exact(start), status: start > now ? .neutral : nil)
    }
}

/// Texts about prices.
enum PricePhrases {
    static let prices = Phrase("Prices", fr: "Prix", pt: "Preços", zh: "價格", de: "Preise")
    static let noPrice = Phrase(
        "No price yet.", fr: "Aucun prix pour l’instant.", pt: "Ainda não há preço.", zh: "尚未設定價格。",
        de: "Noch kein Preis.")
    static let proceeds = Phrase(
        "Proceeds, Year 1", fr: "Revenus, 1re année", pt: "Receitas, 1º ano", zh: "收益（第一年）", de: "Erlöse, 1. Jahr")
    static let proceedsMeaning = Phrase(
        "The price less tax and Apple’s commission.", fr: "Le prix moins les taxes et la commission d’Apple.",
        pt: "O preço menos impostos e a comissão da Apple.", zh: "價格扣除稅金與 Apple 佣金。",
        de: "Preis abzüglich Steuer und Apples Provision.")
    static let proceedsAfterOneYear = Phrase(
        "Proceeds After 1 Year", fr: "Revenus après 1 an", pt: "Receitas após 1 ano", zh: "收益（一年後）",
        de: "Erlöse nach 1 Jahr")
    static let proceedsAfterOneYearMeaning = Phrase(
        "From renewals of subscribers after one year of paid service, with the lower commission.",
        fr: "Des renouvellements d’abonnés après un an de service payé, avec la commission réduite.",
        pt: "De renovações de assinantes após um ano de serviço pago, com a comissão menor.",
        zh: "訂閱者累積一年付費服務後續訂的收益，適用較低佣金。",
        de: "Aus Verlängerungen nach einem Jahr bezahltem Dienst, mit der niedrigeren Provision.")
    static let from = Phrase("From", fr: "À partir de", pt: "A partir de", zh: "生效時間", de: "Ab")
    static let beginning = Phrase(
        "The beginning", fr: "Le début", pt: "O início", zh: "開始販售時", de: "Beginn")
    static let origin = Phrase("Set", fr: "Fixation", pt: "Definição", zh: "設定方式", de: "Festlegung")
    static let originMeaning = Phrase(
        "Automatic prices follow the base storefront’s.",
        fr: "Les prix automatiques suivent celui de la boutique de base.",
        pt: "Preços automáticos seguem o da loja base.", zh: "自動價格會隨基準店面調整。",
        de: "Automatische Preise folgen dem des Basis-Stores.")
    static let manual = Phrase("Manually", fr: "Manuelle", pt: "Manual", zh: "手動", de: "Manuell")
    static let automatic = Phrase("Automatically", fr: "Automatique", pt: "Automática", zh: "自動", de: "Automatisch")
    static let change = Phrase(
        "Change Price", fr: "Modifier le prix", pt: "Alterar preço", zh: "更改價格", de: "Preis ändern")
    static let points = Phrase(
        "Price Points", fr: "Paliers de prix", pt: "Faixas de preço", zh: "價格級距", de: "Preispunkte")
    static let point = Phrase("Price Point", fr: "Palier", pt: "Faixa", zh: "級距", de: "Preispunkt")
    static let equal = Phrase(
        "Equal Prices", fr: "Prix équivalents", pt: "Preços equivalentes", zh: "等值價格", de: "Gleichwertige Preise")
    static let onRequest = Phrase("On request", fr: "Sur demande", pt: "Sob solicitação", zh: "須申請", de: "Auf Anfrage")
    static let scheduled = Phrase(
        "Scheduled Changes", fr: "Modifications planifiées", pt: "Alterações agendadas", zh: "已排定的變更",
        de: "Geplante Änderungen")
    static let noneScheduled = Phrase(
        "No change is scheduled.", fr: "Aucune modification planifiée.", pt: "Nenhuma alteração agendada.",
        zh: "沒有已排定的變更。",
        de: "Keine Änderung geplant.")
    static let base = Phrase(
        "Base price (%1)", fr: "Prix de base (%1)", pt: "Preço base (%1)", zh: "基準價格（%1）", de: "Basispreis (%1)")
    static let cancel = Phrase("Cancel", fr: "Annuler", pt: "Cancelar", zh: "取消", de: "Abbrechen")
    static let cancelAll = Phrase(
        "Cancel all of this date", fr: "Tout annuler pour cette date", pt: "Cancelar tudo desta data", zh: "取消此日期的所有變更",
        de: "Alle dieses Datums abbrechen")
    static let cancelled = Phrase(
        "The scheduled change was cancelled.", fr: "La modification planifiée a été annulée.",
        pt: "A alteração agendada foi cancelada.", zh: "已取消排定的變更。", de: "Die geplante Änderung wurde abgebrochen.")
    static let subscribers = Phrase(
        "Current subscribers", fr: "Abonnés actuels", pt: "Assinantes atuais", zh: "現有訂閱者", de: "Bisherige Abonnenten")
    static let preserve = Phrase(
        "Current subscribers keep their price", fr: "Les abonnés actuels conservent leur prix",
        pt: "Assinantes atuais mantêm o preço", zh: "現有訂閱者維持原價", de: "Bisherige Abonnenten behalten ihren Preis")
    static let consent = Phrase(
        "Consent to an Increase", fr: "Accord pour une hausse", pt: "Consentimento para aumento", zh: "漲價同意",
        de: "Zustimmung zur Erhöhung")
    static let consentByRule = Phrase(
        "By Apple’s rules", fr: "Selon les règles d’Apple", pt: "Pelas regras da Apple", zh: "依 Apple 規則",
        de: "Nach Apples Regeln")
    static let equalize = Phrase(
        "Set the equal price in all other storefronts too",
        fr: "Fixer aussi le prix équivalent dans les autres boutiques",
        pt: "Definir também o preço equivalente nas outras lojas", zh: "其他店面也設定等值價格",
        de: "Auch in allen anderen Stores den gleichwertigen Preis setzen")
    static let date = Phrase("Date", fr: "Date", pt: "Data", zh: "日期", de: "Datum")
    static let dateHint = Phrase(
        "By the store’s clock, in UTC; at once if empty.",
        fr: "Selon l’horloge du store, en UTC\u{202F}; tout de suite si vide.",
        pt: "Pelo relógio da loja, em UTC; imediatamente se vazio.", zh: "以商店時鐘（UTC）為準，留空則立即生效。",
        de: "Nach der Uhr des Stores, in UTC; sofort, wenn leer.")
    static let preview = Phrase("Preview", fr: "Aperçu", pt: "Pré-visualizar", zh: "預覽", de: "Vorschau")
    static let confirm = Phrase(
        "Change the Price", fr: "Modifier le prix", pt: "Alterar o preço", zh: "確認更改價格", de: "Preis ändern")
    static let changed = Phrase(
        "The price is changed.", fr: "Le prix est modifié.", pt: "O preço foi alterado.", zh: "價格已更改。",
        de: "Der Preis ist geändert.")
    static let willChange = Phrase(
        "The price changes on %1.", fr: "Le prix change le %1.", pt: "O preço muda em %1.", zh: "價格將於 %1 變更。",
        de: "Der Preis ändert sich am %1.")
    static let touches = Phrase(
        "%1 subscribers: %2 pay less, %3 are told of the increase, %4 must agree or their subscription ends, %5 keep their price.",
        fr:
            "%1 abonnés\u{202F}: %2 paient moins, %3 sont informés de la hausse, %4 doivent l’accepter sinon leur abonnement prend fin, %5 conservent leur prix.",
        pt:
            "%1 assinantes: %2 pagam menos, %3 são avisados do aumento, %4 precisam aceitar ou a assinatura termina, %5 mantêm o preço.",
        zh: "%1 位訂閱者：%2 位付費減少，%3 位會收到漲價通知，%4 位須同意否則訂閱將終止，%5 位維持原價。",
        de:
            "%1 Abonnenten: %2 zahlen weniger, %3 werden über die Erhöhung informiert, %4 müssen zustimmen, sonst endet ihr Abo, %5 behalten ihren Preis."
    )
    static let previous = Phrase("Before", fr: "Avant", pt: "Antes", zh: "原價", de: "Vorher")
    static let storefrontHint = Phrase(
        "Storefronts without their own price follow the base price.",
        fr: "Les boutiques sans prix propre suivent le prix de base.",
        pt: "Lojas sem preço próprio seguem o preço base.",
        zh: "未單獨定價的店面採用基準價格。", de: "Stores ohne eigenen Preis folgen dem Basispreis.")
}
