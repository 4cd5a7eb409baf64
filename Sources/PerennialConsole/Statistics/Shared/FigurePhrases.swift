/// The names of figures and their definitions (docs/reference/statistics.md).
enum FigurePhrases {
    /// A figure and its month.
    static let ofMonth = Phrase("%1, %2", fr: "%1, %2", pt: "%1, %2", zh: "%1，%2", de: "%1, %2")
    /// A figure and its currency.
    static let inCurrency = Phrase("%1, %2", fr: "%1, %2", pt: "%1, %2", zh: "%1，%2", de: "%1, %2")
    static let others = Phrase("and %1", fr: "et %1", pt: "e %1", zh: "另有 %1", de: "und %1")
    static let furtherCurrencies = Phrase(
        "and %1 more currencies", fr: "et %1 autres devises", pt: "e mais %1 moedas", zh: "及其他 %1 種貨幣",
        de: "und %1 weitere Währungen")
    static let proceedsDefinition = Phrase(
        "What customers paid less taxes, commission and refunds, on the day of each.",
        fr: "Ce que les clients ont payé, moins les taxes, la commission et les remboursements, chacun à sa date.",
        pt: "O que os clientes pagaram menos impostos, comissão e reembolsos, cada um no seu dia.",
        zh: "顧客支付的金額扣除稅金、佣金與退款，各計入其發生日。",
        de: "Zahlungen der Kunden abzüglich Steuern, Provision und Erstattungen, jeweils an ihrem Tag.")
    static let sales = Phrase(
        "Revenue", fr: "Chiffre d’affaires", pt: "Faturamento", zh: "銷售額", de: "Umsatz")
    static let salesDefinition = Phrase(
        "Prices that customers paid, taxes included, less refunds, on the day of each.",
        fr: "Prix payés par les clients, taxes comprises, moins les remboursements, chacun à sa date.",
        pt: "Preços pagos pelos clientes, com impostos, menos reembolsos, cada um no seu dia.",
        zh: "顧客支付的含稅價格扣除退款，各計入其發生日。",
        de: "Preise, die Kunden gezahlt haben, mit Steuern, abzüglich Erstattungen, jeweils an ihrem Tag.")
    static let unitsDefinition = Phrase(
        "Products sold and first downloads of the app, less refunded units.",
        fr: "Produits vendus et premiers téléchargements de l’app, moins les unités remboursées.",
        pt: "Produtos vendidos e primeiros downloads do app, menos as unidades reembolsadas.",
        zh: "售出的產品與 App 的首次下載，扣除已退款的件數。",
        de: "Verkaufte Produkte und erste Downloads der App, abzüglich erstatteter Einheiten.")
    static let refundsDefinition = Phrase(
        "Refunded units, on the day of the refund.", fr: "Unités remboursées, à la date du remboursement.",
        pt: "Unidades reembolsadas, no dia do reembolso.", zh: "已退款的件數，計入退款當日。",
        de: "Erstattete Einheiten, am Tag der Erstattung.")
    static let active = Phrase(
        "Active subscriptions", fr: "Abonnements actifs", pt: "Assinaturas ativas", zh: "有效訂閱",
        de: "Aktive Abonnements")
    static let activeDefinition = Phrase(
        "Paid subscriptions with service: the grace period and those set to cancel count, free trials and billing retry don’t.",
        fr:
            "Abonnements payés et en service : le délai de grâce et ceux qui seront résiliés comptent, pas les essais gratuits ni les nouvelles tentatives de facturation.",
        pt:
            "Assinaturas pagas com serviço: o período de carência e as que serão canceladas contam; testes gratuitos e novas tentativas de cobrança, não.",
        zh: "有服務的付費訂閱：寬限期與即將取消的計入，免費試用與重試扣款的不計。",
        de:
            "Bezahlte Abonnements mit Leistung: Die Nachfrist und gekündigte zählen, Gratisprobezeiten und wiederholte Abbuchungen nicht."
    )
    static let trials = Phrase(
        "Free trials", fr: "Essais gratuits", pt: "Testes gratuitos", zh: "免費試用", de: "Gratisprobezeiten")
    static let trialsDefinition = Phrase(
        "Free trials with service.", fr: "Essais gratuits en service.", pt: "Testes gratuitos com serviço.",
        zh: "進行中的免費試用。", de: "Laufende Gratisprobezeiten.")
    static let mrr = Phrase(
        "Monthly recurring revenue", fr: "Revenu mensuel récurrent", pt: "Receita recorrente mensal",
        zh: "每月經常性收入", de: "Monatlich wiederkehrender Umsatz")
    static let mrrDefinition = Phrase(
        "Prices of active subscriptions for a month, before taxes and commission.",
        fr: "Prix des abonnements actifs pour un mois, avant taxes et commission.",
        pt: "Preços das assinaturas ativas por um mês, antes de impostos e comissão.",
        zh: "有效訂閱換算為一個月的價格，未扣稅金與佣金。",
        de: "Preise der aktiven Abonnements für einen Monat, vor Steuern und Provision.")
    static let churn = Phrase(
        "Churn rate", fr: "Taux d’attrition", pt: "Taxa de cancelamento", zh: "流失率", de: "Abwanderungsrate")
    static let churnDefinition = Phrase(
        "Churned subscriptions divided by those active at the start of the month.",
        fr: "Abonnements perdus divisés par ceux qui étaient actifs au début du mois.",
        pt: "Assinaturas perdidas divididas pelas ativas no início do mês.",
        zh: "流失的訂閱數除以月初的有效訂閱數。",
        de: "Verlorene Abonnements geteilt durch die am Monatsanfang aktiven.")
    static let conversion = Phrase(
        "Trial conversion", fr: "Conversion des essais", pt: "Conversão de testes", zh: "試用轉換率",
        de: "Umwandlung von Probezeiten")
    static let conversionDefinition = Phrase(
        "Free trials that were paid since without a gap, divided by those that started, by the month of the start.",
        fr: "Essais gratuits payés depuis sans interruption, divisés par ceux commencés, par mois de début.",
        pt: "Testes gratuitos pagos desde então sem intervalo, divididos pelos iniciados, pelo mês de início.",
        zh: "其後連續付費的免費試用數除以開始的試用數，依開始月份計。",
        de: "Seither lückenlos bezahlte Gratisprobezeiten geteilt durch die begonnenen, nach dem Monat des Beginns.")
}
