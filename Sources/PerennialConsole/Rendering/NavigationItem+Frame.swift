/// Names, permissions and icons of the places in the navigation.
extension NavigationItem {
    var name: Phrase {
        switch self {
        case .overview: Phrase("Overview", fr: "Aperçu", pt: "Visão geral", zh: "概覽", de: "Übersicht")
        case .live: Phrase("Live", fr: "En direct", pt: "Ao vivo", zh: "即時", de: "Live")
        case .customers: Words.customers
        case .transactions: Words.transactions
        case .products: Words.products
        case .subscriptions: Words.subscriptions
        case .sales: Phrase("Sales", fr: "Ventes", pt: "Vendas", zh: "銷售", de: "Verkäufe")
        case .payments: Phrase("Payments", fr: "Paiements", pt: "Pagamentos", zh: "付款", de: "Zahlungen")
        case .notifications: Words.notifications
        case .inspect: Phrase("Inspect", fr: "Inspecter", pt: "Inspecionar", zh: "檢查", de: "Prüfen")
        case .testers: Phrase("Testers", fr: "Testeurs", pt: "Testadores", zh: "測試人員", de: "Tester")
        case .keys: Phrase("Keys", fr: "Clés", pt: "Chaves", zh: "金鑰", de: "Schlüssel")
        case .team: Phrase("Team", fr: "Équipe", pt: "Equipe", zh: "團隊", de: "Team")
        case .environments: Phrase("Environments", fr: "Environnements", pt: "Ambientes", zh: "環境", de: "Umgebungen")
        case .health: Phrase("Health", fr: "État du système", pt: "Saúde", zh: "系統狀態", de: "Zustand")
        }
    }

    /// The permission of the place's first page.
    var permission: Permission {
        switch self {
        case .overview, .live, .products, .notifications, .environments, .health: .view
        case .customers, .transactions: .support
        case .subscriptions, .sales: .viewSales
        case .payments: .viewMoney
        case .inspect, .testers: .operate
        case .keys, .team: .administer
        }
    }

    /// True for a place whose first page is of all apps.
    var isOfAllApps: Bool { self == .customers || self == .payments }

    /// The places at the bottom of a phone's screen; the others are under “More”.
    static let tabs: [NavigationItem] = [.overview, .sales, .customers, .live]

    /// A drawing in lines, in a field of 20 by 20.
    var icon: String {
        switch self {
        case .overview: "M3 9.5 10 3.5l7 6V16.5h-4.5v-4h-5v4H3z"
        case .live: "M2.5 10h3l2.5-6 4 12 2.5-6h3"
        case .customers: "M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 16.5c.4-3 2.8-4.5 6-4.500s5.6 1.5 6 4.5"
        case .transactions: "M4 7h11l-3-3M16 13H5l3 3"
        case .products: "M3.5 6.5 10 3l6.5 3.500v7L10 17l-6.5-3.500zM3.5 6.5 10 10l6.5-3.500M10 10v7"
        case .subscriptions: "M16 10a6 6 0 0 1-10.8 3.600M4 10a6 6 0 0 1 10.8-3.600M15 3v3.500h-3.500M5 17v-3.500h3.5"
        case .sales: "M3 16.500h14M5.5 13.500V10M10 13.500V6.500M14.5 13.500v-9"
        case .payments: "M3 6h14v9H3zM3 9h14M6 12.500h3"
        case .notifications: "M5 14V9a5 5 0 0 1 10 0v5l1.5 1.500h-13zM8.5 17.500h3"
        case .inspect: "M9 14.500a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l4 4"
        case .testers: "M8 3.500h4M9 3.500v5l-5 7.500c-.3.5 0 1 .6 1h10.800c.6 0 .9-.5.6-1l-5-7.500v-5"
        case .keys: "M7 12.500a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM10.5 9H17v3M14 9v2"
        case .team:
            "M7.5 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM2.5 16c.3-2.8 2-4 5-4s4.7 1.2 5 4M13 9a2.2 2.2 0 1 0-1-4.200M14.5 12.200c1.9.4 2.8 1.6 3 3.8"
        case .environments: "M10 3 3 6.500l7 3.5 7-3.500zM3 10l7 3.5 7-3.500M3 13.5 10 17l7-3.5"
        case .health:
            "M10 16.500C5 13 3 10.5 3 7.8 3 5.5 4.7 4 6.7 4 8 4 9.3 4.7 10 6c.7-1.3 2-2 3.3-2C15.3 4 17 5.5 17 7.800c0 2.7-2 5.2-7 8.700z"
        }
    }
}
