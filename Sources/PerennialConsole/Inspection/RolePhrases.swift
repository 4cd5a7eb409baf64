import Perennial

/// The roles of users and keys, in Apple's words.
enum RolePhrases {
    static func names(of roles: Set<ConnectRole>) -> [Text] {
        ConnectRole.allCases.filter(roles.contains).map { .phrase(name(of: $0)) }
    }

    static func name(of role: ConnectRole) -> Phrase {
        switch role {
        case .accountHolder:
            Phrase(
                "Account Holder", fr: "Titulaire du compte", pt: "Titular da conta", zh: "帳號持有人", de: "Accountinhaber")
        case .admin: Phrase("Admin", fr: "Administrateur", pt: "Administrador", zh: "管理者", de: "Administrator")
        case .appManager:
            Phrase("App Manager", fr: "Gestionnaire d’apps", pt: "Gerente de app", zh: "App 管理者", de: "App-Manager")
        case .developer: Phrase("Developer", fr: "Développeur", pt: "Desenvolvedor", zh: "開發者", de: "Entwickler")
        case .finance:
            Phrase("Finance role", fr: "Rôle Finances", pt: "Função Financeiro", zh: "財務", de: "Rolle Finanzen")
        case .sales: Phrase("Sales role", fr: "Rôle Ventes", pt: "Função Vendas", zh: "銷售", de: "Rolle Verkäufe")
        case .accessToReports:
            Phrase(
                "Access to Reports", fr: "Accès aux rapports", pt: "Acesso a relatórios", zh: "取用報告",
                de: "Zugriff auf Berichte")
        case .marketing:
            Phrase("Marketing", fr: "Marketing (rôle)", pt: "Marketing (função)", zh: "行銷", de: "Vermarktung")
        case .customerSupport:
            Phrase(
                "Customer Support", fr: "Assistance clientèle", pt: "Suporte ao cliente", zh: "顧客支援",
                de: "Kundensupport")
        case .createApps:
            Phrase("Create Apps", fr: "Créer des apps", pt: "Criar apps", zh: "建立 App", de: "Apps erstellen")
        case .cloudManagedDeveloperID:
            Phrase(
                "Cloud Managed Developer ID", fr: "Developer ID géré dans le cloud",
                pt: "Developer ID gerenciado na nuvem",
                zh: "雲端管理的 Developer ID", de: "In der Cloud verwaltete Developer ID")
        case .cloudManagedAppDistribution:
            Phrase(
                "Cloud Managed App Distribution", fr: "Distribution d’apps gérée dans le cloud",
                pt: "Distribuição de apps gerenciada na nuvem", zh: "雲端管理的 App 發佈",
                de: "In der Cloud verwaltete App-Verteilung")
        case .generateIndividualKeys:
            Phrase(
                "Generate Individual API Keys", fr: "Générer des clés d’API individuelles",
                pt: "Gerar chaves de API individuais", zh: "產生個人 API 金鑰", de: "Individuelle API-Schlüssel erzeugen")
        }
    }
}
