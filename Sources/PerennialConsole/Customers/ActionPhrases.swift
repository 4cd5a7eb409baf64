/// The words of actions for customers.
enum ActionPhrases {
    static let actions = Phrase("Actions", fr: "Actions", pt: "Ações", zh: "動作", de: "Aktionen")
    static let buy = Phrase(
        "Buy for this customer", fr: "Acheter pour ce client", pt: "Comprar para este cliente", zh: "為此顧客購買",
        de: "Für diesen Kunden kaufen")
    static let quantity = Phrase("Quantity", fr: "Quantité", pt: "Quantidade", zh: "數量", de: "Menge")
    static let bought = Phrase(
        "%1 was bought.", fr: "%1 a été acheté.", pt: "%1 foi comprado.", zh: "已購買 %1。", de: "%1 wurde gekauft.")
    static let setPayment = Phrase(
        "Change payment method", fr: "Changer le mode de paiement", pt: "Alterar a forma de pagamento", zh: "變更付款方式",
        de: "Zahlungsmethode ändern")
    static let paymentHint = Phrase(
        "A declined one makes the next charges fail. With a valid one, failed renewals are tried again at once.",
        fr:
            "Avec « refusé », les prochains prélèvements échouent. Avec « valide », les renouvellements échoués sont retentés aussitôt.",
        pt:
            "Com “recusada”, as próximas cobranças falham. Com “válida”, as renovações que falharam são tentadas de novo na hora.",
        zh: "「遭拒」會使之後的扣款失敗；改為「有效」時會立即重試失敗的續訂。",
        de:
            "Mit „Abgelehnt“ scheitern die nächsten Abbuchungen. Mit „Gültig“ werden gescheiterte Verlängerungen sofort wiederholt."
    )
    static let paymentSet = Phrase(
        "The payment method was changed.", fr: "Le mode de paiement a été changé.",
        pt: "A forma de pagamento foi alterada.", zh: "已變更付款方式。", de: "Die Zahlungsmethode wurde geändert.")
    static let clear = Phrase(
        "Clear purchase history", fr: "Effacer l’historique d’achats", pt: "Apagar histórico de compras",
        zh: "清除購買紀錄", de: "Kaufverlauf löschen")
    static let clearWarning = Phrase(
        "Ends all subscriptions of %1 and forgets the purchases on this tester’s account. Reports keep them.",
        fr:
            "Met fin à tous les abonnements de %1 et oublie les achats du compte de ce testeur. Les rapports les conservent.",
        pt: "Encerra todas as assinaturas de %1 e esquece as compras da conta deste testador. Os relatórios as mantêm.",
        zh: "終止 %1 的所有訂閱，並清除此測試人員帳號的購買記錄。報告仍會保留。",
        de:
            "Beendet alle Abonnements von %1 und vergisst die Käufe auf dem Account dieses Testers. Berichte behalten sie."
    )
    static let typeName = Phrase(
        "Type the customer’s name to confirm.", fr: "Saisissez le nom du client pour confirmer.",
        pt: "Digite o nome do cliente para confirmar.", zh: "請輸入顧客名稱以確認。",
        de: "Geben Sie zur Bestätigung den Namen des Kunden ein.")
    static let cleared = Phrase(
        "The purchase history was cleared.", fr: "L’historique des achats a été effacé.",
        pt: "O histórico de compras foi limpo.", zh: "已清除購買記錄。", de: "Der Kaufverlauf wurde gelöscht.")

    // MARK: Subscriptions

