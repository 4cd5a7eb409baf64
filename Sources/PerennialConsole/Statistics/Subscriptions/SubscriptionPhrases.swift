/// The words of the statistics of subscriptions.
enum SubscriptionPhrases {
    static let status = Phrase("By status", fr: "Par état", pt: "Por estado", zh: "依狀態", de: "Nach Status")
    static let setToRenew = Phrase(
        "Set to renew", fr: "Sera renouvelé", pt: "Renovação ativada", zh: "將續訂", de: "Wird verlängert")
    static let setToCancel = Phrase(
        "Set to cancel", fr: "Sera résilié", pt: "Será cancelada", zh: "將取消", de: "Gekündigt")
    static let billingIssue = Phrase(
        "Billing issue", fr: "Problème de facturation", pt: "Problema de cobrança", zh: "扣款問題",
        de: "Abrechnungsproblem")
    static let billingIssueDefinition = Phrase(
        "Subscriptions in the grace period or billing retry.",
        fr: "Abonnements en délai de grâce ou en nouvelle tentative de facturation.",
        pt: "Assinaturas no período de carência ou com nova tentativa de cobrança.",
        zh: "處於寬限期或重試扣款的訂閱。", de: "Abonnements in der Nachfrist oder mit wiederholter Abbuchung.")
    static let mrrMovement = Phrase(
        "MRR movement, %1", fr: "Variation du revenu mensuel récurrent, %1",
        pt: "Variação da receita recorrente mensal, %1",
        zh: "每月經常性收入變動，%1", de: "Bewegung des monatlich wiederkehrenden Umsatzes, %1")
    static let new = Phrase("New", fr: "Nouveaux", pt: "Novas", zh: "新增", de: "Neu")
    static let returned = Phrase("Returned", fr: "Revenus", pt: "Retornadas", zh: "回歸", de: "Zurückgekehrt")
    static let expansion = Phrase("Expansion", fr: "Expansion", pt: "Expansão", zh: "擴增", de: "Erweiterung")
    static let contraction = Phrase("Contraction", fr: "Contraction", pt: "Contração", zh: "縮減", de: "Verringerung")
    static let lost = Phrase("Churn", fr: "Attrition", pt: "Cancelamento", zh: "流失", de: "Abwanderung")
    static let retention = Phrase("Retention", fr: "Rétention", pt: "Retenção", zh: "留存率", de: "Verbleib")
    static let retentionDefinition = Phrase(
        "Of the subscriptions first paid in a month, the share that is still paid for after so many months.",
        fr: "Part des abonnements payés pour la première fois dans un mois qui sont encore payés après tant de mois.",
        pt: "Das assinaturas pagas pela primeira vez num mês, a parcela que ainda é paga depois de tantos meses.",
        zh: "某月首次付費的訂閱中，於若干個月後仍付費的比例。",
        de:
            "Der Anteil der in einem Monat erstmals bezahlten Abonnements, der nach so vielen Monaten noch bezahlt wird."
    )
    static let byMonth = Phrase("By month", fr: "Par mois", pt: "Por mês", zh: "依月份", de: "Nach Monat")
    static let churned = Phrase("Churned", fr: "Perdus", pt: "Perdidas", zh: "流失數", de: "Verloren")
    static let net = Phrase("Net", fr: "Net", pt: "Líquido", zh: "淨增", de: "Netto")
    static let started = Phrase(
        "Trials started", fr: "Essais commencés", pt: "Testes iniciados", zh: "開始試用", de: "Begonnene Probezeiten")
    static let converted = Phrase(
        "Converted", fr: "Convertis", pt: "Convertidos", zh: "已轉換", de: "Umgewandelt")
    static let renewals = Phrase("Renewals", fr: "Renouvellements", pt: "Renovações", zh: "續訂", de: "Verlängerungen")
    static let list = Phrase(
        "All subscriptions", fr: "Tous les abonnements", pt: "Todas as assinaturas", zh: "所有訂閱",
        de: "Alle Abonnements")
    static let none = Phrase(
        "There is no subscription yet.", fr: "Personne ne s’est encore abonné.", pt: "Ainda ninguém assinou.",
        zh: "尚無人訂閱。", de: "Noch hat niemand ein Abonnement abgeschlossen.")
    static let createGroup = Phrase(
        "Create a subscription", fr: "Créer un abonnement", pt: "Criar uma assinatura", zh: "建立訂閱",
        de: "Abonnement anlegen")
}
