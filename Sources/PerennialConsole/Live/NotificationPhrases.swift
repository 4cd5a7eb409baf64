import PerennialStore

/// The words of the notifications' pages.
enum NotificationPhrases {
    static let subtype = Phrase("Subtype", fr: "Sous-type", pt: "Subtipo", zh: "子類型", de: "Untertyp")
    static let version = Phrase("Version", fr: "Version", pt: "Versão", zh: "版本", de: "Version")
    static let signed = Phrase("Signed", fr: "Signée", pt: "Assinada", zh: "簽署時間", de: "Signiert")
    static let attempts = Phrase("Attempts", fr: "Tentatives", pt: "Tentativas", zh: "嘗試次數", de: "Versuche")
    static let attempt = Phrase("Attempt", fr: "Tentative", pt: "Tentativa", zh: "嘗試", de: "Versuch")
    static let nextAttempt = Phrase(
        "Next attempt", fr: "Prochaine tentative", pt: "Próxima tentativa", zh: "下次嘗試", de: "Nächster Versuch")
    static let result = Phrase("Result", fr: "Résultat", pt: "Resultado", zh: "結果", de: "Ergebnis")
    static let httpStatus = Phrase(
        "HTTP status", fr: "Statut HTTP", pt: "Status HTTP", zh: "HTTP 狀態碼", de: "HTTP-Status")
    static let settings = Phrase(
        "Notification URL", fr: "URL de notification", pt: "URL de notificação", zh: "通知 URL", de: "Mitteilungs-URL")
    static let setURL = Phrase(
        "Set the notification URL", fr: "Définir l’URL de notification", pt: "Definir a URL de notificação",
        zh: "設定通知 URL",
        de: "Mitteilungs-URL festlegen")
    static let caption = Phrase(
        "Notifications, newest first", fr: "Notifications, les plus récentes d’abord",
        pt: "Notificações, mais recentes primeiro", zh: "通知，由新到舊", de: "Mitteilungen, neueste zuerst")
    static let none = Phrase(
        "No notification has been made yet. The store makes one for each event once a URL is set.",
        fr:
            "Aucune notification n’a encore été créée. La boutique en crée une pour chaque événement dès qu’une URL est définie.",
        pt: "Nenhuma notificação foi criada ainda. A loja cria uma para cada evento assim que uma URL é definida.",
        zh: "尚未產生通知。設定 URL 後，商店會為每個事件產生通知。",
        de: "Noch gibt es keine Mitteilung. Sobald eine URL festgelegt ist, entsteht für jedes Ereignis eine.")
    static let contentsHidden = Phrase(
        "What was sent names customers, whom your role doesn’t see.",
        fr: "Le contenu envoyé nomme des clients, que votre rôle ne voit pas.",
        pt: "O que foi enviado cita clientes, que sua função não vê.", zh: "傳送的內容涉及顧客，你的職務無權查看。",
        de: "Das Gesendete nennt Kunden, die Ihre Funktion nicht sieht.")
    static let notATransaction = Phrase(
        "“%1” is no transaction ID. One has digits only, such as 2000000000000001.",
        fr: "« %1 » n’est pas un ID de transaction, qui n’a que des chiffres, par exemple 2000000000000001.",
        pt: "“%1” não é um ID de transação, que só tem dígitos, por exemplo 2000000000000001.",
        zh: "「%1」不是交易 ID。交易 ID 只含數字，例如 2000000000000001。",
        de: "„%1“ ist keine Transaktions-ID. Sie hat nur Ziffern, etwa 2000000000000001.")
    static let noneFound = Phrase(
        "No notification fits these filters.", fr: "Aucune notification ne correspond à ces filtres.",
        pt: "Nenhuma notificação corresponde a estes filtros.", zh: "沒有符合這些篩選條件的通知。",
        de: "Keine Mitteilung passt zu diesen Filtern.")
    static let original = Phrase(
        "Original transaction", fr: "Transaction d’origine", pt: "Transação original", zh: "原始交易",
        de: "Ursprüngliche Transaktion")
    static let retryNow = Phrase(
        "Retry now", fr: "Réessayer maintenant", pt: "Tentar agora", zh: "立即重試", de: "Jetzt erneut versuchen")
    static let sendAgain = Phrase("Send again", fr: "Renvoyer", pt: "Enviar de novo", zh: "再次傳送", de: "Erneut senden")
    static let isSentAgain = Phrase(
        "The notification is sent again.", fr: "La notification est renvoyée.",
        pt: "A notificação será enviada de novo.",
        zh: "正在再次傳送通知。", de: "Die Mitteilung wird erneut gesendet.")
    static let noAttempts = Phrase(
        "It hasn’t been sent yet.", fr: "Elle n’a pas encore été envoyée.", pt: "Ainda não foi enviada.", zh: "尚未傳送。",
        de: "Sie wurde noch nicht gesendet.")
    static let payload = Phrase("Payload", fr: "Contenu", pt: "Conteúdo", zh: "內容", de: "Inhalt")
    static let decodedPayload = Phrase(
        "Notification, decoded", fr: "Notification, décodée", pt: "Notificação, decodificada", zh: "通知（已解碼）",
        de: "Mitteilung, decodiert")
    static let renewalInfo = Phrase(
        "Renewal information, decoded", fr: "Informations de renouvellement, décodées",
        pt: "Informações de renovação, decodificadas", zh: "續訂資訊（已解碼）", de: "Verlängerungsinformationen, decodiert")
    static let request = Phrase(
        "Request as it is sent", fr: "Requête telle qu’envoyée", pt: "Solicitação como é enviada", zh: "實際傳送的要求",
        de: "Anfrage, wie sie gesendet wird")
    static let response = Phrase(
        "Response of the receiver", fr: "Réponse du destinataire", pt: "Resposta do receptor", zh: "接收端的回應",
        de: "Antwort des Empfängers")
    static let responseBeginning = Phrase(
        "Response of the receiver, the beginning", fr: "Réponse du destinataire, le début",
        pt: "Resposta do receptor, o início", zh: "接收端的回應（開頭部分）", de: "Antwort des Empfängers, der Anfang")
    static let noResponse = Phrase(
        "The receiver answered nothing more than its status.", fr: "Le destinataire n’a répondu que par son statut.",
        pt: "O receptor respondeu apenas com o status.", zh: "接收端只回應了狀態碼。",
        de: "Der Empfänger antwortete nur mit seinem Status.")
    static let noAnswer = Phrase(
        "No answer arrived.", fr: "Aucune réponse n’est arrivée.", pt: "Nenhuma resposta chegou.", zh: "未收到回應。",
        de: "Es kam keine Antwort.")
    static let allOfPurchase = Phrase(
        "All notifications of this purchase", fr: "Toutes les notifications de cet achat",
        pt: "Todas as notificações desta compra", zh: "此購買項目的所有通知", de: "Alle Mitteilungen zu diesem Kauf")
    static let unsigned = Phrase(
        "Notifications of version 1 aren’t signed.", fr: "Les notifications de version 1 ne sont pas signées.",
        pt: "As notificações da versão 1 não são assinadas.", zh: "第 1 版通知不會簽署。",
        de: "Mitteilungen der Version 1 sind nicht signiert.")
    static let madeAnew = Phrase(
        "Each attempt sends the customer’s newest receipt. This is the body as it would be sent now, without the shared secret.",
        fr:
            "Chaque tentative envoie le reçu le plus récent du client. Voici le corps tel qu’il serait envoyé maintenant, sans le secret partagé.",
        pt:
            "Cada tentativa envia o recibo mais recente do cliente. Este é o corpo como seria enviado agora, sem o segredo compartilhado.",
        zh: "每次嘗試都會傳送顧客最新的收據。以下是現在會傳送的內文，不含共享密鑰。",
        de:
            "Jeder Versuch sendet den neuesten Beleg des Kunden. Dies ist der Inhalt, wie er jetzt gesendet würde, ohne das Shared Secret."
    )
    static let inspect = Phrase("Inspect", fr: "Inspecter", pt: "Inspecionar", zh: "檢查", de: "Prüfen")

    static func state(_ state: SendingState) -> Phrase {
        switch state {
        case .waiting: Phrase("Waiting", fr: "En attente", pt: "Em espera", zh: "等待中", de: "Wartet")
        case .delivered: Phrase("Delivered", fr: "Distribuée", pt: "Entregue", zh: "已送達", de: "Zugestellt")
        case .failing:
            Phrase("Retrying", fr: "Nouvelles tentatives", pt: "Tentando de novo", zh: "重試中", de: "Wird wiederholt")
        case .givenUp: Phrase("Given up", fr: "Abandonnée", pt: "Desistida", zh: "已放棄", de: "Aufgegeben")
        case .cancelled: Phrase("Cancelled", fr: "Annulée", pt: "Cancelada", zh: "已取消", de: "Abgebrochen")
        }
    }

    static func status(_ state: SendingState) -> Status {
        switch state {
        case .waiting, .cancelled: .neutral
        case .delivered: .good
        case .failing: .warning
        case .givenUp: .bad
        }
    }
}