    static let cancel = Phrase(
        "Turn off auto-renew", fr: "Désactiver le renouvellement automatique", pt: "Desativar a renovação automática",
        zh: "關閉自動續訂", de: "Automatische Verlängerung ausschalten")
    static let resume = Phrase(
        "Turn on auto-renew", fr: "Activer le renouvellement automatique", pt: "Ativar a renovação automática",
        zh: "開啟自動續訂", de: "Automatische Verlängerung einschalten")
    static let renewalChanged = Phrase(
        "Auto-renew was changed.", fr: "Le renouvellement automatique a été modifié.",
        pt: "A renovação automática foi alterada.", zh: "已變更自動續訂。", de: "Die automatische Verlängerung wurde geändert.")
    static let extend = Phrase("Extend", fr: "Prolonger", pt: "Estender", zh: "延長", de: "Verlängern")
    static let days = Phrase("Free days", fr: "Jours offerts", pt: "Dias grátis", zh: "贈送天數", de: "Freie Tage")
    static let daysHint = Phrase(
        "1 to 90. At most twice within a year.", fr: "De 1 à 90. Au plus deux fois par an.",
        pt: "De 1 a 90. No máximo duas vezes por ano.", zh: "1 到 90。每年最多兩次。",
        de: "1 bis 90. Höchstens zweimal in einem Jahr.")
    static let reason = Phrase("Reason", fr: "Motif", pt: "Motivo", zh: "原因", de: "Grund")
    static let undeclared = Phrase("Not stated", fr: "Non précisé", pt: "Não informado", zh: "未說明", de: "Ohne Angabe")
    static let satisfaction = Phrase(
        "Customer satisfaction", fr: "Satisfaction du client", pt: "Satisfação do cliente", zh: "顧客滿意度",
        de: "Kundenzufriedenheit")
    static let serviceIssue = Phrase(
        "Service issue", fr: "Problème de service", pt: "Problema no serviço", zh: "服務問題", de: "Störung des Dienstes")
    static let other = Phrase("Other", fr: "Autre", pt: "Outro", zh: "其他", de: "Sonstiges")
    static let extended = Phrase(
        "The renewal date was moved by %1 days.", fr: "La date de renouvellement a été repoussée de %1 jours.",
        pt: "A data de renovação foi adiada em %1 dias.", zh: "續訂日期已延後 %1 天。",
        de: "Das Verlängerungsdatum wurde um %1 Tage verschoben.")
    static let acceptPrice = Phrase(
        "Accept the price increase", fr: "Accepter la hausse de prix", pt: "Aceitar o aumento de preço", zh: "同意調漲價格",
        de: "Preiserhöhung annehmen")
    static let declinePrice = Phrase(
        "Decline the price increase", fr: "Refuser la hausse de prix", pt: "Recusar o aumento de preço", zh: "拒絕調漲價格",
        de: "Preiserhöhung ablehnen")
    static let answered = Phrase(
        "The answer was recorded.", fr: "La réponse a été enregistrée.", pt: "A resposta foi registrada.", zh: "已記錄回覆。",
        de: "Die Antwort wurde vermerkt.")

    // MARK: Refunds

    static let issue = Phrase(
        "An issue with the app", fr: "Un problème avec l’app", pt: "Um problema com o app", zh: "App 問題",
        de: "Ein Problem mit der App")
    static let share = Phrase("Percentage", fr: "Pourcentage", pt: "Porcentagem", zh: "百分比", de: "Prozentsatz")
    static let shareHint = Phrase(
        "1 to 100; all if it is empty.", fr: "De 1 à 100 ; tout si vide.", pt: "De 1 a 100; tudo se ficar vazio.",
        zh: "1 到 100；留空表示全額。", de: "1 bis 100; leer für alles.")
    static let refundWarning = Phrase(
        "Ends the customer’s access to %1 and takes back %2.", fr: "Met fin à l’accès du client à %1 et reprend %2.",
        pt: "Encerra o acesso do cliente a %1 e devolve %2.", zh: "終止顧客對 %1 的使用權，並退回 %2。",
        de: "Beendet den Zugang des Kunden zu %1 und erstattet %2.")
    static let refunded = Phrase(
        "The transaction was refunded.", fr: "La transaction a été remboursée.", pt: "A transação foi reembolsada.",
        zh: "交易已退款。", de: "Die Transaktion wurde erstattet.")
    static let reverse = Phrase(
        "Reverse the refund", fr: "Annuler le remboursement", pt: "Reverter o reembolso", zh: "撤銷退款",
        de: "Erstattung zurücknehmen")
    static let reversed = Phrase(
        "The refund was reversed.", fr: "Le remboursement a été annulé.", pt: "O reembolso foi revertido.",
        zh: "已撤銷退款。",
        de: "Die Erstattung wurde zurückgenommen.")
    static let wholeNumber = Phrase(
        "A whole number from %1 to %2.", fr: "Un nombre entier de %1 à %2.", pt: "Um número inteiro de %1 a %2.",
        zh: "%1 到 %2 的整數。", de: "Eine ganze Zahl von %1 bis %2.")
}
