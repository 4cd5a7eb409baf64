import Perennial

/// The columns of statistics in words: their names, and how each is computed.
enum ColumnPhrases {
    /// Returns the name of a column.
    static func name(_ statistic: Statistic, _ column: String) -> Text {
        if statistic == .retention, let month = Statistic.retentionMonth(column) {
            return .phrase(ChartPhrases.afterMonths, .number(month))
        }
        return .phrase(words(statistic, column).name)
    }

    /// Returns a sentence that says how a column is computed.
    static func definition(_ statistic: Statistic, _ column: String) -> Phrase {
        if statistic == .retention, Statistic.retentionMonth(column) != nil {
            return SubscriptionPhrases.retentionDefinition
        }
        return words(statistic, column).definition
    }

    private typealias Wording = (name: Phrase, definition: Phrase)

    private static func words(_ statistic: Statistic, _ column: String) -> Wording {
        switch statistic {
        case .units: (Words.units, FigurePhrases.unitsDefinition)
        case .proceeds: (Words.proceeds, FigurePhrases.proceedsDefinition)
        case .revenue: (FigurePhrases.sales, FigurePhrases.salesDefinition)
        case .refunds: (Words.refunds, FigurePhrases.refundsDefinition)
        case .newCustomers: (OverviewPhrases.newCustomers, OverviewPhrases.newCustomersDefinition)
        case .activeSubscriptions: (FigurePhrases.active, FigurePhrases.activeDefinition)
        case .activeTrials: (FigurePhrases.trials, FigurePhrases.trialsDefinition)
        case .mrr: (FigurePhrases.mrr, FigurePhrases.mrrDefinition)
        case .subscriptionStatus: status(column)
        case .subscriptionMovement, .churnRate: movement(column)
        case .mrrMovement: revenue(column)
        case .trials: trials(column)
        case .retention: (MeasurePhrases.name(.cohortSubscriptions), cohort)
        default: (ExplainPhrases.statistic, ExplainPhrases.inReportDefinition)
        }
    }

    private static func status(_ column: String) -> Wording {
        switch column {
        case "set-to-renew": (SubscriptionPhrases.setToRenew, setToRenew)
        case "set-to-cancel": (SubscriptionPhrases.setToCancel, setToCancel)
        default: (SubscriptionPhrases.billingIssue, SubscriptionPhrases.billingIssueDefinition)
        }
    }

    private static func movement(_ column: String) -> Wording {
        switch column {
        case "new": (SubscriptionPhrases.new, new)
        case "churned": (SubscriptionPhrases.churned, churned)
        case "net": (SubscriptionPhrases.net, net)
        case "rate": (FigurePhrases.churn, FigurePhrases.churnDefinition)
        default: (FigurePhrases.active, FigurePhrases.activeDefinition)
        }
    }

    private static func revenue(_ column: String) -> Wording {
        switch column {
        case "new": (MeasurePhrases.name(.newRevenue), newRevenue)
        case "returned": (MeasurePhrases.name(.returnedRevenue), returnedRevenue)
        case "expansion": (MeasurePhrases.name(.expandedRevenue), expandedRevenue)
        case "contraction": (MeasurePhrases.name(.contractedRevenue), contractedRevenue)
        case "lost": (MeasurePhrases.name(.lostRevenue), lostRevenue)
        case "net": (SubscriptionPhrases.net, netRevenue)
        default: (FigurePhrases.mrr, FigurePhrases.mrrDefinition)
        }
    }

    private static func trials(_ column: String) -> Wording {
        switch column {
        case "started": (SubscriptionPhrases.started, started)
        case "converted": (MeasurePhrases.name(.trialsConverted), converted)
        case "pending": (MeasurePhrases.name(.trialsPending), pending)
        case "abandoned": (MeasurePhrases.name(.trialsAbandoned), abandoned)
        default: (FigurePhrases.conversion, FigurePhrases.conversionDefinition)
        }
    }

