/// The words of explanations.
enum ExplainPhrases {
    static let title = Phrase("Explain", fr: "Expliquer", pt: "Explicar", zh: "說明", de: "Erklären")
    static let figure = Phrase("Figure", fr: "Chiffre", pt: "Número", zh: "數字", de: "Zahl")
    static let inReport = Phrase(
        "In the report", fr: "Dans le rapport", pt: "No relatório", zh: "報告中", de: "Im Bericht")
    static let inReportDefinition = Phrase(
        "The figure as the roll-ups of reports have it.",
        fr: "Le chiffre tel que l’ont les cumuls des rapports.",
        pt: "O número como os totais dos relatórios o têm.",
        zh: "報告彙總中的數字。", de: "Die Zahl, wie die Summen der Berichte sie haben.")
    static let entries = Phrase(
        "Journal entries", fr: "Écritures du journal", pt: "Lançamentos do diário", zh: "日誌記錄", de: "Journaleinträge")
    static let entry = Phrase("Entry", fr: "Écriture", pt: "Lançamento", zh: "記錄", de: "Eintrag")
    static let event = Phrase("Event", fr: "Événement", pt: "Evento", zh: "事件", de: "Ereignis")
    static let postings = Phrase("Postings", fr: "Imputations", pt: "Partidas", zh: "分錄", de: "Buchungen")
    static let rules = Phrase("Rules", fr: "Règles", pt: "Regras", zh: "規則", de: "Regeln")
    static let adds = Phrase("Adds", fr: "Ajoute", pt: "Soma", zh: "計入", de: "Trägt bei")
    static let days = Phrase("Days", fr: "Jours", pt: "Dias", zh: "日期", de: "Tage")
    static let region = Phrase("Region", fr: "Région", pt: "Região", zh: "地區", de: "Region")
    static let noEntries = Phrase(
        "No journal entry adds to this figure.", fr: "Aucune écriture du journal ne contribue à ce chiffre.",
        pt: "Nenhum lançamento do diário entra neste número.", zh: "沒有日誌記錄計入此數字。",
        de: "Kein Journaleintrag trägt zu dieser Zahl bei.")
    static let noneHere = Phrase(
        "None of the entries looked at so far adds to this figure. The next page looks further.",
        fr: "Aucune des écritures examinées jusqu’ici ne contribue à ce chiffre. La page suivante cherche plus loin.",
        pt: "Nenhum dos lançamentos examinados até agora entra neste número. A próxima página procura adiante.",
        zh: "目前檢視的記錄均未計入此數字，下一頁會繼續查找。",
        de: "Keiner der bisher angesehenen Einträge trägt zu dieser Zahl bei. Die nächste Seite sucht weiter.")
    static let agrees = Phrase(
        "The journal confirms the report", fr: "Le journal confirme le rapport", pt: "O diário confirma o relatório",
        zh: "日誌與報告一致", de: "Das Journal bestätigt den Bericht")
    static let counted = Phrase(
        "%1 entries add up to %2.", fr: "%1 écritures totalisent %2.", pt: "%1 lançamentos somam %2.",
        zh: "%1 筆記錄合計 %2。", de: "%1 Einträge ergeben %2.")
    static let differs = Phrase(
        "The report has %1, the journal %2. Entries of the last seconds may be missing in the report.",
        fr: "Le rapport indique %1, le journal %2. Les écritures des dernières secondes manquent peut-être au rapport.",
        pt: "O relatório tem %1, o diário %2. Podem faltar no relatório os lançamentos dos últimos segundos.",
        zh: "報告為 %1，日誌為 %2。報告可能缺少最近數秒的記錄。",
        de: "Der Bericht hat %1, das Journal %2. Im Bericht können die Einträge der letzten Sekunden fehlen.")
    static let check = Phrase(
        "Compare with the whole journal", fr: "Comparer avec tout le journal", pt: "Comparar com todo o diário",
        zh: "與完整日誌比對", de: "Mit dem ganzen Journal vergleichen")
    static let listEntries = Phrase(
        "List the entries", fr: "Lister les écritures", pt: "Listar os lançamentos", zh: "列出記錄",
        de: "Einträge auflisten")
    static let reads = Phrase(
        "Reads the journal of the subscriptions and customers of the day: seconds with a million transactions.",
        fr:
            "Lit le journal des abonnements et des clients du jour : quelques secondes pour un million de transactions.",
        pt: "Lê o diário das assinaturas e dos clientes do dia: segundos com um milhão de transações.",
        zh: "讀取當日訂閱與顧客的日誌：一百萬筆交易需數秒。",
        de: "Liest das Journal der Abonnements und Kunden des Tages: Sekunden bei einer Million Transaktionen.")
    static let statistic = Phrase("Statistic", fr: "Statistique", pt: "Estatística", zh: "統計", de: "Statistik")
    static let change = Phrase(
        "On the day", fr: "Ce jour-là", pt: "No dia", zh: "當日", de: "An dem Tag")
    static let unknownFigure = Phrase(
        "This address names no figure. Each figure of a page leads here with its own.",
        fr: "Cette adresse ne désigne aucun chiffre. Chaque chiffre d’une page mène ici avec la sienne.",
        pt: "Este endereço não indica nenhum número. Cada número de uma página leva para cá com o seu.",
        zh: "此網址未指定數字。頁面上的每個數字都有連到這裡的網址。",
        de: "Diese Adresse nennt keine Zahl. Jede Zahl einer Seite führt mit ihrer eigenen hierher.")
}
