/// Refusals about renewals, sharing and terms.
extension RefusalSentences {
    static let renewals: [Phrase] = [
        Phrase(
            "the purchaser decides about renewal", fr: "C’est l’acheteur qui décide du renouvellement.",
            pt: "O comprador decide sobre a renovação.", zh: "由購買者決定是否續訂。",
            de: "Der Käufer entscheidet über die Verlängerung."),
        Phrase(
            "only an active subscription of the purchaser is told of a new price",
            fr: "Un nouveau prix ne s’annonce qu’à un abonnement actif de l’acheteur.",
            pt: "Um novo preço só é anunciado a uma assinatura ativa do comprador.", zh: "新價格僅通知購買者的有效訂閱。",
            de: "Ein neuer Preis wird nur einem aktiven Abo des Käufers mitgeteilt."),
        Phrase(
            "only an active subscription is told of a new price",
            fr: "Un nouveau prix ne s’annonce qu’à un abonnement actif.",
            pt: "Um novo preço só é anunciado a uma assinatura ativa.", zh: "新價格僅通知有效的訂閱。",
            de: "Ein neuer Preis wird nur einem aktiven Abo mitgeteilt."),
        Phrase(
            "no price increase awaits an answer", fr: "Aucune hausse de prix n’attend de réponse.",
            pt: "Nenhum aumento de preço aguarda resposta.", zh: "沒有等待回覆的漲價。",
            de: "Keine Preiserhöhung wartet auf Antwort."),
        Phrase(
            "it ends with the purchaser's subscription", fr: "Il prend fin avec l’abonnement de l’acheteur.",
            pt: "Ela termina com a assinatura do comprador.", zh: "會隨購買者的訂閱結束。", de: "Es endet mit dem Abo des Käufers."
        ),
        Phrase(
            "the subscription has ended", fr: "L’abonnement est terminé.", pt: "A assinatura terminou.", zh: "訂閱已結束。",
            de: "Das Abo ist beendet."),
        Phrase(
            "%1 isn't sold any more", fr: "%1 n’est plus en vente.", pt: "%1 não é mais vendido.", zh: "%1 已停售。",
            de: "%1 wird nicht mehr verkauft."),
        Phrase(
            "the subscription was revoked", fr: "L’abonnement a été révoqué.", pt: "A assinatura foi revogada.",
            zh: "訂閱已撤銷。", de: "Das Abo wurde widerrufen."),
        Phrase(
            "the purchaser's subscription decides", fr: "C’est l’abonnement de l’acheteur qui décide.",
            pt: "A assinatura do comprador decide.", zh: "以購買者的訂閱為準。", de: "Das Abo des Käufers entscheidet."),
        Phrase(
            "auto-renew is off, consent is missing or the last renewal was made",
            fr: "Le renouvellement automatique est désactivé, l’accord manque, ou le dernier renouvellement a eu lieu.",
            pt: "A renovação automática está desativada, falta consentimento ou a última renovação já ocorreu.",
            zh: "自動續訂已關閉、尚未同意，或已完成最後一次續訂。",
            de: "Die automatische Verlängerung ist aus, die Zustimmung fehlt, oder es war die letzte Verlängerung."),
        Phrase(
            "the next period is paid for", fr: "La période suivante est déjà payée.",
            pt: "O próximo período já está pago.", zh: "下一期已付款。", de: "Der nächste Zeitraum ist schon bezahlt."),
        Phrase(
            "there is no grace period", fr: "Il n’y a pas de délai de grâce.", pt: "Não há período de tolerância.",
            zh: "沒有寬限期。", de: "Es gibt keinen Kulanzzeitraum."),
        Phrase(
            "grace lasts until %1", fr: "Le délai de grâce dure jusqu’au %1.", pt: "A tolerância vai até %1.",
            zh: "寬限期至 %1。", de: "Der Kulanzzeitraum dauert bis %1."),
        Phrase(
            "nothing is being retried", fr: "Aucun paiement n’est retenté.", pt: "Nada está sendo tentado de novo.",
            zh: "沒有重試中的扣款。", de: "Es wird nichts erneut versucht."),
        Phrase(
            "retry lasts until %1", fr: "Les nouvelles tentatives durent jusqu’au %1.",
            pt: "As novas tentativas vão até %1.", zh: "重試至 %1。", de: "Es wird bis %1 erneut versucht."),
        Phrase(
            "no paid period is running", fr: "Aucune période payée n’est en cours.",
            pt: "Nenhum período pago está em curso.", zh: "沒有進行中的付費期間。", de: "Es läuft kein bezahlter Zeitraum."),
        Phrase(
            "the period lasts until %1", fr: "La période dure jusqu’au %1.", pt: "O período vai até %1.", zh: "期間至 %1。",
            de: "Der Zeitraum dauert bis %1."),
        Phrase(
            "a renewal is to be charged", fr: "Un renouvellement doit être débité.",
            pt: "Uma renovação deve ser cobrada.", zh: "有待扣款的續訂。", de: "Eine Verlängerung ist abzubuchen."),
        Phrase(
            "no charge is being retried", fr: "Aucun débit n’est retenté.",
            pt: "Nenhuma cobrança está sendo tentada de novo.", zh: "沒有重試中的收費。",
            de: "Keine Abbuchung wird erneut versucht."),
        Phrase(
            "the next period is number %1, not %2", fr: "La période suivante porte le numéro %1, pas %2.",
            pt: "O próximo período é o número %1, não %2.", zh: "下一期是第 %1 期，不是第 %2 期。",
            de: "Der nächste Zeitraum hat die Nummer %1, nicht %2."),
        Phrase(
            "the subscription is the customer's own: refund it",
            fr: "L’abonnement est celui du client\u{202F}: remboursez-le.",
            pt: "A assinatura é do próprio cliente: reembolse-a.", zh: "這是顧客自己的訂閱，請退款。",
            de: "Das Abo gehört dem Kunden selbst: Erstatten Sie es."),
        Phrase(
            "it was refunded or revoked", fr: "C’est déjà remboursé ou révoqué.", pt: "Foi reembolsado ou revogado.",
            zh: "已退款或撤銷。", de: "Es wurde erstattet oder widerrufen."),
        Phrase(
            "the term bought before runs until %1", fr: "La durée déjà achetée court jusqu’au %1.",
            pt: "O período já comprado vai até %1.", zh: "先前購買的期間到 %1。", de: "Die gekaufte Laufzeit geht bis %1."),
        Phrase(
            "%1 periods are queued already", fr: "%1 périodes sont déjà en attente.",
            pt: "%1 períodos já estão na fila.", zh: "已有 %1 期排隊中。", de: "%1 Zeiträume stehen schon an."),
        Phrase(
            "the transaction %1 belongs to another subscription",
            fr: "La transaction %1 appartient à un autre abonnement.",
            pt: "A transação %1 pertence a outra assinatura.", zh: "交易 %1 屬於其他訂閱。",
            de: "Die Transaktion %1 gehört zu einem anderen Abo."),
        Phrase(
            "nothing was paid for a shared subscription: refund the purchaser",
            fr: "Rien n’a été payé pour un abonnement partagé\u{202F}: remboursez l’acheteur.",
            pt: "Nada foi pago por uma assinatura compartilhada: reembolse o comprador.", zh: "共享的訂閱未付費，請退款給購買者。",
            de: "Für ein geteiltes Abo wurde nichts bezahlt: Erstatten Sie dem Käufer."),
        Phrase(
            "There is no price before %1", fr: "Il n’y a pas de prix avant %1.", pt: "Não há preço antes de %1.",
            zh: "%1 之前沒有價格。", de: "Vor %1 gibt es keinen Preis."),
        Phrase(
            "There is no price after %1", fr: "Il n’y a pas de prix après %1.", pt: "Não há preço depois de %1.",
            zh: "%1 之後沒有價格。", de: "Nach %1 gibt es keinen Preis."),
        Phrase(
            "Adjacent intervals must not have a gap in between: %1 and %2", fr: "Il y a un trou entre %1 et %2.",
            pt: "Há uma lacuna entre %1 e %2.", zh: "%1 與 %2 之間有空檔。", de: "Zwischen %1 und %2 ist eine Lücke."),
    ]
}