    // MARK: - Definitions

    private static let setToRenew = Phrase(
        "Subscriptions with service, free trials included, whose auto-renew is on.",
        fr: "Abonnements en service, essais gratuits compris, dont le renouvellement automatique est activé.",
        pt: "Assinaturas com serviço, inclusive testes gratuitos, com a renovação automática ativada.",
        zh: "有服務且自動續訂開啟的訂閱，包含免費試用。",
        de: "Laufende Abonnements samt Gratisprobezeiten, deren automatische Verlängerung an ist.")
    private static let setToCancel = Phrase(
        "Subscriptions with service, free trials included, whose auto-renew is off: they end with the period.",
        fr:
            "Abonnements en service, essais gratuits compris, dont le renouvellement automatique est désactivé : ils finissent avec la période.",
        pt:
            "Assinaturas com serviço, inclusive testes gratuitos, com a renovação automática desativada: terminam com o período.",
        zh: "有服務但自動續訂關閉的訂閱，包含免費試用：期滿即結束。",
        de:
            "Laufende Abonnements samt Gratisprobezeiten, deren automatische Verlängerung aus ist: Sie enden mit dem Zeitraum."
    )
    private static let new = Phrase(
        "Subscriptions that were paid for the first time; after a free trial, on its conversion.",
        fr: "Abonnements payés pour la première fois ; après un essai gratuit, à sa conversion.",
        pt: "Assinaturas pagas pela primeira vez; depois de um teste gratuito, na conversão.",
        zh: "首次付費的訂閱；免費試用後則於轉換時計入。",
        de: "Erstmals bezahlte Abonnements; nach einer Gratisprobezeit bei der Umwandlung.")
    private static let churned = Phrase(
        "Active subscriptions that ended or went into billing retry, less those that returned. It can be negative.",
        fr:
            "Abonnements actifs qui ont pris fin ou sont passés en nouvelle tentative de facturation, moins ceux qui sont revenus. Le nombre peut être négatif.",
        pt:
            "Assinaturas ativas que terminaram ou entraram em nova tentativa de cobrança, menos as que retornaram. Pode ser negativo.",
        zh: "已結束或進入重試扣款的有效訂閱，扣除回歸者。可為負數。",
        de:
            "Aktive Abonnements, die endeten oder deren Abbuchung wiederholt wird, abzüglich der zurückgekehrten. Die Zahl kann negativ sein."
    )
    private static let net = Phrase(
        "New subscriptions less churned ones: the change of the active subscriptions.",
        fr: "Nouveaux abonnements moins les abonnements perdus : la variation des abonnements actifs.",
        pt: "Novas assinaturas menos as perdidas: a variação das assinaturas ativas.",
        zh: "新訂閱減流失數：有效訂閱的變化。",
        de: "Neue abzüglich verlorener Abonnements: die Veränderung der aktiven Abonnements.")
    private static let newRevenue = Phrase(
        "Monthly prices of subscriptions that were paid for the first time.",
        fr: "Prix mensuels des abonnements payés pour la première fois.",
        pt: "Preços mensais das assinaturas pagas pela primeira vez.", zh: "首次付費訂閱的每月價格。",
        de: "Monatspreise der erstmals bezahlten Abonnements.")
    private static let returnedRevenue = Phrase(
        "Monthly prices of subscriptions that are active again.", fr: "Prix mensuels des abonnements redevenus actifs.",
        pt: "Preços mensais das assinaturas que voltaram a ficar ativas.", zh: "恢復有效之訂閱的每月價格。",
        de: "Monatspreise der wieder aktiven Abonnements.")
    private static let expandedRevenue = Phrase(
        "What the monthly prices of active subscriptions rose by: upgrades, price increases, ended offers.",
        fr:
            "Hausse des prix mensuels des abonnements actifs : offres supérieures, augmentations, promotions terminées.",
        pt: "Aumento dos preços mensais das assinaturas ativas: upgrades, reajustes, ofertas encerradas.",
        zh: "有效訂閱每月價格的增加：升級、調漲、優惠結束。",
        de: "Anstieg der Monatspreise aktiver Abonnements: Upgrades, Preiserhöhungen, beendete Angebote.")
    private static let contractedRevenue = Phrase(
        "What the monthly prices of active subscriptions fell by: downgrades, lower prices, offers.",
        fr: "Baisse des prix mensuels des abonnements actifs : offres inférieures, prix réduits, promotions.",
        pt: "Queda dos preços mensais das assinaturas ativas: downgrades, preços menores, ofertas.",
        zh: "有效訂閱每月價格的減少：降級、降價、優惠。",
        de: "Rückgang der Monatspreise aktiver Abonnements: Downgrades, niedrigere Preise, Angebote.")
    private static let lostRevenue = Phrase(
        "Monthly prices of subscriptions that are no longer active, as a negative amount.",
        fr: "Prix mensuels des abonnements qui ne sont plus actifs, en montant négatif.",
        pt: "Preços mensais das assinaturas que deixaram de estar ativas, como valor negativo.",
        zh: "不再有效之訂閱的每月價格，以負數計。",
        de: "Monatspreise der nicht mehr aktiven Abonnements, als negativer Betrag.")
    private static let netRevenue = Phrase(
        "The sum of what MRR gained and lost.", fr: "Somme des gains et des pertes du revenu mensuel récurrent.",
        pt: "A soma do que a receita recorrente mensal ganhou e perdeu.", zh: "每月經常性收入增減的總和。",
        de: "Summe der Gewinne und Verluste des monatlich wiederkehrenden Umsatzes.")
    private static let started = Phrase(
        "Free trials, on the day of their start.", fr: "Essais gratuits, au jour de leur début.",
        pt: "Testes gratuitos, no dia do início.", zh: "免費試用，計入開始當日。",
        de: "Gratisprobezeiten, am Tag ihres Beginns.")
    private static let converted = Phrase(
        "Free trials that were paid since without a gap, on the day of their start.",
        fr: "Essais gratuits payés depuis sans interruption, au jour de leur début.",
        pt: "Testes gratuitos pagos desde então sem intervalo, no dia do início.",
        zh: "其後連續付費的免費試用，計入開始當日。",
        de: "Seither lückenlos bezahlte Gratisprobezeiten, am Tag ihres Beginns.")
    private static let pending = Phrase(
        "Free trials that aren’t paid yet and whose auto-renew is on, on the day of their start.",
        fr: "Essais gratuits pas encore payés dont le renouvellement automatique est activé, au jour de leur début.",
        pt: "Testes gratuitos ainda não pagos com a renovação automática ativada, no dia do início.",
        zh: "尚未付費且自動續訂開啟的免費試用，計入開始當日。",
        de: "Noch unbezahlte Gratisprobezeiten mit automatischer Verlängerung, am Tag ihres Beginns.")
    private static let abandoned = Phrase(
        "Free trials that ended unpaid or whose auto-renew is off, on the day of their start.",
        fr: "Essais gratuits finis sans paiement ou sans renouvellement automatique, au jour de leur début.",
        pt: "Testes gratuitos encerrados sem pagamento ou sem renovação automática, no dia do início.",
        zh: "未付費即結束或自動續訂關閉的免費試用，計入開始當日。",
        de: "Unbezahlt beendete Gratisprobezeiten und solche ohne automatische Verlängerung, am Tag ihres Beginns.")
    private static let cohort = Phrase(
        "Subscriptions whose first paid period began in the month.",
        fr: "Abonnements dont la première période payée a commencé dans le mois.",
        pt: "Assinaturas cujo primeiro período pago começou no mês.", zh: "首個付費期於該月開始的訂閱。",
        de: "Abonnements, deren erster bezahlter Zeitraum in dem Monat begann.")
}
