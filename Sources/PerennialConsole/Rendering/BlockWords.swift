/// The words that blocks bring along.
enum BlockWords {
    static let copy = Phrase("Copy", fr: "Copier", pt: "Copiar", zh: "拷貝", de: "Kopieren")
    static let copied = Phrase("Copied", fr: "Copié", pt: "Copiado", zh: "已拷貝", de: "Kopiert")
    static let same = Phrase(
        "The same by command", fr: "La même action en commande", pt: "O mesmo por comando", zh: "以指令執行相同操作",
        de: "Dasselbe als Befehl")
    static let commandLine = Phrase(
        "Command line", fr: "Ligne de commande", pt: "Linha de comando", zh: "指令列", de: "Befehlszeile")
    static let apiCall = Phrase("API call", fr: "Appel d’API", pt: "Chamada de API", zh: "API 呼叫", de: "API-Aufruf")
    static let next = Phrase("Next page", fr: "Page suivante", pt: "Próxima página", zh: "下一頁", de: "Nächste Seite")
    static let first = Phrase("First page", fr: "Première page", pt: "Primeira página", zh: "第一頁", de: "Erste Seite")
    static let pages = Phrase("Pages", fr: "Pages", pt: "Páginas", zh: "頁面", de: "Seiten")
    static let readsOn = Phrase(
        "Nothing fits in the rows that this page has read. The next page reads on.",
        fr: "Rien ne correspond dans les lignes lues par cette page. La page suivante poursuit la lecture.",
        pt: "Nada corresponde nas linhas lidas por esta página. A próxima página continua a leitura.",
        zh: "此頁讀取的資料列中沒有符合的項目。下一頁會繼續讀取。",
        de: "In den Zeilen, die diese Seite gelesen hat, passt nichts. Die nächste Seite liest weiter.")
    static let details = Phrase("Details", fr: "Détails", pt: "Detalhes", zh: "詳細資訊", de: "Details")
    static let actions = Phrase("Actions", fr: "Actions", pt: "Ações", zh: "動作", de: "Aktionen")
    static let figures = Phrase(
        "Figures of the chart", fr: "Chiffres du graphique", pt: "Valores do gráfico", zh: "圖表數據",
        de: "Zahlen des Diagramms")
    static let meaning = Phrase(
        "What is this?", fr: "Qu’est-ce que c’est ?", pt: "O que é isto?", zh: "這是什麼？", de: "Was ist das?")
    static let filter = Phrase("Filter", fr: "Filtrer", pt: "Filtrar", zh: "篩選", de: "Filtern")
    static let apply = Phrase("Apply", fr: "Appliquer", pt: "Aplicar", zh: "套用", de: "Anwenden")
    static let confirmation = Phrase(
        "Type “%1” to confirm", fr: "Saisissez « %1 » pour confirmer", pt: "Digite “%1” para confirmar",
        zh: "輸入「%1」以確認", de: "Zum Bestätigen „%1“ eingeben")
    static let required = Phrase("required", fr: "obligatoire", pt: "obrigatório", zh: "必填", de: "erforderlich")
    static let passed = Phrase("Passed", fr: "Réussi", pt: "Aprovado", zh: "通過", de: "Bestanden")
    static let failed = Phrase("Failed", fr: "Échec", pt: "Falhou", zh: "失敗", de: "Fehlgeschlagen")
    static let skipped = Phrase("Skipped", fr: "Ignoré", pt: "Ignorado", zh: "略過", de: "Übersprungen")
    static let good = Phrase("Good", fr: "Bon", pt: "Bom", zh: "正常", de: "Gut")
    static let warning = Phrase("Warning", fr: "Avertissement", pt: "Aviso", zh: "警告", de: "Warnung")
    static let error = Phrase("Error", fr: "Erreur", pt: "Erro", zh: "錯誤", de: "Fehler")
    static let up = Phrase("Move %1 up", fr: "Monter %1", pt: "Mover %1 para cima", zh: "將 %1 上移", de: "%1 nach oben")
    static let down = Phrase(
        "Move %1 down", fr: "Descendre %1", pt: "Mover %1 para baixo", zh: "將 %1 下移", de: "%1 nach unten")
    static let saveOrder = Phrase(
        "Save the order", fr: "Enregistrer l’ordre", pt: "Salvar a ordem", zh: "儲存順序", de: "Reihenfolge sichern")
    static let pause = Phrase("Pause", fr: "Pause", pt: "Pausar", zh: "暫停", de: "Anhalten")
    static let resume = Phrase("Resume", fr: "Reprendre", pt: "Retomar", zh: "繼續", de: "Fortsetzen")
    static let waiting = Phrase("%1 new", fr: "%1 en attente", pt: "%1 novos", zh: "%1 筆新項目", de: "%1 neue")
    static let connecting = Phrase("Connecting", fr: "Connexion", pt: "Conectando", zh: "連線中", de: "Verbinde")
    static let connected = Phrase("Live", fr: "En direct", pt: "Ao vivo", zh: "即時", de: "Live")
    static let interrupted = Phrase("Interrupted", fr: "Interrompu", pt: "Interrompido", zh: "已中斷", de: "Unterbrochen")
    static let higher = Phrase(
        "more than before", fr: "plus qu’avant", pt: "mais que antes", zh: "較先前增加", de: "mehr als zuvor")
    static let lower = Phrase(
        "less than before", fr: "moins qu’avant", pt: "menos que antes", zh: "較先前減少", de: "weniger als zuvor")
}
