import Perennial

/// Texts about offers, codes and promoted purchases.
enum OfferPhrases {
    static let newOffer = Phrase("New Offer", fr: "Nouvelle offre", pt: "Nova oferta", zh: "新的優惠", de: "Neues Angebot")
    static let noOffers = Phrase(
        "No offers yet.", fr: "Aucune offre.", pt: "Ainda não há ofertas.", zh: "尚無優惠。", de: "Noch keine Angebote.")
    static let noneForType = Phrase(
        "Free subscriptions have no offers.", fr: "Les abonnements gratuits n’ont pas d’offres.",
        pt: "Assinaturas gratuitas não têm ofertas.", zh: "免費訂閱項目沒有優惠。",
        de: "Kostenlose Abonnements haben keine Angebote.")
    static let offerID = Phrase(
        "Offer ID", fr: "Identifiant de l’offre", pt: "ID da oferta", zh: "優惠 ID", de: "Angebots-ID")
    static let offerIDHint = Phrase(
        "Your server and your app name the offer by it. It is never used again.",
        fr: "Votre serveur et votre app désignent l’offre ainsi. Il n’est jamais réutilisé.",
        pt: "Seu servidor e seu app identificam a oferta por ele. Nunca é reutilizado.",
        zh: "你的伺服器和 App 以此識別優惠，不會重複使用。",
        de: "Ihr Server und Ihre App benennen das Angebot damit. Die ID wird nie wieder vergeben.")
    static let noSuchOffer = Phrase(
        "The product has no such offer any more.", fr: "Le produit n’a plus cette offre.",
        pt: "O produto não tem mais essa oferta.", zh: "產品已沒有這項優惠。", de: "Das Produkt hat dieses Angebot nicht mehr.")
    static let onlyEnd = Phrase(
        "Only its end can be changed. For other terms, end it and make another.",
        fr: "Seule sa fin peut changer. Pour d’autres conditions, terminez-la et créez-en une autre.",
        pt: "Só o término pode mudar. Para outras condições, encerre-a e crie outra.",
        zh: "只能更改結束日期。若需其他條件，請結束後另建優惠。",
        de: "Nur sein Ende lässt sich ändern. Für andere Bedingungen beenden Sie es und legen ein neues an.")
    static let onlyPrices = Phrase(
        "Only its price can be changed. Customers who have the offer keep theirs.",
        fr: "Seul son prix peut changer. Les clients qui ont l’offre gardent le leur.",
        pt: "Só o preço pode mudar. Clientes que têm a oferta mantêm o seu.",
        zh: "只能更改價格。已享有此優惠的顧客維持原價。",
        de: "Nur sein Preis lässt sich ändern. Kunden mit dem Angebot behalten ihren.")
    static let onlyPriority = Phrase(
        "The offer has started: only its priority can be changed.",
        fr: "L’offre a commencé\u{202F}: seule sa priorité peut changer.",
        pt: "A oferta já começou: só a prioridade pode mudar.", zh: "優惠已開始，只能更改優先順序。",
        de: "Das Angebot hat begonnen: Nur seine Priorität lässt sich ändern.")
    static let nothingToChange = Phrase(
        "Its terms can’t be changed. End it and make another.",
        fr: "Ses conditions ne changent pas. Terminez-la et créez-en une autre.",
        pt: "As condições não mudam. Encerre-a e crie outra.", zh: "條件無法更改，請結束後另建優惠。",
        de: "Seine Bedingungen lassen sich nicht ändern. Beenden Sie es und legen ein neues an.")
    static let endMeaning = Phrase(
        "Its codes can’t be redeemed any more, for good.", fr: "Ses codes ne pourront plus jamais être utilisés.",
        pt: "Os códigos não poderão mais ser resgatados, nunca mais.", zh: "其代碼將永久無法兌換。",
        de: "Seine Codes lassen sich endgültig nicht mehr einlösen.")
    static let deleteMeaning = Phrase(
        "Customers who have the offer keep it. Its ID and name are never used again.",
        fr: "Les clients qui ont l’offre la gardent. Son identifiant et son nom ne sont jamais réutilisés.",
        pt: "Clientes que têm a oferta a mantêm. O ID e o nome nunca são reutilizados.",
        zh: "已享有此優惠的顧客不受影響。其 ID 與名稱不會重複使用。",
        de: "Kunden mit dem Angebot behalten es. ID und Name werden nie wieder vergeben.")
    static let mode = Phrase("Payment", fr: "Paiement", pt: "Pagamento", zh: "付款方式", de: "Zahlung")
    static let duration = Phrase("Duration", fr: "Durée", pt: "Duração", zh: "期間", de: "Dauer")
    static let count = Phrase(
        "Number of Periods", fr: "Nombre de périodes", pt: "Número de períodos", zh: "期數", de: "Anzahl der Zeiträume")
    static let countHint = Phrase(
        "More than 1 for pay as you go only.", fr: "Plus de 1 pour le paiement à l’utilisation seulement.",
        pt: "Mais de 1 só para pague conforme o uso.", zh: "僅隨用隨付可大於 1。", de: "Mehr als 1 nur bei laufender Zahlung.")
    static let storefronts = Phrase("Storefronts", fr: "Boutiques", pt: "Lojas", zh: "店面", de: "Stores")
    static let days = Phrase("Dates", fr: "Dates", pt: "Datas", zh: "日期", de: "Zeitraum")
    static let starts = Phrase("Start Date", fr: "Date de début", pt: "Data de início", zh: "開始日期", de: "Startdatum")
    static let ends = Phrase("End Date", fr: "Date de fin", pt: "Data de término", zh: "結束日期", de: "Enddatum")
    static let endsHint = Phrase(
        "The day on which it has ended; empty for none.", fr: "Le jour où elle a pris fin\u{202F}; vide pour aucun.",
        pt: "O dia em que já terminou; vazio para nenhum.", zh: "優惠結束的日期，留空表示沒有結束日期。",
        de: "Der Tag, an dem es beendet ist; leer für keinen.")
    static let from = Phrase("from %1", fr: "à partir du %1", pt: "a partir de %1", zh: "自 %1 起", de: "ab %1")
    static let until = Phrase("until %1", fr: "jusqu’au %1", pt: "até %1", zh: "至 %1", de: "bis %1")
    static let active = Phrase("Active", fr: "Active", pt: "Ativa", zh: "使用中", de: "Aktiv")
    static let ended = Phrase("Ended", fr: "Terminée", pt: "Encerrada", zh: "已結束", de: "Beendet")
    static let end = Phrase("End", fr: "Terminer", pt: "Encerrar", zh: "結束", de: "Beenden")
    static let customers = Phrase(
        "Eligible customers", fr: "Clients concernés", pt: "Clientes elegíveis", zh: "符合資格的顧客", de: "Berechtigte Kunden"
    )
    static let stackable = Phrase(
        "After the introductory offer too", fr: "Aussi après l’offre de lancement",
        pt: "Também após a oferta introdutória",
        zh: "可接續推介優惠", de: "Auch nach dem Einführungsangebot")
    static let free = Phrase("Free", fr: "Gratuit", pt: "Grátis", zh: "免費", de: "Kostenlos")
    static let freeIfEmpty = Phrase(
        "In %1; free if empty.", fr: "En %1\u{202F}; gratuit si vide.", pt: "Em %1; grátis se vazio.",
        zh: "以 %1 計價，留空為免費。",
        de: "In %1; kostenlos, wenn leer.")
    static let priceHint = Phrase(
        "In %1. Other storefronts pay the equal price. Empty for a free trial.",
        fr: "En %1. Les autres boutiques appliquent le prix équivalent. Vide pour un essai gratuit.",
        pt: "Em %1. As outras lojas pagam o preço equivalente. Vazio para teste gratuito.",
        zh: "以 %1 計價，其他店面採用等值價格。免費試用請留空。",
        de: "In %1. Andere Stores zahlen den gleichwertigen Preis. Leer für eine kostenlose Probe.")
    static let paidMonths = Phrase(
        "Months paid at least", fr: "Mois payés au moins", pt: "Meses pagos, no mínimo", zh: "至少付費月數",
        de: "Mindestens bezahlte Monate")
    static let monthsSinceEnd = Phrase(
        "Months since the end, at least", fr: "Mois depuis la fin, au moins", pt: "Meses desde o término, no mínimo",
        zh: "結束後至少月數", de: "Monate seit dem Ende, mindestens")
    static let maximumMonthsSinceEnd = Phrase(
        "Months since the end, at most", fr: "Mois depuis la fin, au plus", pt: "Meses desde o término, no máximo",
        zh: "結束後最多月數", de: "Monate seit dem Ende, höchstens")
    static let monthsBetween = Phrase(
        "Months between offers", fr: "Mois entre les offres", pt: "Meses entre ofertas", zh: "優惠間隔月數",
        de: "Monate zwischen Angeboten")
    static let highPriority = Phrase(
        "High priority", fr: "Priorité élevée", pt: "Alta prioridade", zh: "高優先順序", de: "Hohe Priorität")
    static let codes = Phrase(
        "Offer Codes", fr: "Codes d’offre", pt: "Códigos de oferta", zh: "優惠代碼", de: "Angebotscodes")
    static let noCodes = Phrase(
        "No codes of this offer in this environment yet.", fr: "Aucun code de cette offre dans cet environnement.",
        pt: "Ainda não há códigos desta oferta neste ambiente.", zh: "此環境尚無這項優惠的代碼。",
        de: "Noch keine Codes dieses Angebots in dieser Umgebung.")
    static let code = Phrase("Code", fr: "Code", pt: "Código", zh: "代碼", de: "Code")
    static let oneTimeCodes = Phrase(
        "One-Time Codes", fr: "Codes à usage unique", pt: "Códigos de uso único", zh: "一次性代碼", de: "Einmalcodes")
    static let customCode = Phrase(
        "Custom Code", fr: "Code personnalisé", pt: "Código personalizado", zh: "自訂代碼", de: "Eigener Code")
    static let codeCount = Phrase(
        "Number of Codes", fr: "Nombre de codes", pt: "Número de códigos", zh: "代碼數量", de: "Anzahl der Codes")
    static let expires = Phrase("Expires", fr: "Expire", pt: "Expira", zh: "到期", de: "Läuft ab")
    static let maximumRedemptions = Phrase(
        "Redemptions at Most", fr: "Utilisations au plus", pt: "Resgates, no máximo", zh: "兌換次數上限",
        de: "Einlösungen höchstens")
    static let createCodes = Phrase(
        "Create Codes", fr: "Créer des codes", pt: "Criar códigos", zh: "建立代碼", de: "Codes anlegen")
    static let deactivate = Phrase("Deactivate", fr: "Désactiver", pt: "Desativar", zh: "停用", de: "Deaktivieren")
    static let codesCreated = Phrase(
        "The codes are ready.", fr: "Les codes sont prêts.", pt: "Os códigos estão prontos.", zh: "代碼已準備就緒。",
        de: "Die Codes sind bereit.")
    static let createdBy = Phrase("Created by", fr: "Créé par", pt: "Criado por", zh: "建立者", de: "Angelegt von")
    static let noOffer = Phrase(
        "The product has no offer “%1” for codes.",
        fr: "Le produit n’a pas d’offre «\u{202F}%1\u{202F}» pour des codes.",
        pt: "O produto não tem a oferta “%1” para códigos.", zh: "此產品沒有可用於代碼的優惠「%1」。",
        de: "Das Produkt hat kein Angebot „%1“ für Codes.")
    static let promoted = Phrase(
        "Promoted In-App Purchases", fr: "Achats intégrés mis en avant", pt: "Compras Dentro do App promovidas",
        zh: "推廣的 App 內購買項目",
        de: "Beworbene In-App-Käufe")
    static let promotedMeaning = Phrase(
        "Customers see them on the app’s page of the App Store, in this order; %1 at most.",
        fr: "Les clients les voient sur la page de l’app dans l’App Store, dans cet ordre\u{202F}; %1 au plus.",
        pt: "Os clientes os veem na página do app na App Store, nesta ordem; no máximo %1.",
        zh: "顧客會依此順序在 App Store 的 App 頁面看到，最多 %1 個。",
        de: "Kunden sehen sie auf der Seite der App im App Store, in dieser Reihenfolge; höchstens %1.")
    static let noPromoted = Phrase(
        "Nothing is promoted yet.", fr: "Rien n’est mis en avant.", pt: "Nada é promovido ainda.", zh: "尚無推廣項目。",
        de: "Noch nichts wird beworben.")
    static let visible = Phrase(
        "Visible to all", fr: "Visible par tous", pt: "Visível para todos", zh: "所有人可見", de: "Für alle sichtbar")
    static let hidden = Phrase(
        "Hidden by default", fr: "Masqué par défaut", pt: "Oculto por padrão", zh: "預設隱藏", de: "Standardmäßig verborgen"
    )
    static let promote = Phrase("Promote", fr: "Mettre en avant", pt: "Promover", zh: "推廣", de: "Bewerben")
}

extension Offer.Eligibility {
    var phrase: Phrase {
        switch self {
        case .new: Phrase("New", fr: "Nouveaux", pt: "Novos", zh: "新訂閱者", de: "Neue")
        case .existing: Phrase("Existing", fr: "Actuels", pt: "Atuais", zh: "現有訂閱者", de: "Bestehende")
        case .expired: Phrase("Expired", fr: "Expirés", pt: "Expirados", zh: "已到期訂閱者", de: "Abgelaufene")
        }
    }
}

extension OneTimeOffer.Eligibility {
    var phrase: Phrase {
        switch self {
        case .nonSpender:
            Phrase("Non-spenders", fr: "N’ont jamais payé", pt: "Nunca pagaram", zh: "未消費者", de: "Haben nie bezahlt")
        case .activeSpender:
            Phrase(
                "Active spenders", fr: "Ont payé récemment", pt: "Pagaram recentemente", zh: "近期消費者",
                de: "Haben kürzlich bezahlt")
        case .churnedSpender:
            Phrase(
                "Churned spenders", fr: "Ne paient plus", pt: "Deixaram de pagar", zh: "流失消費者", de: "Zahlen nicht mehr")
        }
    }
}
