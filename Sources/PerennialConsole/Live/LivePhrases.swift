/// The words of the live page.
enum LivePhrases {
    static let title = Phrase("Live", fr: "En direct", pt: "Ao vivo", zh: "即時", de: "Live")
    static let empty = Phrase(
        "Nothing has happened yet. What happens from now on appears here.",
        fr: "Rien ne s’est encore passé. Ce qui se passe à partir de maintenant apparaît ici.",
        pt: "Nada aconteceu ainda. O que acontecer a partir de agora aparece aqui.",
        zh: "目前尚無事件。之後發生的事件會顯示在這裡。",
        de: "Noch ist nichts geschehen. Was ab jetzt geschieht, erscheint hier.")
    static let noneMatch = Phrase(
        "No event fits these filters so far. Check the spelling, or take a filter away; what happens from now on appears here.",
        fr:
            "Aucun événement ne correspond encore à ces filtres. Vérifiez l’orthographe ou retirez un filtre ; ce qui se passe à partir de maintenant apparaît ici.",
        pt:
            "Nenhum evento corresponde a estes filtros até agora. Confira a grafia ou remova um filtro; o que acontecer a partir de agora aparece aqui.",
        zh: "目前沒有符合這些篩選條件的事件。請檢查拼字，或移除篩選條件；之後發生的事件會顯示在這裡。",
        de:
            "Noch passt kein Ereignis zu diesen Filtern. Prüfen Sie die Schreibweise, oder entfernen Sie einen Filter; was ab jetzt geschieht, erscheint hier."
    )
    static let explanation = Phrase(
        "Purchases, renewals and refunds of all servers; requests to this server; notifications with the receiver’s answer.",
        fr:
            "Achats, renouvellements et remboursements de tous les serveurs ; requêtes à ce serveur ; notifications avec la réponse du destinataire.",
        pt:
            "Compras, renovações e reembolsos de todos os servidores; solicitações a este servidor; notificações com a resposta do destinatário.",
        zh: "所有伺服器的購買、續訂與退款；對此伺服器的要求；通知及接收端的回應。",
        de:
            "Käufe, Verlängerungen und Erstattungen aller Server; Anfragen an diesen Server; Mitteilungen mit der Antwort des Empfängers."
    )
    static let show = Phrase("Show", fr: "Afficher", pt: "Mostrar", zh: "顯示", de: "Zeigen")
    static let only = Phrase("Only", fr: "Seulement", pt: "Somente", zh: "僅限", de: "Nur")
    static let commerce = Phrase("Commerce", fr: "Ventes", pt: "Comércio", zh: "交易事件", de: "Handel")
    static let requests = Phrase("Requests", fr: "Requêtes", pt: "Solicitações", zh: "要求", de: "Anfragen")
    static let problems = Phrase("Problems", fr: "Problèmes", pt: "Problemas", zh: "問題", de: "Probleme")
    static let further = Phrase(
        "%1 further events", fr: "%1 autres événements", pt: "Mais %1 eventos", zh: "另有 %1 個事件",
        de: "%1 weitere Ereignisse")
    static let emptied = Phrase(
        "The environment was emptied.", fr: "L’environnement a été vidé.", pt: "O ambiente foi esvaziado.",
        zh: "環境已清空。",
        de: "Die Umgebung wurde geleert.")
    static let event = Phrase("Event", fr: "Événement", pt: "Evento", zh: "事件", de: "Ereignis")
    static let position = Phrase(
        "Position in the journal", fr: "Position dans le journal", pt: "Posição no diário", zh: "日誌中的位置",
        de: "Position im Journal")
    static let quantity = Phrase("Quantity", fr: "Quantité", pt: "Quantidade", zh: "數量", de: "Menge")
    static let method = Phrase("Request", fr: "Requête", pt: "Solicitação", zh: "要求", de: "Anfrage")
    static let answer = Phrase("Answer", fr: "Réponse", pt: "Resposta", zh: "回應", de: "Antwort")
    static let duration = Phrase("Duration", fr: "Durée", pt: "Duração", zh: "時間長度", de: "Dauer")
    static let sender = Phrase("Sender", fr: "Expéditeur", pt: "Remetente", zh: "傳送端", de: "Absender")
    static let reason = Phrase("Reason", fr: "Raison", pt: "Motivo", zh: "原因", de: "Grund")
    static let advice = Phrase("What to do", fr: "Que faire", pt: "O que fazer", zh: "處理方式", de: "Was zu tun ist")
    static let callerApp = Phrase(
        "An app", fr: "Une app", pt: "Um app", zh: "App", de: "Eine App")
    static let callerServer = Phrase(
        "A seller’s server", fr: "Un serveur du vendeur", pt: "Um servidor do vendedor", zh: "賣方的伺服器",
        de: "Ein Server des Verkäufers")
    static let callerConnect = Phrase(
        "A client of the App Store Connect API", fr: "Un client de l’API App Store Connect",
        pt: "Um cliente da API App Store Connect", zh: "App Store Connect API 的用戶端",
        de: "Ein Client der App Store Connect API")
    static let callerOperator = Phrase(
        "An operator", fr: "Un opérateur", pt: "Um operador", zh: "操作人員", de: "Ein Betreiber")
    static let callerContent = Phrase(
        "A customer of the content server", fr: "Un client du serveur de contenu",
        pt: "Um cliente do servidor de conteúdo",
        zh: "內容伺服器的顧客", de: "Ein Kunde des Inhaltsservers")
    static let callerOther = Phrase(
        "Another program", fr: "Un autre programme", pt: "Outro programa", zh: "其他程式", de: "Ein anderes Programm")
    static let signedTransaction = Phrase(
        "Signed transaction, decoded", fr: "Transaction signée, décodée", pt: "Transação assinada, decodificada",
        zh: "已簽署交易（已解碼）", de: "Signierte Transaktion, decodiert")
    static let open = Phrase("Open", fr: "Ouvrir", pt: "Abrir", zh: "打開", de: "Öffnen")
}
