/// The words of the overview.
enum OverviewPhrases {
    static let today = Phrase("Today", fr: "Aujourd’hui", pt: "Hoje", zh: "今天", de: "Heute")
    static let thisWeek = Phrase(
        "Last 7 days", fr: "7 derniers jours", pt: "Últimos 7 dias", zh: "過去 7 天", de: "Letzte 7 Tage")
    static let labelled = Phrase("%1 · %2", fr: "%1 · %2", pt: "%1 · %2", zh: "%1 · %2", de: "%1 · %2")
    static let newCustomers = Phrase(
        "New customers", fr: "Nouveaux clients", pt: "Novos clientes", zh: "新顧客", de: "Neue Kunden")
    static let newCustomersDefinition = Phrase(
        "Customers who got or bought something for the first time.",
        fr: "Clients qui ont obtenu ou acheté quelque chose pour la première fois.",
        pt: "Clientes que obtiveram ou compraram algo pela primeira vez.",
        zh: "首次取得或購買的顧客。", de: "Kunden, die zum ersten Mal etwas erhalten oder gekauft haben.")
    static let failing = Phrase(
        "%1 of the last %2 notifications were not accepted by your server.",
        fr: "%1 des %2 dernières notifications n’ont pas été acceptées par votre serveur.",
        pt: "%1 das últimas %2 notificações não foram aceitas pelo seu servidor.",
        zh: "最近 %2 則通知中有 %1 則未被你的伺服器接受。",
        de: "%1 der letzten %2 Mitteilungen hat Ihr Server nicht angenommen.")
    static let failingAdvice = Phrase(
        "Each attempt with its answer stands on the notification’s page; they are sent again by the schedule.",
        fr:
            "Chaque tentative et sa réponse figurent sur la page de la notification ; l’envoi est répété selon le calendrier.",
        pt: "Cada tentativa e sua resposta estão na página da notificação; o envio se repete conforme o calendário.",
        zh: "通知頁面列出每次嘗試與其回應；系統會依時程重新傳送。",
        de:
            "Jeder Versuch mit seiner Antwort steht auf der Seite der Mitteilung; der Versand wird nach dem Zeitplan wiederholt."
    )
    static let quarantined = Phrase(
        "%1 subscriptions are quarantined: their renewal fails.",
        fr: "%1 abonnements sont en quarantaine : leur renouvellement échoue.",
        pt: "%1 assinaturas estão em quarentena: a renovação delas falha.",
        zh: "%1 個訂閱被隔離：續訂失敗。",
        de: "%1 Abonnements sind in Quarantäne: Ihre Verlängerung schlägt fehl.")
    static let manyQuarantined = Phrase(
        "At least %1 subscriptions are quarantined: their renewal fails.",
        fr: "Au moins %1 abonnements sont en quarantaine : leur renouvellement échoue.",
        pt: "Pelo menos %1 assinaturas estão em quarentena: a renovação delas falha.",
        zh: "至少 %1 個訂閱被隔離：續訂失敗。",
        de: "Mindestens %1 Abonnements sind in Quarantäne: Ihre Verlängerung schlägt fehl.")
    static let quarantinedAdvice = Phrase(
        "perennial quarantine list names them with the error; release them when the cause is gone.",
        fr: "perennial quarantine list les énumère avec l’erreur ; libérez-les une fois la cause éliminée.",
        pt: "perennial quarantine list mostra quais são e o erro; libere-as quando a causa for resolvida.",
        zh: "perennial quarantine list 會列出它們與錯誤；原因排除後再釋放。",
        de: "perennial quarantine list nennt sie mit dem Fehler; geben Sie sie frei, wenn die Ursache behoben ist.")
    static let inReview = Phrase(
        "%1 products wait for review.", fr: "%1 produits attendent la validation.",
        pt: "%1 produtos aguardam revisão.", zh: "%1 個產品等待審查。", de: "%1 Produkte warten auf die Prüfung.")
    static let inReviewAdvice = Phrase(
        "Approve or reject them on their pages.", fr: "Approuvez-les ou refusez-les sur leurs pages.",
        pt: "Aprove-os ou recuse-os nas páginas deles.", zh: "請在其頁面核准或退回。",
        de: "Genehmigen Sie sie auf ihren Seiten, oder lehnen Sie sie ab.")
    static let declined = Phrase(
        "The charge of %1 of the subscriptions (%2 of %3) was declined.",
        fr: "Le paiement de %1 des abonnements (%2 sur %3) a été refusé.",
        pt: "A cobrança de %1 das assinaturas (%2 de %3) foi recusada.",
        zh: "%1 的訂閱（%3 個中的 %2 個）扣款遭拒。",
        de: "Bei %1 der Abonnements (%2 von %3) wurde die Abbuchung abgelehnt.")
    static let declinedAdvice = Phrase(
        "They are in the grace period or billing retry; a message in the app asks for another payment method.",
        fr:
            "Ils sont en délai de grâce ou en nouvelle tentative ; un message dans l’app demande un autre moyen de paiement.",
        pt: "Estão no período de carência ou em nova tentativa; uma mensagem no app pede outra forma de pagamento.",
        zh: "它們處於寬限期或重試扣款；App 內的訊息會請顧客更換付款方式。",
        de:
            "Sie sind in der Nachfrist oder werden erneut abgebucht; eine Nachricht in der App bittet um eine andere Zahlungsart."
    )
    static let noURL = Phrase(
        "No notification URL is set: your server doesn’t hear of renewals and refunds.",
        fr:
            "Aucune URL de notification n’est définie : votre serveur n’apprend ni les renouvellements ni les remboursements.",
        pt: "Nenhuma URL de notificações foi definida: seu servidor não fica sabendo de renovações e reembolsos.",
        zh: "尚未設定通知 URL：你的伺服器不會得知續訂與退款。",
        de:
            "Es ist keine URL für Mitteilungen eingestellt: Ihr Server erfährt nichts von Verlängerungen und Erstattungen."
    )
    static let setURL = Phrase(
        "Set the URL", fr: "Définir l’URL", pt: "Definir a URL", zh: "設定 URL", de: "URL einstellen")
    static let noProducts = Phrase(
        "This app has no products yet. Create the first one, or import a catalog.",
        fr: "Cette app n’a pas encore de produits. Créez le premier ou importez un catalogue.",
        pt: "Este app ainda não tem produtos. Crie o primeiro ou importe um catálogo.",
        zh: "此 App 尚無產品。請建立第一個產品，或匯入目錄。",
        de: "Diese App hat noch keine Produkte. Legen Sie das erste an, oder importieren Sie einen Katalog.")
    static let createProduct = Phrase(
        "Create a product", fr: "Créer un produit", pt: "Criar um produto", zh: "建立產品", de: "Produkt anlegen")
    static let noSalesYet = Phrase(
        "Nothing was sold yet. Connect your app and buy something, or buy from the command line:",
        fr:
            "Rien n’a encore été vendu. Connectez votre app et achetez quelque chose, ou achetez depuis la ligne de commande :",
        pt: "Nada foi vendido ainda. Conecte seu app e compre algo, ou compre pela linha de comando:",
        zh: "尚無任何銷售。請連接你的 App 並購買，或從命令列購買：",
        de:
            "Noch wurde nichts verkauft. Verbinden Sie Ihre App und kaufen Sie etwas, oder kaufen Sie auf der Befehlszeile:"
    )
    static let watchLive = Phrase(
        "Watch Live", fr: "Suivre en direct", pt: "Acompanhar ao vivo", zh: "即時檢視", de: "Live ansehen")
    static let nothingToDo = Phrase(
        "Nothing needs attention.", fr: "Rien ne demande votre attention.", pt: "Nada requer atenção.",
        zh: "沒有需要處理的事項。", de: "Nichts erfordert Ihre Aufmerksamkeit.")
    static let bundleID = Phrase(
        "Bundle ID", fr: "Identifiant de lot", pt: "ID do pacote", zh: "套件 ID", de: "Bundle-ID")
    static let noApps = Phrase(
        "There is no app yet. Import a catalog or a StoreKit configuration file.",
        fr: "Il n’y a pas encore d’app. Importez un catalogue ou un fichier de configuration StoreKit.",
        pt: "Ainda não há app. Importe um catálogo ou um arquivo de configuração do StoreKit.",
        zh: "尚無 App。請匯入目錄或 StoreKit 設定檔。",
        de: "Es gibt noch keine App. Importieren Sie einen Katalog oder eine StoreKit-Konfigurationsdatei.")
}
