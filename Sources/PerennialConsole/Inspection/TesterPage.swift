import Perennial
import PerennialStore

/// One sandbox tester.
enum TesterPage {
    private static let environmentRate = "environment"

    static func page(
        _ request: PageRequest, _ state: FormState = .new, clearError: Text? = nil
    ) async throws -> Page {
        let tester = try await request.store.testers.tester(named: request.parameter("account"))
        let name = tester.account.name
        var blocks: [Block] = [.form(form(tester, request, state))]
        if request.environment.kind.isForTests {
            let clear = Form(
                path(name, request) + "/clear", submit: .phrase(TesterPhrases.clear), error: clearError,
                warning: .phrase(TesterPhrases.clearWarning), confirmation: name, isDangerous: true,
                same: request.sameHere(
                    "testers clear \(ShellWord.quoted(name))",
                    .init("POST", "control/v1/testers/\(ConsolePath.encoded(name))/clear-purchase-history")), [])
            blocks.append(.section(.phrase(TesterPhrases.clear), [.form(clear)]))
        }
        return Page(
            .data(name), .testers, trail: [Link(.phrase(TesterPhrases.testers), request.path("testers"))],
            actions: [
                .link(Link(.phrase(Words.customer), request.path("customers/\(ConsolePath.encoded(name))")))
            ], status: clearError == nil ? state.status : 422, blocks)
    }

    private static func path(_ name: String, _ request: PageRequest) -> String {
        request.path("testers/\(ConsolePath.encoded(name))")
    }

    static func rate(_ rate: TimeRate?) -> Text {
        guard let rate else { return .phrase(TesterPhrases.environmentRate) }
        switch rate {
        case .monthlyRenewalEveryThreeMinutes: return .phrase(TesterPhrases.monthIsMinutes, .number(3))
        case .monthlyRenewalEveryFiveMinutes: return .phrase(TesterPhrases.monthIsMinutes, .number(5))
        case .monthlyRenewalEveryFifteenMinutes: return .phrase(TesterPhrases.monthIsMinutes, .number(15))
        case .monthlyRenewalEveryThirtyMinutes: return .phrase(TesterPhrases.monthIsMinutes, .number(30))
        case .monthlyRenewalEveryHour: return .phrase(TesterPhrases.monthIsMinutes, .number(60))
        default: return .data(rate.rawValue)
        }
    }

    private static func form(_ tester: SandboxTester, _ request: PageRequest, _ state: FormState) -> Form {
        let account = tester.account
        let rates =
            [Field.Option(environmentRate, .phrase(TesterPhrases.environmentRate))]
            + TimeRate.allCases.map { Field.Option($0.rawValue, rate($0)) }
        var fields = [
            state.field("firstName", TesterPhrases.firstName, .text, tester.firstName ?? "", maximumLength: 100),
            state.field("lastName", TesterPhrases.lastName, .text, tester.lastName ?? "", maximumLength: 100),
            state.field(
                "storefront", Words.storefront, .storefronts(request.language), account.storefront.rawValue),
            state.field(
                "paymentMethod", TesterPhrases.payments,
                .choice([
                    .init(Account.PaymentMethod.valid.rawValue, .phrase(TesterPhrases.paymentsSucceed)),
                    .init(Account.PaymentMethod.declined.rawValue, .phrase(TesterPhrases.paymentsFail)),
                ]), account.paymentMethod.rawValue),
            state.box(
                "interrupts", TesterPhrases.interrupts, account.interruptsPurchases,
                hint: .phrase(TesterPhrases.interruptsHint)),
            state.box("canMakePayments", TesterPhrases.canMakePayments, account.canMakePayments),
        ]
        if request.environment.kind.isForTests {
            fields.insert(
                state.box(
                    "asksToBuy", TesterPhrases.askToBuy, account.asksToBuy, hint: .phrase(TesterPhrases.askToBuyHint)),
                at: 5)
            fields.insert(
                state.field(
                    "rate", TesterPhrases.rate, .choice(rates), account.renewalRate?.rawValue ?? environmentRate,
                    hint: .phrase(TesterPhrases.rateHint)), at: 3)
        }
        return state.form(
            path(account.name, request), submit: Words.save,
            same: request.sameHere(
                "testers edit \(ShellWord.quoted(account.name))",
                .init("POST", "control/v1/accounts", JSONText.object(["account": account.name]))), fields)
    }

