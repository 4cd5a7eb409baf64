/// The words of the frame and of blocks.
enum FrameWords {
    static let now = Phrase("now", fr: "maintenant", pt: "agora", zh: "現在", de: "jetzt")
    /// The phrases by unit: seconds, minutes, hours.
    static let past: [(one: Phrase, many: Phrase)] = [
        (
            Phrase("%1 second ago", fr: "il y a %1 seconde", pt: "há %1 segundo", zh: "%1 秒前", de: "vor %1 Sekunde"),
            Phrase("%1 seconds ago", fr: "il y a %1 secondes", pt: "há %1 segundos", zh: "%1 秒前", de: "vor %1 Sekunden")
        ),
        (
            Phrase("%1 minute ago", fr: "il y a %1 minute", pt: "há %1 minuto", zh: "%1 分鐘前", de: "vor %1 Minute"),
            Phrase("%1 minutes ago", fr: "il y a %1 minutes", pt: "há %1 minutos", zh: "%1 分鐘前", de: "vor %1 Minuten")
        ),
        (
            Phrase("%1 hour ago", fr: "il y a %1 heure", pt: "há %1 hora", zh: "%1 小時前", de: "vor %1 Stunde"),
            Phrase("%1 hours ago", fr: "il y a %1 heures", pt: "há %1 horas", zh: "%1 小時前", de: "vor %1 Stunden")
        ),
    ]
    static let future: [(one: Phrase, many: Phrase)] = [
        (
            Phrase("in %1 second", fr: "dans %1 seconde", pt: "em %1 segundo", zh: "%1 秒後", de: "in %1 Sekunde"),
            Phrase("in %1 seconds", fr: "dans %1 secondes", pt: "em %1 segundos", zh: "%1 秒後", de: "in %1 Sekunden")
        ),
        (
            Phrase("in %1 minute", fr: "dans %1 minute", pt: "em %1 minuto", zh: "%1 分鐘後", de: "in %1 Minute"),
            Phrase("in %1 minutes", fr: "dans %1 minutes", pt: "em %1 minutos", zh: "%1 分鐘後", de: "in %1 Minuten")
        ),
        (
            Phrase("in %1 hour", fr: "dans %1 heure", pt: "em %1 hora", zh: "%1 小時後", de: "in %1 Stunde"),
            Phrase("in %1 hours", fr: "dans %1 heures", pt: "em %1 horas", zh: "%1 小時後", de: "in %1 Stunden")
        ),
    ]

    static let console = Phrase("Console", fr: "Console", pt: "Console", zh: "主控台", de: "Konsole")
    static let skip = Phrase(
        "Skip to content", fr: "Aller au contenu", pt: "Ir para o conteúdo", zh: "跳到內容", de: "Zum Inhalt springen")
    static let trail = Phrase("Path", fr: "Chemin", pt: "Caminho", zh: "路徑", de: "Pfad")
    static let more = Phrase("More", fr: "Plus", pt: "Mais", zh: "更多", de: "Mehr")
    static let chooseApp = Phrase(
        "Choose an app", fr: "Choisissez une app", pt: "Escolha um app", zh: "選擇 App", de: "App wählen")
    static let language = Phrase("Language", fr: "Langue", pt: "Idioma", zh: "語言", de: "Sprache")
    static let signOut = Phrase("Sign Out", fr: "Se déconnecter", pt: "Sair", zh: "登出", de: "Abmelden")
    static let signOutEverywhere = Phrase(
        "Sign Out Everywhere", fr: "Se déconnecter partout", pt: "Sair de todos os dispositivos", zh: "登出所有裝置",
        de: "Überall abmelden")
    static let manageEnvironments = Phrase(
        "All environments", fr: "Tous les environnements", pt: "Todos os ambientes", zh: "所有環境", de: "Alle Umgebungen")
    static let searchHint = Phrase(
        "ID, customer, product", fr: "ID, client, produit", pt: "ID, cliente, produto", zh: "ID、顧客、產品",
        de: "ID, Kunde, Produkt")
    static let runningClock = Phrase("real time", fr: "temps réel", pt: "tempo real", zh: "實際時間", de: "Echtzeit")
    static let stoppedClock = Phrase("stands still", fr: "à l’arrêt", pt: "parado", zh: "已暫停", de: "steht")
    static let advance = Phrase("Advance", fr: "Avancer", pt: "Avançar", zh: "快轉", de: "Vorstellen")
    static let advanceBy = Phrase(
        "Advance the clock by", fr: "Avancer l’horloge de", pt: "Avançar o relógio em", zh: "將時鐘快轉",
        de: "Uhr vorstellen um")
    static let spans: [(value: String, text: Phrase)] = [
        ("PT1H", Phrase("1 hour", fr: "1 heure", pt: "1 hora", zh: "1 小時", de: "1 Stunde")),
        ("P1D", Phrase("1 day", fr: "1 jour", pt: "1 dia", zh: "1 天", de: "1 Tag")),
        ("P3D", Phrase("3 days", fr: "3 jours", pt: "3 dias", zh: "3 天", de: "3 Tage")),
        ("P7D", Phrase("1 week", fr: "1 semaine", pt: "1 semana", zh: "1 週", de: "1 Woche")),
        ("P1M", Phrase("1 month", fr: "1 mois", pt: "1 mês", zh: "1 個月", de: "1 Monat")),
        ("P1Y", Phrase("1 year", fr: "1 an", pt: "1 ano", zh: "1 年", de: "1 Jahr")),
    ]
}
