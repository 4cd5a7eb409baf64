/// The words of customers' pages.
enum CustomerPhrases {
    static let prefix = Phrase(
        "Name begins with", fr: "Le nom commence par", pt: "O nome começa com", zh: "名稱開頭為", de: "Name beginnt mit")
    static let payment = Phrase(
        "Payment method", fr: "Mode de paiement", pt: "Forma de pagamento", zh: "付款方式", de: "Zahlungsmethode")
    static let created = Phrase("Created", fr: "Créé", pt: "Criação", zh: "建立時間", de: "Angelegt")
    static let valid = Phrase("Valid", fr: "Valide", pt: "Válida", zh: "有效", de: "Gültig")
    static let declined = Phrase("Declined", fr: "Refusé", pt: "Recusada", zh: "遭拒", de: "Abgelehnt")
    static let mayNotBuy = Phrase(
        "May not buy", fr: "Achats interdits", pt: "Não pode comprar", zh: "不可購買", de: "Darf nicht kaufen")
    static let noCustomers = Phrase(
        "No customer yet. The first purchase creates one.",
        fr: "Aucun client pour l’instant. Le premier achat en crée un.",
        pt: "Nenhum cliente ainda. A primeira compra cria um.", zh: "尚無顧客。首次購買時便會建立。",
        de: "Noch keine Kunden. Der erste Kauf legt einen an.")
    static let noneNamed = Phrase(
        "No customer’s name begins so.", fr: "Aucun client n’a un nom qui commence ainsi.",
        pt: "Nenhum nome de cliente começa assim.", zh: "沒有名稱如此開頭的顧客。",
        de: "Kein Kunde hat einen Namen, der so beginnt.")

    // MARK: What is open

    static let accessUntil = Phrase(
        "Access until", fr: "Accès jusqu’au", pt: "Acesso até", zh: "使用期限", de: "Zugang bis")
    static let accessUntilMeaning = Phrase(
        "The end of the last paid or granted period of any subscription.",
        fr: "La fin de la dernière période payée ou accordée d’un abonnement.",
        pt: "O fim do último período pago ou concedido de uma assinatura.", zh: "任一訂閱最後一個已付款或獲贈期間的結束時間。",
        de: "Das Ende des letzten bezahlten oder gewährten Zeitraums eines Abonnements.")
    static let nextCharge = Phrase(
        "Next charge", fr: "Prochain prélèvement", pt: "Próxima cobrança", zh: "下次扣款", de: "Nächste Abbuchung")
    static let nextChargeMeaning = Phrase(
        "The next renewal: its price and its date.", fr: "Le prochain renouvellement : son prix et sa date.",
        pt: "A próxima renovação: preço e data.", zh: "下次續訂的價格與日期。",
        de: "Die nächste Verlängerung: Preis und Datum.")
    static let unfinished = Phrase(
        "Unfinished transactions", fr: "Transactions non terminées", pt: "Transações não concluídas", zh: "未完成的交易",
        de: "Nicht abgeschlossene Transaktionen")
    static let unfinishedMeaning = Phrase(
        "Sold, but not yet finished by the app: it is offered them again at each start.",
        fr: "Vendues, mais pas encore terminées par l’app : elles lui sont proposées à chaque lancement.",
        pt: "Vendidas, mas ainda não concluídas pelo app: são oferecidas de novo a cada início.",
        zh: "已售出但 App 尚未完成：每次啟動時都會再次提供。",
        de: "Verkauft, aber von der App noch nicht abgeschlossen: Sie werden ihr bei jedem Start wieder angeboten.")
    static let none = Phrase("None", fr: "Aucune", pt: "Nenhuma", zh: "無", de: "Keine")
    static let waiting = Phrase(
        "Waiting purchases", fr: "Achats en attente", pt: "Compras em espera", zh: "等待中的購買",
        de: "Wartende Käufe")
    static let approve = Phrase("Approve", fr: "Approuver", pt: "Aprovar", zh: "批准", de: "Genehmigen")
    static let decline = Phrase("Decline", fr: "Refuser", pt: "Recusar", zh: "拒絕", de: "Ablehnen")
    static let devices = Phrase("Devices", fr: "Appareils", pt: "Dispositivos", zh: "裝置", de: "Geräte")
    static let device = Phrase("Device", fr: "Appareil", pt: "Dispositivo", zh: "裝置", de: "Gerät")
    static let version = Phrase(
        "App version", fr: "Version de l’app", pt: "Versão do app", zh: "App 版本", de: "App-Version")
    static let signedIn = Phrase(
        "Last sign-in", fr: "Dernière connexion", pt: "Último acesso", zh: "上次登入", de: "Letzte Anmeldung")
    static let removed = Phrase(
        "App removed", fr: "App supprimée", pt: "App removido", zh: "已移除 App", de: "App entfernt")
    static let installed = Phrase("Installed", fr: "Installée", pt: "Instalado", zh: "已安裝", de: "Installiert")

    // MARK: Timeline

    static let timeline = Phrase("Timeline", fr: "Chronologie", pt: "Linha do tempo", zh: "時間軸", de: "Verlauf")
    static let older = Phrase(
        "Older events", fr: "Événements plus anciens", pt: "Eventos mais antigos", zh: "較早的事件", de: "Ältere Ereignisse")
    static let newest = Phrase(
        "Newest events", fr: "Événements les plus récents", pt: "Eventos mais recentes", zh: "最新的事件",
        de: "Neueste Ereignisse")
    static let noEvents = Phrase(
        "Nothing has happened in this app yet.", fr: "Rien ne s’est encore passé dans cette app.",
        pt: "Nada aconteceu neste app ainda.", zh: "此 App 中尚無任何事件。", de: "In dieser App ist noch nichts geschehen.")
    static let posting = Phrase("Posting", fr: "Écriture", pt: "Lançamento", zh: "分錄", de: "Buchung")
    static let notSent = Phrase(
        "not sent yet", fr: "pas encore envoyée", pt: "ainda não enviada", zh: "尚未傳送", de: "noch nicht gesendet")
}