    static func save(_ form: FormRequest) async throws -> FormAnswer {
        let (request, values) = (form.page, form.values)
        let store = request.store
        let name = try await store.testers.tester(named: request.parameter("account")).account.name
        let isSandbox = request.environment.kind.isForTests
        return try await form.perform(again: { try await page($0, $1) }) {
            guard let storefront = try values.storefront("storefront") else {
                throw Refusal("storefront", RefusalPhrases.choice)
            }
            let method = try values.chosen("paymentMethod", Account.PaymentMethod.self)
            let isOfEnvironment = values["rate"] == environmentRate
            let rate = isSandbox && !isOfEnvironment ? try values.chosen("rate", TimeRate.self) : nil
            _ = try await store.accounts.put(
                name, storefront: storefront, paymentMethod: method,
                canMakePayments: values.isTicked("canMakePayments"), password: nil,
                interruptsPurchases: values.isTicked("interrupts"), renewalRate: isSandbox ? .some(rate) : nil,
                asksToBuy: isSandbox ? values.isTicked("asksToBuy") : nil)
            _ = try await store.testers.rename(name, firstName: values["firstName"], lastName: values["lastName"])
            return .redirect(path(name, request), .phrase(TesterPhrases.saved))
        }
    }

    static func clear(_ form: FormRequest) async throws -> FormAnswer {
        let request = form.page
        let tester = try await request.store.testers.tester(named: request.parameter("account"))
        let name = tester.account.name
        guard form.values["confirmation"] == name else {
            return .page(try await page(request, clearError: .phrase(KeyPhrases.confirmationWrong, .data(name))))
        }
        do {
            try await request.store.testers.clearPurchaseHistories(of: [tester.id])
        } catch let error as CatalogEditError {
            return .page(try await page(request, clearError: RefusalText.reasons(of: error)))
        }
        return .redirect(path(name, request), .phrase(TesterPhrases.cleared, .data(name)))
    }
}

