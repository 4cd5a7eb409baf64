import Perennial

/// The amounts from which statistics are computed, in words.
enum MeasurePhrases {
    static func name(_ measure: StatisticMeasure) -> Phrase {
        switch measure {
        case .units: Words.units
        case .revenue: FigurePhrases.sales
        case .proceeds: Words.proceeds
        case .downloads:
            Phrase(
                "First downloads", fr: "Premiers téléchargements", pt: "Primeiros downloads", zh: "首次下載",
                de: "Erste Downloads")
        case .redownloads:
            Phrase(
                "Repeated downloads", fr: "Nouveaux téléchargements", pt: "Downloads repetidos", zh: "重新下載",
                de: "Erneute Downloads")
        case .updates: Phrase("Updates", fr: "Mises à jour", pt: "Atualizações", zh: "更新", de: "Aktualisierungen")
        case .refunds: Words.refunds
        case .refundedRevenue:
            Phrase(
                "Refunded revenue", fr: "Chiffre d’affaires remboursé", pt: "Faturamento reembolsado", zh: "已退款銷售額",
                de: "Erstatteter Umsatz")
        case .paidTransactions:
            Phrase(
                "Paid transactions", fr: "Transactions payées", pt: "Transações pagas", zh: "付費交易",
                de: "Bezahlte Transaktionen")
        case .refundedTransactions:
            Phrase(
                "Refunded transactions", fr: "Transactions remboursées", pt: "Transações reembolsadas", zh: "已退款交易",
                de: "Erstattete Transaktionen")
        case .activeSubscriptions: FigurePhrases.active
        case .activeTrials: FigurePhrases.trials
        case .monthlyRevenue: FigurePhrases.mrr
        case .setToRenew: SubscriptionPhrases.setToRenew
        case .setToCancel: SubscriptionPhrases.setToCancel
        case .billingIssue: SubscriptionPhrases.billingIssue
        default: movement(measure)
        }
    }

    /// Returns the name of an amount of movements and cohorts.
    private static func movement(_ measure: StatisticMeasure) -> Phrase {
        switch measure {
        case .newSubscriptions:
            Phrase(
                "New subscriptions", fr: "Nouveaux abonnements", pt: "Novas assinaturas", zh: "新訂閱",
                de: "Neue Abonnements")
        case .lostSubscriptions:
            Phrase(
                "Churned subscriptions", fr: "Abonnements perdus", pt: "Assinaturas perdidas", zh: "流失的訂閱",
                de: "Verlorene Abonnements")
        case .returnedSubscriptions:
            Phrase(
                "Returned subscriptions", fr: "Abonnements repris", pt: "Assinaturas retornadas", zh: "回歸的訂閱",
                de: "Zurückgekehrte Abonnements")
        case .renewals: SubscriptionPhrases.renewals
        case .newRevenue:
            Phrase(
                "New recurring revenue", fr: "Nouveau revenu récurrent", pt: "Nova receita recorrente", zh: "新增經常性收入",
                de: "Neuer wiederkehrender Umsatz")
        case .returnedRevenue:
            Phrase(
                "Returned recurring revenue", fr: "Revenu récurrent retrouvé", pt: "Receita recorrente retornada",
                zh: "回歸的經常性收入", de: "Zurückgekehrter wiederkehrender Umsatz")
        case .expandedRevenue:
            Phrase(
                "Expanded recurring revenue", fr: "Revenu récurrent accru", pt: "Receita recorrente ampliada",
                zh: "擴增的經常性收入", de: "Erweiterter wiederkehrender Umsatz")
        case .contractedRevenue:
            Phrase(
                "Contracted recurring revenue", fr: "Revenu récurrent réduit", pt: "Receita recorrente reduzida",
                zh: "縮減的經常性收入", de: "Verringerter wiederkehrender Umsatz")
        case .lostRevenue:
            Phrase(
                "Churned recurring revenue", fr: "Revenu récurrent perdu", pt: "Receita recorrente perdida",
                zh: "流失的經常性收入", de: "Verlorener wiederkehrender Umsatz")
        case .trialsStarted: SubscriptionPhrases.started
        case .trialsConverted:
            Phrase(
                "Trials converted", fr: "Essais convertis", pt: "Testes convertidos", zh: "已轉換的試用",
                de: "Umgewandelte Probezeiten")
        case .trialsPending:
            Phrase(
                "Trials under way", fr: "Essais en cours", pt: "Testes em andamento", zh: "進行中的試用",
                de: "Laufende Probezeiten")
        case .trialsAbandoned:
            Phrase(
                "Trials abandoned", fr: "Essais abandonnés", pt: "Testes abandonados", zh: "已放棄的試用",
                de: "Abgebrochene Probezeiten")
        default: cohort(measure)
        }
    }

    private static func cohort(_ measure: StatisticMeasure) -> Phrase {
        switch measure {
        case .cohortSubscriptions:
            Phrase(
                "Subscriptions first paid", fr: "Abonnements payés pour la première fois",
                pt: "Assinaturas pagas pela primeira vez", zh: "首次付費的訂閱", de: "Erstmals bezahlte Abonnements")
        case .retainedSubscriptions:
            Phrase(
                "Subscriptions still paid for", fr: "Abonnements encore payés", pt: "Assinaturas ainda pagas",
                zh: "仍付費的訂閱", de: "Noch bezahlte Abonnements")
        case .newCustomers: OverviewPhrases.newCustomers
        case .startedCustomers:
            Phrase(
                "Customers with a first purchase", fr: "Clients ayant fait un premier achat",
                pt: "Clientes com uma primeira compra", zh: "完成首次購買的顧客", de: "Kunden mit einem ersten Kauf")
        case .payingCustomers:
            Phrase(
                "Paying customers", fr: "Clients payants", pt: "Clientes pagantes", zh: "付費顧客",
                de: "Zahlende Kunden")
        case .customerRevenue:
            Phrase(
                "Revenue of customers", fr: "Chiffre d’affaires des clients", pt: "Faturamento dos clientes",
                zh: "來自顧客的銷售額", de: "Umsatz der Kunden")
        default: Words.amount
        }
    }
}