/// The words of the pages about testers.
enum TesterPhrases {
    static let testers = Phrase(
        "Sandbox testers", fr: "Testeurs sandbox", pt: "Testadores de sandbox", zh: "Sandbox 測試人員", de: "Sandbox-Tester"
    )
    static let account = Phrase("Account", fr: "Compte", pt: "Conta", zh: "帳號", de: "Konto")
    static let accountHint = Phrase(
        "The name to sign in with, such as an e-mail address.",
        fr: "Le nom de connexion, par exemple une adresse e-mail.",
        pt: "O nome para iniciar sessão, como um endereço de e-mail.", zh: "登入名稱，例如電子郵件位址。",
        de: "Der Name zum Anmelden, etwa eine E-Mail-Adresse.")
    static let create = Phrase(
        "Create a tester", fr: "Créer un testeur", pt: "Criar um testador", zh: "建立測試人員", de: "Tester anlegen")
    static let created = Phrase(
        "%1 can sign in and buy.", fr: "%1 peut se connecter et acheter.", pt: "%1 pode iniciar sessão e comprar.",
        zh: "%1 可登入並購買。", de: "%1 kann sich anmelden und kaufen.")
    static let nameTaken = Phrase(
        "This name is taken by an account of another app.", fr: "Ce nom est pris par un compte d’une autre app.",
        pt: "Este nome pertence a uma conta de outro app.", zh: "此名稱已由其他 App 的帳號使用。",
        de: "Diesen Namen hat ein Konto einer anderen App.")
    static let noTesters = Phrase(
        "There is no tester yet. Create one, or sign in with a new name on a device.",
        fr: "Il n’y a pas encore de testeur. Créez-en un, ou connectez-vous avec un nouveau nom sur un appareil.",
        pt: "Ainda não há testador. Crie um ou inicie sessão com um novo nome em um dispositivo.",
        zh: "尚無測試人員。請建立一位，或在裝置上以新名稱登入。",
        de: "Noch gibt es keinen Tester. Einen anlegen oder sich auf einem Gerät mit neuem Namen anmelden.")
    static let inProduction = Phrase(
        "These are the customers of Production. Testers belong to Sandbox.",
        fr: "Voici les clients de Production. Les testeurs appartiennent à Sandbox.",
        pt: "Estes são os clientes de Production. Os testadores pertencem a Sandbox.",
        zh: "這些是 Production 的顧客。測試人員屬於 Sandbox。",
        de: "Das sind die Kunden von Production. Tester gehören zu Sandbox.")
    static let firstName = Phrase("First name", fr: "Prénom", pt: "Nome próprio", zh: "名字", de: "Vorname")
    static let lastName = Phrase("Last name", fr: "Nom de famille", pt: "Sobrenome", zh: "姓氏", de: "Nachname")
    static let storefrontHint = Phrase(
        "Three letters of a country or region, such as USA.",
        fr: "Trois lettres d’un pays ou d’une région, par exemple USA.",
        pt: "Três letras de um país ou região, como USA.", zh: "國家或地區的三個字母，例如 USA。",
        de: "Drei Buchstaben eines Landes oder einer Region, etwa USA.")
    static let rate = Phrase(
        "Renewal rate", fr: "Rythme de renouvellement", pt: "Ritmo de renovação", zh: "續訂速率",
        de: "Verlängerungsrhythmus")
    static let rateHint = Phrase(
        "How soon the tester’s subscriptions renew.", fr: "La vitesse de renouvellement des abonnements du testeur.",
        pt: "A rapidez com que as assinaturas do testador se renovam.", zh: "測試人員的訂閱多快續訂。",
        de: "Wie schnell sich Abos des Testers verlängern.")
    static let environmentRate = Phrase(
        "As in the environment", fr: "Comme l’environnement", pt: "Como no ambiente", zh: "與環境相同",
        de: "Wie in der Umgebung")
    static let monthIsMinutes = Phrase(
        "1 month = %1 minutes", fr: "1 mois = %1 minutes", pt: "1 mês = %1 minutos", zh: "1 個月 = %1 分鐘",
        de: "1 Monat = %1 Minuten")
    static let payments = Phrase("Charges", fr: "Débits", pt: "Cobranças", zh: "扣款", de: "Abbuchungen")
    static let paymentsSucceed = Phrase(
        "Charges succeed", fr: "Les débits réussissent", pt: "As cobranças são aceitas", zh: "扣款成功",
        de: "Abbuchungen gelingen")
    static let paymentsFail = Phrase(
        "Charges fail", fr: "Les débits échouent", pt: "As cobranças falham", zh: "扣款失敗", de: "Abbuchungen scheitern")
    static let interrupts = Phrase(
        "Interrupted purchases", fr: "Achats interrompus", pt: "Compras interrompidas", zh: "中斷的購買項目",
        de: "Unterbrochene Käufe")
    static let interruptsHint = Phrase(
        "Purchases fail until they are completed here.",
        fr: "Les achats échouent jusqu’à ce qu’ils soient terminés ici.",
        pt: "As compras falham até serem concluídas aqui.", zh: "購買會失敗，直到在此完成。",
        de: "Käufe scheitern, bis sie hier abgeschlossen werden.")
    static let canMakePayments = Phrase(
        "May buy", fr: "Peut acheter", pt: "Pode comprar", zh: "可購買", de: "Darf kaufen")
    static let askToBuyHint = Phrase(
        "Purchases on the tester’s devices wait for approval on the list of testers, as if a parent were asked.",
        fr:
            "Les achats sur les appareils du testeur attendent une approbation dans la liste des testeurs, comme si un parent était sollicité.",
        pt:
            "As compras nos dispositivos do testador aguardam aprovação na lista de testadores, como se um responsável fosse consultado.",
        zh: "測試人員裝置上的購買會在測試人員清單中等待核准，如同詢問家長。",
        de:
            "Käufe auf den Geräten des Testers warten in der Liste der Tester auf Genehmigung, als würde ein Elternteil gefragt."
    )
    static let clear = Phrase(
        "Clear purchase history", fr: "Effacer l’historique d’achats", pt: "Apagar histórico de compras",
        zh: "清除購買紀錄",
        de: "Kaufverlauf löschen")
    static let clearWarning = Phrase(
        "Ends all subscriptions of the tester and forgets every purchase in all apps. It can’t be undone.",
        fr:
            "Met fin à tous les abonnements du testeur et oublie chaque achat dans toutes les apps. C’est irréversible.",
        pt: "Encerra todas as assinaturas do testador e esquece cada compra em todos os apps. Não pode ser desfeito.",
        zh: "將終止該測試人員的所有訂閱，並清除所有 App 中的購買，且無法復原。",
        de:
            "Beendet alle Abos des Testers und vergisst jeden Kauf in allen Apps. Das lässt sich nicht rückgängig machen."
    )
    static let cleared = Phrase(
        "The purchase history of %1 is cleared.", fr: "L’historique d’achats de %1 est effacé.",
        pt: "O histórico de compras de %1 foi apagado.", zh: "已清除 %1 的購買紀錄。", de: "Der Kaufverlauf von %1 ist gelöscht."
    )
    static let saved = Phrase("Saved.", fr: "Enregistré.", pt: "Salvo.", zh: "已儲存。", de: "Gesichert.")
    static let askToBuy = Phrase(
        "Ask to Buy", fr: "Demander à acheter", pt: "Pedir para Comprar", zh: "購買前詢問", de: "Kaufanfragen")
    static let approve = Phrase("Approve", fr: "Approuver", pt: "Aprovar", zh: "核准", de: "Genehmigen")
    static let decline = Phrase("Decline", fr: "Refuser", pt: "Recusar", zh: "拒絕", de: "Ablehnen")
    static let interrupted = Phrase(
        "Purchases to complete", fr: "Achats à terminer", pt: "Compras a concluir", zh: "待完成的購買",
        de: "Abzuschließende Käufe")
    static let complete = Phrase(
        "Complete the purchase", fr: "Terminer l’achat", pt: "Concluir a compra", zh: "完成購買", de: "Kauf abschließen")
    static let abandon = Phrase("Abandon", fr: "Abandonner", pt: "Abandonar", zh: "放棄", de: "Aufgeben")
    static let answered = Phrase(
        "The purchase was answered.", fr: "L’achat a reçu une réponse.", pt: "A compra foi respondida.", zh: "已回覆該購買。",
        de: "Der Kauf ist beantwortet.")
}
